import { isCountry, isOperator } from '../../domain/operator.ts';
import { isTransferState, isTransferStatus } from '../../domain/transfer-state.ts';
import { parseUuid } from '../../domain/uuid.ts';
import type { Queryable } from '../../postgres/database.ts';
import { listTransfers } from '../../transfers/read/list-transfers.ts';
import { renderTransfer } from '../../views/render-transfer.ts';
import { TransferListQuery, TransferPage } from '../schemas/transfer-schema.ts';
import type { ApiAnswer, ApiOperation } from '../server/api-operation.ts';
import { CSV_CONTENT_TYPE, prefersCsv, toCsv } from './csv.ts';
import { createQueryReader, encodeCursor } from './read-page.ts';

const LIST = 'transfers';

export function listTransfersOperation({
  database,
}: Readonly<{ database: Queryable }>): ApiOperation {
  return {
    method: 'GET',
    path: '/transfers',
    operationId: 'listTransfers',
    tag: 'Transfers',
    scope: 'read',
    permission: 'payouts:read',
    readsPage: true,
    summary: 'List transfers',
    description:
      'Newest first. Filters combine. `metadata[KEY]=value` lists transfers whose metadata has this value under ' +
      'this key; one key at a time. Pages stay stable while transfers are added. With ' +
      '`Accept: text/csv` the same page comes as a CSV file with one line of column names, and the ' +
      'next cursor in the header `X-Next-Cursor`. A cell that a spreadsheet would run as a formula ' +
      'begins with an apostrophe.',
    schema: { querystring: TransferListQuery, data: { 200: TransferPage } },
    async handle({ caller: { book }, query, header }) {
      const read = createQueryReader(query, Object.keys(TransferListQuery.properties));
      const country = read.word('country', isCountry, 'INVALID_COUNTRY');
      const { limit, before, ...filter } = read.checked({
        limit: read.limit(),
        before: read.cursor(LIST, parseUuid),
        references: read.references('reference'),
        status: read.word('status', isTransferStatus, 'INVALID_STATUS'),
        state: read.word('state', isTransferState, 'INVALID_STATE'),
        operator: read.word('operator', isOperator, 'INVALID_OPERATOR'),
        country,
        walletId: read.uuid('walletId', 'INVALID_WALLET_ID'),
        phone: read.phone('phone', country),
        amountFromMinor: read.amount('amountFrom'),
        amountToMinor: read.amount('amountTo'),
        from: read.time('from'),
        to: read.time('to'),
        metadata: read.metadata('metadata'),
      });
      const page = await listTransfers(database, { book, filter, page: { limit, before } });
      const items = page.items.map(renderTransfer);
      const nextCursor = page.nextCursor === null ? null : encodeCursor(LIST, page.nextCursor);
      if (prefersCsv(header('accept'))) return csvAnswer(items, nextCursor);
      return {
        status: 200,
        message: 'Transfers listed',
        data: { items, nextCursor },
        headers: { vary: 'Accept' },
      };
    },
  };
}

type RenderedTransfer = ReturnType<typeof renderTransfer>;

const CSV_COLUMNS = [
  'id',
  'reference',
  'status',
  'state',
  'amount',
  'fee',
  'currency',
  'walletId',
  'phone',
  'operator',
  'country',
  'recipientName',
  'narration',
  'operatorTransactionId',
  'mode',
  'createdAt',
  'updatedAt',
  'completedAt',
  'sendAt',
] as const satisfies readonly (keyof RenderedTransfer)[];

function csvAnswer(items: readonly RenderedTransfer[], nextCursor: string | null): ApiAnswer {
  const rows = items.map((item) => [
    ...CSV_COLUMNS.map((column) => (item[column] === null ? null : String(item[column]))),
    item.failure?.code ?? null,
    item.metadata === null ? null : JSON.stringify(item.metadata),
  ]);
  return {
    status: 200,
    contentType: CSV_CONTENT_TYPE,
    text: toCsv([...CSV_COLUMNS, 'failure', 'metadata'], rows),
    headers: {
      'content-disposition': 'attachment; filename="transfers.csv"',
      vary: 'Accept',
      ...(nextCursor === null ? {} : { 'x-next-cursor': nextCursor }),
    },
  };
}
