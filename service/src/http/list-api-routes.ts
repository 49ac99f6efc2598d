import type { Queryable } from '../postgres/database.ts';
import type { CreateRecipientDeps } from '../recipients/create-recipient.ts';
import type { CancelDeps } from '../transfers/cancel-transfer.ts';
import type { InitiateDeps } from '../transfers/initiate-transfer.ts';
import type { ApiRoute } from './api-route.ts';
import { cancelTransferRoute } from './merchant-api/cancel-transfer.ts';
import { createRecipientRoute } from './merchant-api/create-recipient.ts';
import { getRecipientRoute } from './merchant-api/get-recipient.ts';
import { getTransferByReferenceRoute, getTransferRoute } from './merchant-api/get-transfer.ts';
import { getTransferHistoryRoute } from './merchant-api/get-transfer-history.ts';
import { getWalletRoute } from './merchant-api/get-wallet.ts';
import { initiateBulkRoute } from './merchant-api/initiate-bulk.ts';
import { initiateTransferRoute } from './merchant-api/initiate-transfer.ts';
import { listOperatorsRoute } from './merchant-api/list-operators.ts';
import { listPostingsRoute } from './merchant-api/list-postings.ts';
import { listRecipientsRoute } from './merchant-api/list-recipients.ts';
import { listTransfersRoute } from './merchant-api/list-transfers.ts';
import { listWalletsRoute } from './merchant-api/list-wallets.ts';
import { resolveAccountRoute } from './merchant-api/resolve-account.ts';

export type ApiDeps = Readonly<{
  initiate: InitiateDeps;
  cancel: CancelDeps;
  recipients: CreateRecipientDeps;
  /** For everything that only reads. */
  database: Queryable;
}>;

/** Every operation of the merchant API, in the order of the documentation. */
export function listApiRoutes(deps: ApiDeps): readonly ApiRoute[] {
  const { database } = deps;
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
    resolveAccountRoute({ routes }),
    listWalletsRoute({ database }),
    getWalletRoute({ database }),
    listPostingsRoute({ database }),
    listOperatorsRoute({ routes }),
  ];
}
