import type { ApiOperation, PeopleOperation } from '../server/api-operation.ts';
import { cancelFileOperation } from './cancel-file.ts';
import { approveFileOperation, rejectFileOperation } from './decide-file.ts';
import type { FileLifeDeps } from './file-life-deps.ts';
import { getResultsOperation } from './get-results.ts';
import { retryFailedRowsOperation } from './retry-failed-rows.ts';
import { submitFileOperation } from './submit-file.ts';

/** What becomes of a payout file once it is checked. */
export function listFileLifeOperations(deps: FileLifeDeps): readonly ApiOperation[] {
  return [
    submitFileOperation(deps),
    cancelFileOperation(deps),
    getResultsOperation(deps),
    retryFailedRowsOperation(deps),
  ];
}

/** Decisions about a file are made by people alone. */
export function listFileDecisionOperations(deps: FileLifeDeps): readonly PeopleOperation[] {
  return [approveFileOperation(deps), rejectFileOperation(deps)];
}
