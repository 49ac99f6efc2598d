import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { scriptRoute } from '../../../test/fake-route.ts';
import { newTestId } from '../../../test/stored-doubt.ts';
import { storeTestTransfer } from '../../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import type { DoubtKind } from '../../domain/doubt-kind.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { Transfer } from '../../domain/transfer.ts';
import { createCommitQueue } from '../../postgres/commit-queue.ts';
import { type Move, moveTransfers } from '../move/move-transfers.ts';
import {
  type AnswerToRecord,
  recordOutcome,
  recordWithoutInquiry,
} from '../move/record-outcome.ts';
import { findTransfer } from './find-transfer.ts';

const ROUTE = 'mtn-zm';
const LOST: Outcome = { kind: 'unknown', cause: 'the connection was reset' };
const SILENCE: Outcome = { kind: 'unanswered', cause: 'timeout', retryInMs: null };
const DUPLICATE: Outcome = { kind: 'unknown', cause: 'duplicate', isDuplicate: true };

let test: TestDatabase;
let leaseOwner: string;
before(async () => {
  test = await createTestDatabase();
  leaseOwner = randomUUID();
});
after(() => test.drop());

type Heard = Readonly<{
  outcome: Outcome;
  purpose?: AnswerToRecord['purpose'];
  httpStatus?: number;
  account?: string;
  inquires?: boolean;
}>;

function open(inquires = true) {
  const moves = createCommitQueue<Move, boolean>({
    ownerOf: ({ transfer }) => transfer.bookId,
    concurrency: 1,
    groupMax: 10,
    waitingMax: 10,
    commit: (group) =>
      moveTransfers(test.database, { moves: group, mover: leaseOwner, at: new Date() }),
    mayBeOneCommandsFault: () => false,
    monotonicMs: () => performance.now(),
  });
  const [route] = scriptRoute({ name: ROUTE, abilities: { inquires } }).routes.all();
  assert.ok(route !== undefined);
  const deps = { database: test.database, moves, now: () => new Date(), newId: newTestId };
  return { deps, route };
}

/** Records an answer about the transfer under a lease of this process, and reads what is stored. */
async function hear(transfer: Transfer, heard: Heard) {
  const { outcome, purpose = 'inquire', httpStatus = null, account = null, inquires } = heard;
  const { deps, route } = open(inquires);
  const lease = `lease_owner = '${leaseOwner}', next_action_at = now() + interval '1 minute'`;
  await change(transfer, lease);
  const wire = { request: 'GET /', httpStatus, answer: '', elapsedMs: 1 };
  const answer = { transfer: await read(transfer), route, account, purpose };
  const reply = { outcome, wire };
  const recorded = await recordOutcome(deps, { ...answer, reply, attemptId: newTestId() });
  assert.equal(recorded.kind, 'recorded');
  const now = await read(transfer);
  assert.equal(recorded.kind === 'recorded' && recorded.doubt, now.doubtKind, 'and it is reported');
  return now;
}

async function change({ id }: Transfer, assignments: string): Promise<void> {
  const text = `update transfers set ${assignments} where id = $1`;
  await test.database.query({ name: '', text }, [id]);
}

async function read(transfer: Transfer): Promise<Transfer> {
  return (await findTransfer(test.database, transfer)) ?? assert.fail();
}

async function send(): Promise<Transfer> {
  const book = await createTestBook(test.database, { mode: 'live' });
  const walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 1_000n });
  return storeTestTransfer(test.database, { book, leaseOwner, walletId, route: ROUTE });
}

async function kindAfter(...answers: readonly Heard[]): Promise<DoubtKind | null> {
  let transfer = await send();
  for (const answer of answers) transfer = await hear(transfer, answer);
  return transfer.doubtKind;
}

const SUBMIT = { purpose: 'submit' } as const;
const SENT_AND_LOST: Heard = { ...SUBMIT, outcome: LOST };

describe('the kind of a doubt is kept', () => {
  it('after a submission', async () => {
    assert.equal(await kindAfter(SENT_AND_LOST), 'SUBMISSION_LOST');
    assert.equal(await kindAfter({ ...SENT_AND_LOST, httpStatus: 200 }), 'UNREADABLE_ANSWER');
    assert.equal(await kindAfter({ ...SENT_AND_LOST, inquires: false }), 'INQUIRY_IMPOSSIBLE');
    const throttled: Outcome = { kind: 'throttled', cause: '429', retryInMs: null };
    assert.equal(await kindAfter({ ...SUBMIT, outcome: throttled }), 'SUBMISSION_THROTTLED');
    const mismatched: Outcome = { kind: 'mismatched', contradicted: ['amount'], cause: 'other' };
    assert.equal(await kindAfter({ ...SUBMIT, outcome: mismatched }), 'CONTRADICTED');
  });

  it('after another process took over a submission', async () => {
    assert.equal(await kindAfter({ outcome: SILENCE }), 'SUBMISSION_INTERRUPTED');
    const transfer = await send();
    const { deps, route } = open(false);
    await recordWithoutInquiry(deps, { transfer, route });
    assert.equal((await read(transfer)).doubtKind, 'INQUIRY_IMPOSSIBLE');
  });

  it('as of the latest answer', async () => {
    const notFound: Heard = { outcome: { kind: 'notFound' } };
    assert.equal(await kindAfter(SENT_AND_LOST, notFound), 'NOT_FOUND');
    assert.equal(await kindAfter(SENT_AND_LOST, notFound, { outcome: SILENCE }), 'OPERATOR_SILENT');
    const again: Heard = { purpose: 'resubmit', outcome: DUPLICATE, httpStatus: 409 };
    assert.equal(await kindAfter(SENT_AND_LOST, notFound, again), 'RESUBMISSION_KNOWN');
  });

  it('after a duplicate, with any later answer', async () => {
    const duplicate: Heard = { ...SUBMIT, outcome: DUPLICATE, httpStatus: 409 };
    assert.equal(await kindAfter(duplicate), 'DUPLICATE_REFERENCE');
    const paid: Outcome = { kind: 'paid', operatorTransactionId: null, confirmed: [] };
    const heard: Heard = { outcome: paid, httpStatus: 200 };
    assert.equal(await kindAfter(duplicate, heard), 'DUPLICATE_REFERENCE');
    assert.equal(await kindAfter(duplicate, { outcome: SILENCE }), 'DUPLICATE_REFERENCE');
  });

  it('after the route changed its account', async () => {
    let transfer = await hear(await send(), SENT_AND_LOST);
    await change(transfer, `route_account = 'the first'`);
    transfer = await hear(transfer, { outcome: { kind: 'notFound' }, account: 'the second' });
    assert.equal(transfer.doubtKind, 'ACCOUNT_CHANGED');
  });

  it('until the doubt ends', async () => {
    const pending: Heard = { outcome: { kind: 'pending', inquireInMs: 1_000 } };
    const submitted = await hear(await hear(await send(), SENT_AND_LOST), pending);
    assert.equal(submitted.state, 'submitted');
    const text = 'select doubt_kind from transfers where id = $1';
    const [row] = await test.database.query<{ doubt_kind: string | null }>({ name: '', text }, [
      submitted.id,
    ]);
    assert.equal(row?.doubt_kind, null);
  });
});
