import type { FeedKeeper } from '../events/feed-keeper.ts';
import type { OverviewReader } from '../overview/overview-reader.ts';
import type { Queryable } from '../postgres/database.ts';
import type { PreflightDeps } from '../preflight/preflight-transfer.ts';
import type { CreateRecipientDeps } from '../recipients/create-recipient.ts';
import type { InitiateDeps } from '../transfers/accept/initiate-transfer.ts';
import type { CancelAndRecordDeps } from '../transfers/move/cancel-and-record.ts';
import type { ApprovalApiDeps } from './approval-api/approval-api-deps.ts';
import { decideApprovalsOperation } from './approval-api/decide-approvals.ts';
import {
  approveTransferOperation,
  recallTransferOperation,
  rejectTransferOperation,
} from './approval-api/decide-transfer.ts';
import { listApprovalsOperation } from './approval-api/list-approvals.ts';
import { getEventOperation } from './event-api/get-event.ts';
import { listLatestEventsOperation } from './event-api/list-latest-events.ts';
import type { Operations } from './guard-operations.ts';
import { confirmKeyOperation } from './key-api/confirm-key.ts';
import { createKeyOperation, type KeyApiDeps } from './key-api/create-key.ts';
import { listKeysOperation } from './key-api/list-keys.ts';
import { revokeKeyOperation } from './key-api/revoke-key.ts';
import { type ControlApiDeps, listControlOperations } from './list-control-operations.ts';
import { cancelTransferOperation } from './merchant-api/cancel-transfer.ts';
import { createRecipientOperation } from './merchant-api/create-recipient.ts';
import { createWebhookOperation, type WebhookDeps } from './merchant-api/create-webhook.ts';
import { deleteWebhookOperation } from './merchant-api/delete-webhook.ts';
import { getOverviewOperation } from './merchant-api/get-overview.ts';
import { getRecipientOperation } from './merchant-api/get-recipient.ts';
import {
  getTransferByReferenceOperation,
  getTransferOperation,
} from './merchant-api/get-transfer.ts';
import { getTransferHistoryOperation } from './merchant-api/get-transfer-history.ts';
import { getTransferTimelineOperation } from './merchant-api/get-transfer-timeline.ts';
import { getWalletOperation } from './merchant-api/get-wallet.ts';
import { getWebhookOperation } from './merchant-api/get-webhook.ts';
import { initiateBulkOperation } from './merchant-api/initiate-bulk.ts';
import { initiateTransferOperation } from './merchant-api/initiate-transfer.ts';
import { listDeliveriesOperation } from './merchant-api/list-deliveries.ts';
import { listEventsOperation } from './merchant-api/list-events.ts';
import { listOperatorsOperation } from './merchant-api/list-operators.ts';
import { listPostingsOperation } from './merchant-api/list-postings.ts';
import { listRecipientsOperation } from './merchant-api/list-recipients.ts';
import { listTransfersOperation } from './merchant-api/list-transfers.ts';
import { listWalletsOperation } from './merchant-api/list-wallets.ts';
import { listWebhooksOperation } from './merchant-api/list-webhooks.ts';
import { preflightTransferOperation } from './merchant-api/preflight-transfer.ts';
import {
  replayDeliveriesOperation,
  replayDeliveryOperation,
} from './merchant-api/replay-delivery.ts';
import { resolveAccountOperation } from './merchant-api/resolve-account.ts';
import { rotateWebhookSecretOperation } from './merchant-api/rotate-webhook-secret.ts';
import { searchOperation } from './merchant-api/search.ts';
import { testWebhookOperation } from './merchant-api/test-webhook.ts';
import { updateWebhookOperation } from './merchant-api/update-webhook.ts';
import type { FileLifeDeps } from './payout-file-api/file-life-deps.ts';
import {
  listFileDecisionOperations,
  listFileLifeOperations,
} from './payout-file-api/list-file-life-operations.ts';
import { listPayoutFileOperations } from './payout-file-api/list-payout-file-operations.ts';
import type { PayoutFileDeps } from './payout-file-api/payout-file-deps.ts';
import { getPolicyOperation } from './policy-api/get-policy.ts';
import { listPolicyOperations, type PolicyApiDeps } from './policy-api/list-policy-operations.ts';
import { listScheduleOperations } from './schedule-api/list-schedule-operations.ts';
import type { ScheduleApiDeps } from './schedule-api/schedule-api-deps.ts';
import type { ApiOperation, PeopleOperation } from './server/api-operation.ts';
import type { ChangeHub } from './stream-api/change-hub.ts';
import { streamBookOperation } from './stream-api/stream-changes.ts';
import { changeViewOperation, deleteViewOperation } from './view-api/change-view.ts';
import { listViewsOperation } from './view-api/list-views.ts';
import { saveViewOperation } from './view-api/save-view.ts';

