import type { RecordedEvent } from '../events/recorded-event.ts';
import { renderTransfer } from './render-transfer.ts';

/** An id that no transfer has: a receiver that looks it up finds nothing. */
const NO_TRANSFER = '00000000-0000-4000-8000-000000000000';
const NO_WALLET = '00000000-0000-4000-8000-000000000001';

/** The content of a test event: an invented transfer, typical enough to test a receiver. */
export function renderTestSubject({ bookId, mode, createdAt }: RecordedEvent): object {
  return renderTransfer({
    bookId,
    id: NO_TRANSFER,
    mode,
    walletId: NO_WALLET,
    reference: 'webhook-test',
    state: 'succeeded',
    amountMinor: 25_50n,
    feeMinor: 0n,
    currency: 'ZMW',
    phone: '+260977433571',
    operator: 'mtn',
    country: 'zm',
    recipientName: 'Chanda Banda',
    narration: 'A test of your webhook: nobody was paid',
    metadata: null,
    sendAt: null,
    source: 'api',
    policyVersion: null,
    rules: [],
    approvalsNeeded: null,
    fileId: null,
    replaces: null,
    operatorTransactionId: 'test',
    failureCode: null,
    createdAt,
    updatedAt: createdAt,
    completedAt: createdAt,
    inDoubtSince: null,
    lastCheckedAt: null,
    nextActionAt: null,
  });
}
