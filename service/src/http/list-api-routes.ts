import type { FeedKeeper } from '../events/feed-keeper.ts';
import type { Queryable } from '../postgres/database.ts';
import type { CreateRecipientDeps } from '../recipients/create-recipient.ts';
import type { CancelDeps } from '../transfers/cancel-transfer.ts';
import type { InitiateDeps } from '../transfers/initiate-transfer.ts';
import type { ApiRoute } from './api-route.ts';
import { cancelTransferRoute } from './merchant-api/cancel-transfer.ts';
import { createRecipientRoute } from './merchant-api/create-recipient.ts';
import { createWebhookRoute, type WebhookDeps } from './merchant-api/create-webhook.ts';
import { deleteWebhookRoute } from './merchant-api/delete-webhook.ts';
import { getRecipientRoute } from './merchant-api/get-recipient.ts';
import { getTransferByReferenceRoute, getTransferRoute } from './merchant-api/get-transfer.ts';
import { getTransferHistoryRoute } from './merchant-api/get-transfer-history.ts';
import { getWalletRoute } from './merchant-api/get-wallet.ts';
import { getWebhookRoute } from './merchant-api/get-webhook.ts';
import { initiateBulkRoute } from './merchant-api/initiate-bulk.ts';
import { initiateTransferRoute } from './merchant-api/initiate-transfer.ts';
import { listDeliveriesRoute } from './merchant-api/list-deliveries.ts';
import { listEventsRoute } from './merchant-api/list-events.ts';
import { listOperatorsRoute } from './merchant-api/list-operators.ts';
import { listPostingsRoute } from './merchant-api/list-postings.ts';
import { listRecipientsRoute } from './merchant-api/list-recipients.ts';
import { listTransfersRoute } from './merchant-api/list-transfers.ts';
import { listWalletsRoute } from './merchant-api/list-wallets.ts';
import { listWebhooksRoute } from './merchant-api/list-webhooks.ts';
import { replayDeliveriesRoute, replayDeliveryRoute } from './merchant-api/replay-delivery.ts';
import { resolveAccountRoute } from './merchant-api/resolve-account.ts';
import { rotateWebhookSecretRoute } from './merchant-api/rotate-webhook-secret.ts';
import { testWebhookRoute } from './merchant-api/test-webhook.ts';
import { updateWebhookRoute } from './merchant-api/update-webhook.ts';

export type ApiDeps = Readonly<{
  webhooks: WebhookDeps;
  initiate: InitiateDeps;
  cancel: CancelDeps;
  recipients: CreateRecipientDeps;
  feed: Pick<FeedKeeper, 'catchUp'>;
  /** For everything that only reads. */
  database: Queryable;
}>;

/** Every operation of the merchant API, in the order of the documentation. */
export function listApiRoutes(deps: ApiDeps): readonly ApiRoute[] {
  const { database, feed } = deps;
  const { routes } = deps.initiate;
  return [
    initiateTransferRoute(deps.initiate),
    initiateBulkRoute(deps.initiate),
    getTransferRoute({ database }),
    getTransferByReferenceRoute({ database }),
    listTransfersRoute({ database }),
    getTransferHistoryRoute({ database }),
    cancelTransferRoute(deps.cancel),
    createRecipientRoute(deps.recipients),
    listRecipientsRoute({ database }),
    getRecipientRoute({ database }),
    resolveAccountRoute(deps.recipients),
    listWalletsRoute({ database }),
    getWalletRoute({ database }),
    listPostingsRoute({ database }),
    listOperatorsRoute({ routes }),
    createWebhookRoute(deps.webhooks),
    listWebhooksRoute(deps.webhooks),
    getWebhookRoute(deps.webhooks),
    updateWebhookRoute(deps.webhooks),
    deleteWebhookRoute(deps.webhooks),
    rotateWebhookSecretRoute(deps.webhooks),
    testWebhookRoute(deps.webhooks),
    listDeliveriesRoute({ database, feed }),
    replayDeliveriesRoute(deps.webhooks),
    replayDeliveryRoute(deps.webhooks),
    listEventsRoute({ database, feed }),
  ];
}