/** What the operations of the books of one cell work with. */
export type BookApiDeps = Readonly<{
  webhooks: WebhookDeps;
  initiate: InitiateDeps;
  cancel: CancelAndRecordDeps;
  fileLife: FileLifeDeps;
  recipients: CreateRecipientDeps;
  preflight: PreflightDeps;
  payoutFiles: PayoutFileDeps;
  overview: OverviewReader;
  now: () => Date;
  feed: Pick<FeedKeeper, 'catchUp'>;
  approvals: ApprovalApiDeps;
  /** Keys and saved views. */
  keys: KeyApiDeps;
  changes: ChangeHub;
  policy: PolicyApiDeps;
  /** Schedules and the calendar. */
  schedules: ScheduleApiDeps;
  /** For operations that only read. */
  database: Queryable;
  /** For what is not in the cell, such as floats of routes. */
  directory: Queryable;
  /** Lists, screeners and limits. */
  controls: ControlApiDeps;
}>;

/** The operations of books. Every cell has the same ones, in the same order, with handlers of its own. */
export type BookOperations = Pick<Operations, 'book' | 'bookPeople'>;

export function listBookOperations(deps: BookApiDeps): BookOperations {
  const controls = listControlOperations(deps.controls, deps);
  return {
    book: [...listKeyOperations(deps), ...controls.book],
    bookPeople: [...listPeopleOperations(deps), ...controls.bookPeople],
  };
}

function listPeopleOperations(deps: BookApiDeps): readonly PeopleOperation[] {
  const { database, directory, feed, now, overview, keys, changes } = deps;
  return [
    getTransferTimelineOperation({ database, directory, now }),
    searchOperation({ database, now }),
    getOverviewOperation({ overview }),
    listApprovalsOperation(deps.approvals),
    approveTransferOperation(deps.approvals),
    rejectTransferOperation(deps.approvals),
    decideApprovalsOperation(deps.approvals),
    listKeysOperation(keys),
    createKeyOperation(keys),
    confirmKeyOperation(keys),
    revokeKeyOperation(keys),
    listViewsOperation(keys),
    saveViewOperation(keys),
    changeViewOperation(keys),
    deleteViewOperation(keys),
    listLatestEventsOperation({ database, feed }),
    getEventOperation({ database }),
    ...listFileDecisionOperations(deps.fileLife),
    streamBookOperation(changes),
    ...listPolicyOperations(deps.policy),
  ];
}

function listKeyOperations(deps: BookApiDeps): readonly ApiOperation[] {
  const { database, feed } = deps;
  const { routes } = deps.initiate;
  return [
    initiateTransferOperation(deps.initiate),
    initiateBulkOperation(deps.initiate),
    preflightTransferOperation(deps.preflight),
    getTransferOperation({ database }),
    getTransferByReferenceOperation({ database }),
    listTransfersOperation({ database }),
    getTransferHistoryOperation({ database }),
    cancelTransferOperation(deps.cancel),
    recallTransferOperation(deps.approvals),
    ...listPayoutFileOperations(deps.payoutFiles),
    createRecipientOperation(deps.recipients),
    listRecipientsOperation({ database }),
    getRecipientOperation({ database }),
    resolveAccountOperation(deps.recipients),
    listWalletsOperation({ database }),
    getWalletOperation({ database }),
    listPostingsOperation({ database }),
    listOperatorsOperation({ routes }),
    createWebhookOperation(deps.webhooks),
    listWebhooksOperation(deps.webhooks),
    getWebhookOperation(deps.webhooks),
    updateWebhookOperation(deps.webhooks),
    deleteWebhookOperation(deps.webhooks),
    rotateWebhookSecretOperation(deps.webhooks),
    testWebhookOperation(deps.webhooks),
    listDeliveriesOperation({ database, feed }),
    replayDeliveriesOperation(deps.webhooks),
    replayDeliveryOperation(deps.webhooks),
    listEventsOperation({ database, feed }),
    ...listFileLifeOperations(deps.fileLife),
    getPolicyOperation({ database }),
    ...listScheduleOperations(deps.schedules),
  ];
}
