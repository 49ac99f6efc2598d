import { checkPlainText } from '../../domain/plain-text.ts';
import { findFile } from '../../payout-files/find-file.ts';
import { listRows } from '../../payout-files/list-rows.ts';
import { ROW_STATES, type RowState } from '../../payout-files/payout-row.ts';
import { createQueryReader, encodeCursor } from '../merchant-api/read-page.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { PayoutRowListQuery, PayoutRowPage } from '../schemas/payout-row-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import type { PayoutFileDeps } from './payout-file-deps.ts';
import { readFileId } from './read-file-path.ts';
import { renderPayoutRow } from './render-payout-file.ts';

const SOUGHT_LENGTH_MAX = 100;

export function listPayoutRowsOperation({
  database,
}: Pick<PayoutFileDeps, 'database'>): ApiOperation {
  return {
    method: 'GET',
    path: '/payout-files/:id/rows',
    operationId: 'listPayoutRows',
    tag: 'Payout files',
    scope: 'read',
    permission: 'payouts:read',
    readsPage: true,
    summary: 'List the rows of a payout file',
    description: 'In the order of the file. Filters combine.',
    schema: {
      params: idParameter('payout file'),
      querystring: PayoutRowListQuery,
      data: { 200: PayoutRowPage },
    },
    async handle({ caller: { book }, params, query }) {
      const fileId = readFileId(params);
      const list = `rows-${fileId}`;
      const read = createQueryReader(query, Object.keys(PayoutRowListQuery.properties));
      const { limit, after, problems, state, text } = read.checked({
        limit: read.limit(),
        after: read.cursor(list, parseNumber),
        problems: read.word('problems', isBooleanWord, 'INVALID_BOOLEAN'),
        state: read.word('state', isRowState, 'INVALID_STATE', `One of ${ROW_STATES.join(', ')}.`),
        text: read.word('q', isSought, 'INVALID_TEXT', '1 to 100 characters.'),
      });
      await findFile(database, { bookId: book.id, id: fileId });
      const filter = { problemsOnly: problems === 'true', state, text };
      const page = await listRows(database, {
        bookId: book.id,
        fileId,
        filter,
        page: { limit, after },
      });
      return {
        status: 200,
        message: 'Rows listed',
        data: {
          items: page.items.map(renderPayoutRow),
          nextCursor: page.nextCursor === null ? null : encodeCursor(list, page.nextCursor),
        },
      };
    },
  };
}

function parseNumber(text: string): number | undefined {
  return /^[1-9][0-9]{0,4}$/.test(text) ? Number(text) : undefined;
}

function isBooleanWord(text: string): text is 'true' | 'false' {
  return text === 'true' || text === 'false';
}

function isRowState(text: string): text is RowState {
  const states: readonly string[] = ROW_STATES;
  return states.includes(text);
}

function isSought(text: string): text is string {
  return text !== '' && checkPlainText(text, { codePointsMax: SOUGHT_LENGTH_MAX }) === 'ok';
}
