import type { ApiOperation } from '../server/api-operation.ts';
import {
  changePayoutFileOperation,
  checkNamesOperation,
  deletePayoutFileOperation,
} from './change-payout-file.ts';
import {
  correctPayoutRowOperation,
  dropPayoutRowOperation,
  dropProblemRowsOperation,
  restorePayoutRowOperation,
} from './change-payout-rows.ts';
import { getPayoutFileOperation, listPayoutFilesOperation } from './get-payout-file.ts';
import { listPayoutRowsOperation } from './list-payout-rows.ts';
import type { PayoutFileDeps } from './payout-file-deps.ts';
import { uploadPayoutFileOperation } from './upload-payout-file.ts';

export function listPayoutFileOperations(deps: PayoutFileDeps): readonly ApiOperation[] {
  return [
    uploadPayoutFileOperation(deps),
    listPayoutFilesOperation(deps),
    getPayoutFileOperation(deps),
    changePayoutFileOperation(deps),
    deletePayoutFileOperation(deps),
    listPayoutRowsOperation(deps),
    correctPayoutRowOperation(deps),
    dropPayoutRowOperation(deps),
    restorePayoutRowOperation(deps),
    dropProblemRowsOperation(deps),
    checkNamesOperation(deps),
  ];
}
