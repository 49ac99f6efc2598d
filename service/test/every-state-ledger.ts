import assert from 'node:assert/strict';
import { randomFillSync, randomUUID } from 'node:crypto';
import type { NextStep } from '../src/domain/standing.ts';
import type { TransferState } from '../src/domain/transfer-state.ts';
import { createUuidV7Source } from '../src/domain/uuid.ts';
import { fundWallet } from '../src/ledger/fund-wallet.ts';
import { createMerchantIn } from '../src/merchants/create-merchant.ts';
import { createWallet } from '../src/merchants/create-wallet.ts';
import type { Database } from '../src/postgres/database.ts';
import { storeTransfers } from '../src/transfers/accept/store-transfers.ts';
import { moveTransfers } from '../src/transfers/move/move-transfers.ts';
import { findTransfer } from '../src/transfers/read/find-transfer.ts';
import { TEST_ACTOR } from './test-actor.ts';
import { createTestDatabase } from './test-database.ts';

const newId = createUuidV7Source(Date.now, (bytes) => randomFillSync(bytes));
const LEASE_OWNER = randomUUID();
export const FEE_MINOR = 50n;

/** Every state of a transfer, with the moves that lead to it from its stored state. */
export const WAYS = {
  scheduled: ['scheduled'],
  queued: ['queued'],
  submitting: ['queued', 'submitting'],
  submitted: ['submitting', 'submitted'],
  in_doubt: ['submitting', 'in_doubt'],
  succeeded: ['submitting', 'submitted', 'in_doubt', 'submitted', 'succeeded'],
  failed: ['submitting', 'queued', 'submitting', 'failed'],
  cancelled: ['queued', 'cancelled'],
  reversed: ['submitting', 'succeeded', 'reversed'],
} as const satisfies Partial<Record<TransferState, readonly TransferState[]>>;
export type Reached = keyof typeof WAYS;

/** A ledger with a transfer in every state, made by the code that makes real ones. */
export type Ledger = Readonly<{
  database: Database;
  bookId: string;
  walletId: string;
  otherWalletId: string;
  transferIds: Readonly<Record<Reached | 'free', string>>;
}>;

async function createLedger(database: Database): Promise<Ledger> {
  const now = (): Date => new Date();
  const feeTerms = { fixedMinor: 0n, basisPoints: 0 };
  const merchant = await database.transaction((tx) =>
    createMerchantIn(tx, { now, newId }, { actor: TEST_ACTOR, name: 'M', feeTerms }),
  );
  const bookId = merchant.books.live.id;
  const wallet = async (currency: 'ZMW' | 'NGN') =>
    (
      await createWallet(
        { database, now, newId },
        { actor: TEST_ACTOR, bookId, currency, name: 'W' },
      )
    ).id;
  const walletId = await wallet('ZMW');
  const otherWalletId = await wallet('ZMW');
  const funding = { bookId, walletId, amountMinor: 1_000_00n, fundingReference: 'bank-1' };
  assert.equal(await fundWallet({ database, now }, funding), 'funded');

  const made: Record<string, string> = {};
  for (const [state, way] of Object.entries(WAYS)) {
    made[state] = await createTransfer(database, { bookId, walletId, way, feeMinor: FEE_MINOR });
  }
  const free = { bookId, walletId, way: WAYS.reversed, feeMinor: 0n };
  const transferIds = { ...made, free: await createTransfer(database, free) };
  return {
    database,
    bookId,
    walletId,
    otherWalletId,
    transferIds: transferIds as Ledger['transferIds'],
  };
}

export async function createTransfer(
  database: Database,
  {
    bookId,
    walletId,
    way,
    feeMinor,
  }: Readonly<{
    bookId: string;
    walletId: string;
    way: readonly TransferState[];
    feeMinor: bigint;
  }>,
): Promise<string> {
  const [state = 'queued', ...moves] = way;
  const [id, at] = [newId(), new Date()];
  const transfer = {
    bookId,
    id,
    mode: 'live',
    walletId,
    reference: id,
    state,
    amountMinor: 10_00n,
    feeMinor,
    currency: 'ZMW',
    phone: '+260977433571',
    operator: 'mtn',
    country: 'zm',
    recipientName: null,
    narration: null,
    metadata: null,
    sendAt: null,
    source: 'api',
    madeBy: null,
    policyVersion: null,
    rules: [],
    approvalsNeeded: null,
    fileId: null,
    replaces: null,
    route: 'mtn-zm',
    routeAccount: null,
    operatorReference: randomUUID(),
    operatorTransactionId: null,
    failureCode: null,
    createdAt: at,
    updatedAt: at,
    completedAt: null,
    inDoubtSince: null,
    doubtKind: null,
    doubtMs: null,
    sinceDoubtMs: null,
    sincePendingMs: null,
    sinceSubmissionMs: null,
    resubmissions: 0,
    recalls: 0,
    throttled: false,
    eventSeq: 1,
    lastCheckedAt: null,
    nextActionAt: null,
    checks: 0,
    notFoundAnswers: 0,
    unconfirmedSuccesses: 0,
    contradictions: [],
  } as const;
  const accepted = [
    {
      transfer,
      idempotencyKey: null,
      nextActionInMs: 60_000,
      actor: 'test',
      controlsVersion: null,
      screens: [],
      expiresAfterMs: null,
    },
  ];
  assert.ok(await storeTransfers(database, { accepted, leaseOwner: LEASE_OWNER, at }));
  for (const to of moves) {
    const current = await findTransfer(database, { bookId, mode: 'live', id });
    assert.ok(current !== undefined);
    const move = { transfer: current, step: stepTo(to), actor: 'test', needsLease: false };
    const group = { moves: [{ ...move, leaseFor: null }], mover: LEASE_OWNER, at };
    assert.deepEqual(await moveTransfers(database, group), [true]);
  }
  return id;
}

function stepTo(to: TransferState): NextStep {
  const failure = to === 'failed' ? 'OPERATOR_REJECTED' : to === 'cancelled' ? 'CANCELLED' : null;
  return {
    to,
    cause: 'test',
    failure,
    operatorTransactionId: null,
    nextActionInMs: null,
    checks: 0,
    notFoundAnswers: 0,
    needsPerson: false,
  };
}

export async function withLedger(work: (ledger: Ledger) => Promise<void>): Promise<void> {
  const test = await createTestDatabase();
  try {
    await work(await createLedger(test.database));
  } finally {
    await test.drop();
  }
}
