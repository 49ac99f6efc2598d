import { retryFailedRows } from '../../payout-files/retry-failed-rows.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { FailedRowsDraft } from '../schemas/payout-file-schema.ts';
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
      'Each row names the transfer that it replaces. A failed row can be submitted again in one file only. ' +
      'Rows that the operator may have paid are left out: it says since that it paid them, or is being asked.',
    schema: { params: idParameter('payout file'), data: { 201: FailedRowsDraft } },
    async handle({ caller, params }) {
      const { book, actor } = caller;
      const failed = { book, actor, id: readFileId(params) };
      const { id, rowsLeftOut } = await retryFailedRows(deps, failed);
      return {
        status: 201,
        message: rowsLeftOut === 0 ? CREATED : `${CREATED}. ${describeLeftOut(rowsLeftOut)}`,
        data: { ...(await showFile(deps, caller, id)), rowsLeftOut },
      };
    },
  };
}

const CREATED = 'Payout file created';

function describeLeftOut(rows: number): string {
  return (
    `Left out: ${rows} of the failed rows. The operator says since that it paid them, or is being asked. The staff looks ` +
    'at them: ask the company that runs this service before you pay them again.'
  );
}
