import { retryFailedRows } from '../../payout-files/retry-failed-rows.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { PayoutFileObject } from '../schemas/payout-file-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import type { FileLifeDeps } from './file-life-deps.ts';
import { readFileId, showFile } from './read-file-path.ts';

export function retryFailedRowsOperation(deps: FileLifeDeps): ApiOperation {
  return {
    method: 'POST',
    path: '/payout-files/:id/failed-rows',
    operationId: 'retryFailedRows',
    tag: 'Payout files',
    scope: 'transfers:write',
    permission: 'payouts:write',
    summary: 'Make a draft of the failed rows',
    description:
      'Of a file that is done or cancelled: a new draft of the rows that were refused or failed, and of no others. ' +
      'Each row names the transfer that it replaces. A failed row can be submitted again in one file only.',
    schema: { params: idParameter('payout file'), data: { 201: PayoutFileObject } },
    async handle({ caller, params }) {
      const { book, actor } = caller;
      const id = await retryFailedRows(deps, { book, actor, id: readFileId(params) });
      return {
        status: 201,
        message: 'Payout file created',
        data: await showFile(deps, caller, id),
      };
    },
  };
}
