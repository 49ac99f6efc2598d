import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { claimDue } from '../../../test/claim-due.ts';
import { scriptRoute } from '../../../test/fake-route.ts';
import { openStandbyServer, type StandbyServer } from '../../../test/standby-server.ts';
import { prepareTransfer, storeTestTransfer } from '../../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../../test/test-book.ts';
import { createControlSnapshots } from '../../controls/control-snapshots.ts';
import type { Book } from '../../domain/book.ts';
import type { Transfer } from '../../domain/transfer.ts';
import { isFaultOfOneCommand } from '../../postgres/bad-command.ts';
import { createCommitQueue } from '../../postgres/commit-queue.ts';
import { OutcomeUnknown } from '../../postgres/database.ts';
import { storeCallbacks } from '../callbacks/store-callbacks.ts';
import { expireLeases } from '../move/claim-due.ts';
import { firstBook } from '../move/claim-walk.ts';
import { moveTransfers } from '../move/move-transfers.ts';
import { commitTransfers } from './commit-transfers.ts';
import type { AcceptResult } from './decide-in-order.ts';
import { initiateTransfer } from './initiate-transfer.ts';
import { FROM_KEY, type PreparedTransfer } from './prepared-transfer.ts';

let server: StandbyServer;
let book: Book;
let walletId: string;
let sent: Transfer;
const leaseOwner = randomUUID();
const now = () => new Date();

before(async () => {
  server = await openStandbyServer();
  book = await createTestBook(server.database);
  walletId = await createTestWallet(server.database, { bookId: book.id, fundedMinor: 1_000n });
  sent = await storeTestTransfer(server.database, { book, walletId, leaseOwner });
  await server.demandStandby();
});
after(() => server.close());

/** Runs the work, cancels its wait for the standby, and expects an unknown outcome. */
async function rejectsWhenCancelled(work: () => Promise<unknown>): Promise<void> {
  const outcome = assert.rejects(work, OutcomeUnknown);
  await server.query(`select pg_cancel_backend(${await server.untilCommitWaits()})`);
  await outcome;
}

/** Initiates through real groups; resolves to what was sent. */
function createInitiation() {
  const dispatched: Transfer[] = [];
  const controls = createControlSnapshots(server);
  const groups = createCommitQueue<PreparedTransfer, AcceptResult>({
    ownerOf: (prepared) => prepared.book.id,
    concurrency: 1,
    groupMax: 10,
    waitingMax: 10,
    commit: (group) => commitTransfers({ ...server, leaseOwner, now, controls }, group),
    mayBeOneCommandsFault: isFaultOfOneCommand,
    monotonicMs: () => performance.now(),
  });
  const { routes, limiter } = scriptRoute({ slotsMax: 10 });
  const deps = {
    database: server.database,
    groups,
    controls: { find: () => null, findCurrent: () => Promise.resolve(null) },
    matchName: () => Promise.resolve(null),
    routes,
    dispatch: (transfer: Transfer) => void dispatched.push(transfer),
    newId: randomUUID,
    newOperatorReference: randomUUID,
    now,
    monotonicMs: () => performance.now(),
  };
  const { command } = prepareTransfer(book, { walletId });
  const pay = () => initiateTransfer(deps, { book, actor: 'test', origin: FROM_KEY, command });
  return { pay, dispatched, limiter, reference: command.reference };
}

describe('a commit that may be missing on the standby', () => {
  it('is not answered with 201: the transfer is not sent, is inquired about later, and never submitted', async () => {
    const { pay, dispatched, limiter, reference } = createInitiation();
    await rejectsWhenCancelled(pay);
    assert.deepEqual(dispatched, []);
    assert.equal(limiter.used(), 0, 'its slot is released');
    // Its process never sends it. The test ends the lease.
    await rejectsWhenCancelled(() => expireLeases(server.database));
    const [row] = await server.database.query<{ state: string; route: string }>(
      { name: '', text: 'select state, route from transfers where reference = $1' },
      [reference],
    );
    assert.equal(row?.state, 'submitting');
    const claim = { route: row.route, leaseOwner, afterBook: firstBook(), max: 10 };
    const submissions = await claimDue(server.database, { ...claim, due: 'submission' });
    assert.deepEqual(submissions.transfers, []);
    await rejectsWhenCancelled(() => claimDue(server.database, { ...claim, due: 'inquiry' }));
  });

  it('is not a recorded outcome', async () => {
    const step = {
      to: 'submitted',
      cause: 'test',
      failure: null,
      operatorTransactionId: null,
      nextActionInMs: 1_000,
      checks: 0,
      notFoundAnswers: 0,
      needsPerson: false,
    } as const;
    const move = { transfer: sent, step, actor: 'test', needsLease: false, leaseFor: null };
    await rejectsWhenCancelled(() =>
      moveTransfers(server.database, { moves: [move], mover: leaseOwner, at: now() }),
    );
  });

  it('is not a stored callback', async () => {
    const callback = {
      id: randomUUID(),
      route: 'mtn',
      method: 'POST',
      headers: {},
      body: Buffer.from('{}'),
      reading: 'unreadable',
      cause: 'test',
      operatorReference: null,
      claims: null,
      verified: false,
      reported: null,
      receivedAt: now(),
    } as const;
    await rejectsWhenCancelled(() => storeCallbacks(server.database, [callback]));
  });
});
