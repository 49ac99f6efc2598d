import { cancelFile } from '../../payout-files/cancel-file.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { PayoutFileObject } from '../schemas/payout-file-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import type { FileLifeDeps } from './file-life-deps.ts';
import { readFileId, showFile } from './read-file-path.ts';

export function cancelFileOperation(deps: FileLifeDeps): ApiOperation {
  return {
    method: 'POST',
    path: '/payout-files/:id/cancel',
    operationId: 'cancelPayoutFile',
    tag: 'Payout files',
    scope: 'transfers:write',
    permission: 'payouts:write',
    summary: 'Cancel a payout file',
    description:
      'Of a submitted file that is not done. Rows that have not had their turn are not paid, and transfers that have ' +
      'not left are cancelled; what has left stays as it is. Its maker recalls a file that awaits approval in this way.',
    schema: { params: idParameter('payout file'), data: { 200: PayoutFileObject } },
    async handle({ caller, params }) {
      const id = readFileId(params);
      await cancelFile(deps, { book: caller.book, actor: caller.actor, id });
      deps.wake();
      return {
        status: 200,
        message: 'Payout file cancelled',
        data: await showFile(deps, caller, id),
      };
    },
  };
}
