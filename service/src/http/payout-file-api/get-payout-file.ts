import { parseUuid } from '../../domain/uuid.ts';
import { listFiles } from '../../payout-files/list-files.ts';
import { FILE_STATES, type FileState } from '../../payout-files/payout-file.ts';
import { createQueryReader, encodeCursor } from '../merchant-api/read-page.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import {
  PayoutFileListQuery,
  PayoutFileObject,
  PayoutFilePage,
} from '../schemas/payout-file-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import type { PayoutFileDeps } from './payout-file-deps.ts';
import { readFileId, showFile } from './read-file-path.ts';
import { renderFile } from './render-payout-file.ts';

const LIST = 'payout-files';

export function listPayoutFilesOperation({
  database,
}: Pick<PayoutFileDeps, 'database'>): ApiOperation {
  return {
    method: 'GET',
    path: '/payout-files',
    operationId: 'listPayoutFiles',
    tag: 'Payout files',
    scope: 'read',
    permission: 'payouts:read',
    readsPage: true,
    summary: 'List payout files',
    description: 'Newest first, without their rows.',
    schema: { querystring: PayoutFileListQuery, data: { 200: PayoutFilePage } },
    async handle({ caller: { book }, query }) {
      const read = createQueryReader(query, Object.keys(PayoutFileListQuery.properties));
      const { limit, before, state } = read.checked({
        limit: read.limit(),
        before: read.cursor(LIST, parseUuid),
        state: read.word(
          'state',
          isFileState,
          'INVALID_STATE',
          `One of ${FILE_STATES.join(', ')}.`,
        ),
      });
      const page = await listFiles(database, { bookId: book.id, state, page: { limit, before } });
      return {
        status: 200,
        message: 'Payout files listed',
        data: {
          items: page.items.map(renderFile),
          nextCursor: page.nextCursor === null ? null : encodeCursor(LIST, page.nextCursor),
        },
      };
    },
  };
}

function isFileState(text: string): text is FileState {
  const states: readonly string[] = FILE_STATES;
  return states.includes(text);
}

export function getPayoutFileOperation(
  deps: Pick<PayoutFileDeps, 'database' | 'directory' | 'routes'>,
): ApiOperation {
  return {
    method: 'GET',
    path: '/payout-files/:id',
    operationId: 'getPayoutFile',
    tag: 'Payout files',
    scope: 'read',
    permission: 'payouts:read',
    readsPage: true,
    summary: 'Get a payout file',
    description:
      'With its progress, what is wrong with its rows, and totals of each operator against the ' +
      'balance of the wallet.',
    schema: { params: idParameter('payout file'), data: { 200: PayoutFileObject } },
    async handle({ caller, params }) {
      const data = await showFile(deps, caller, readFileId(params));
      return { status: 200, message: 'Payout file found', data };
    },
  };
}
