import { isCountry, isOperator } from '../../domain/operator.ts';
import { isTransferState, isTransferStatus } from '../../domain/transfer-state.ts';
import { parseUuid } from '../../domain/uuid.ts';
import type { Queryable } from '../../postgres/database.ts';
import { listTransfers } from '../../transfers/read/list-transfers.ts';
import { renderTransfer } from '../../views/render-transfer.ts';
import { TransferListQuery, TransferPage } from '../schemas/transfer-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';
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
    description: 'Newest first. Filters combine. Pages stay stable while transfers are added.',
    schema: { querystring: TransferListQuery, data: { 200: TransferPage } },
    async handle({ caller: { book }, query }) {
      const read = createQueryReader(query, Object.keys(TransferListQuery.properties));
      const { limit, before, ...filter } = read.checked({
        limit: read.limit(),
        before: read.cursor(LIST, parseUuid),
        references: read.references('reference'),
        status: read.word('status', isTransferStatus, 'INVALID_STATUS'),
        state: read.word('state', isTransferState, 'INVALID_STATE'),
        operator: read.word('operator', isOperator, 'INVALID_OPERATOR'),
        country: read.word('country', isCountry, 'INVALID_COUNTRY'),
        walletId: read.uuid('walletId', 'INVALID_WALLET_ID'),
        from: read.time('from'),
        to: read.time('to'),
      });
      const page = await listTransfers(database, { book, filter, page: { limit, before } });
      return {
        status: 200,
        message: 'Transfers listed',
        data: {
          items: page.items.map(renderTransfer),
          nextCursor: page.nextCursor === null ? null : encodeCursor(LIST, page.nextCursor),
        },
      };
    },
  };
}
