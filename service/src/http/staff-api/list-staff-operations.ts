import type { StaffOperation } from '../server/api-operation.ts';
import { cancelAnyTransferOperation } from './cancel-transfer.ts';
import { createStaffWalletOperation, setFeesOperation } from './change-book.ts';
import { walletOperations } from './change-wallet.ts';
import { createMerchantOperation } from './create-merchant.ts';
import { createRouteDescriber } from './describe-routes.ts';
import { listFailingWebhooksOperation, replayFailedOperation } from './failing-webhooks.ts';
import { fundWalletOperation } from './fund-wallet.ts';
import { getOverviewOperation } from './get-overview.ts';
import { getAnyTransferOperation } from './get-transfer.ts';
import { inquireOperation } from './inquire.ts';
import { issueKeyOperation, revokeKeyOperation } from './issue-key.ts';
import { listAuditOperation } from './list-audit.ts';
import { listDoubtsOperation } from './list-doubts.ts';
import { explainFloatOperation, listFloatsOperation } from './list-floats.ts';
import { closeIncidentOperation, listIncidentsOperation } from './list-incidents.ts';
import { getMerchantOperation, listMerchantsOperation } from './list-merchants.ts';
import { listRoutesOperation, routeOperations } from './list-routes.ts';
import { listAllTransfersOperation } from './list-transfers.ts';
import { resolveTransferOperation, withdrawResolutionOperation } from './resolve-transfer.ts';
import { revealPhoneOperation } from './reveal-phone.ts';
import { searchAllTransfersOperation } from './search-transfers.ts';
import type { StaffDeps } from './staff-deps.ts';
import { resumeMerchantOperation, suspendMerchantOperation } from './suspend-merchant.ts';
import { listTakeBacksOperation, takeBackFundingOperation } from './take-back.ts';

/** The operations of the staff about books, routes and what was done. */
export function listStaffOperations(deps: StaffDeps): readonly StaffOperation[] {
  const describeRoutes = createRouteDescriber(deps);
  return [
    getOverviewOperation(deps, describeRoutes),
    listAllTransfersOperation(deps),
    searchAllTransfersOperation(deps),
    getAnyTransferOperation(deps),
    revealPhoneOperation(deps),
    listDoubtsOperation(deps),
    inquireOperation(deps),
    resolveTransferOperation(deps),
    withdrawResolutionOperation(deps),
    cancelAnyTransferOperation(deps),
    listIncidentsOperation(deps),
    closeIncidentOperation(deps),
    listMerchantsOperation(deps),
    getMerchantOperation(deps),
    createMerchantOperation(deps),
    suspendMerchantOperation(deps),
    resumeMerchantOperation(deps),
    setFeesOperation(deps),
    createStaffWalletOperation(deps),
    ...walletOperations(deps),
    fundWalletOperation(deps),
    takeBackFundingOperation(deps),
    listTakeBacksOperation(deps),
    issueKeyOperation(deps),
    revokeKeyOperation(deps),
    listRoutesOperation(describeRoutes),
    ...routeOperations(deps),
    listFloatsOperation(deps),
    explainFloatOperation(deps),
    listFailingWebhooksOperation(deps),
    replayFailedOperation(deps),
    listAuditOperation(deps),
  ];
}
