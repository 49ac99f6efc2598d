import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, it } from 'node:test';
import { claimDue } from '../../test/claim-due.ts';
import { scriptRoute, scriptRoutes } from '../../test/fake-route.ts';
import { pollUntil } from '../../test/poll.ts';
import { storeTestTransfer } from '../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import type { Book } from '../domain/book.ts';
import { NO_ROUTE, type Transfer } from '../domain/transfer.ts';
import type { Routes } from '../operators/routes/route.ts';
import { createCommitQueue } from '../postgres/commit-queue.ts';
import { createLogger } from '../telemetry/logger.ts';
import { claimScheduled } from '../transfers/move/claim-due.ts';
import { firstBook } from '../transfers/move/claim-walk.ts';
import { type Move, moveTransfers } from '../transfers/move/move-transfers.ts';
import { reassignRemovedRoutes } from '../transfers/move/reassign-removed-routes.ts';
import { findTransfer } from '../transfers/read/find-transfer.ts';
import { createScheduleScanner } from './schedule-scanner.ts';

let test: TestDatabase;
let book: Book;
let walletId: string;
before(async () => {
  test = await createTestDatabase();
});
beforeEach(async () => {
  book = await createTestBook(test.database, { mode: 'live' });
  walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 100_000n });
});
after(() => test.drop());

const store = (sendAt = new Date()) =>
  storeTestTransfer(test.database, {
    book,
    walletId,
    leaseOwner: randomUUID(),
    reserved: false,
    sendAt,
  });

async function read(transfer: Transfer): Promise<Transfer> {
  const found = await findTransfer(test.database, transfer);
  assert.ok(found !== undefined);
  return found;
}

const move = (moves: readonly Move[]) =>
  moveTransfers(test.database, { moves, mover: randomUUID(), at: new Date() });

/** Runs a scanner until the transfer has left its schedule. */
async function scan(routes: Routes, transfer: Transfer): Promise<Transfer> {
  const scanner = createScheduleScanner({
    database: test.database,
    moves: createCommitQueue<Move, boolean>({
      ownerOf: (one) => one.transfer.bookId,
      concurrency: 1,
      groupMax: 100,
      waitingMax: 1_000,
      commit: move,
      mayBeOneCommandsFault: () => false,
      monotonicMs: () => performance.now(),
    }),
    routes,
    leaseOwner: randomUUID(),
    logger: createLogger({ level: 'silent' }),
  });
  scanner.start();
  await pollUntil(
    'the end of its schedule',
    async () => (await read(transfer)).state !== 'scheduled',
  );
  await scanner.stop();
  return read(transfer);
}

it('chooses the route when the time has come, not when the transfer is ordered', async () => {
  const transfer = await store();
  assert.deepEqual([transfer.state, transfer.route], ['scheduled', NO_ROUTE]);
  const queued = await scan(scriptRoute({ name: 'added-since' }).routes, transfer);
  assert.deepEqual([queued.state, queued.route], ['queued', 'added-since']);
});

it('waits for a route that a person holds, which may have paid it before a restore', async () => {
  const { routes } = scriptRoutes([{ name: 'open' }, { name: 'held', isHeld: () => true }]);
  const queued = await scan(routes, await store());
  assert.deepEqual([queued.state, queued.route], ['queued', 'held']);
});

it('queues a transfer whose routes are all gone, and it takes the first that comes', async () => {
  const transfer = await store();
  const routes = { ...scriptRoute({}).routes, list: () => [] };
  assert.equal((await scan(routes, transfer)).route, NO_ROUTE);
  const { operator, country } = transfer;
  const known = { routes: ['new'], replacements: [{ operator, country, route: 'new' }] };
  assert.deepEqual(await reassignRemovedRoutes(test.database, known), []);
  const { state, route } = await read(transfer);
  assert.deepEqual([state, route], ['queued', 'new']);
});

it('leaves alone what a paused process claimed and another has queued since', async () => {
  const transfer = await store();
  const claim = { leaseOwner: randomUUID(), leaseMs: 0, afterBook: firstBook(), max: 10 };
  const { due } = await claimScheduled(test.database, claim);
  assert.deepEqual(
    due.map(({ transfer: { id }, heldBack }) => [id, heldBack]),
    [[transfer.id, undefined]],
  );
  await scan(scriptRoute({}).routes, transfer);
  const step = {
    to: 'queued',
    cause: 'test',
    failure: null,
    operatorTransactionId: null,
    nextActionInMs: 0,
    checks: 0,
    notFoundAnswers: 0,
    needsPerson: false,
  } as const;
  const seen = due.map((one) => ({ transfer: one.transfer, step, actor: 'test' }));
  const moves = seen.map((one) => ({ ...one, needsLease: false, leaseFor: null }));
  assert.deepEqual(await move(moves), [false]);
  assert.equal((await read(transfer)).eventSeq, 2);
});

it('claims nothing before its time, and one process at a time what is due', async () => {
  const [due, later] = [await store(), await store(new Date(Date.now() + 60_000))];
  const claim = { leaseOwner: randomUUID(), leaseMs: 60_000, afterBook: firstBook(), max: 10 };
  const ids = async () =>
    (await claimScheduled(test.database, claim)).due.map(({ transfer }) => transfer.id);
  const claimed = (await Promise.all([ids(), ids()])).flat();
  assert.deepEqual(claimed, [due.id]);
  assert.equal((await read(later)).state, 'scheduled');
  for (const kind of ['submission', 'inquiry'] as const) {
    const wanted = { ...claim, route: NO_ROUTE, due: kind };
    assert.deepEqual((await claimDue(test.database, wanted)).transfers, []);
  }
});

it('waits for a person when it is later than the policy of its book allows', async () => {
  const hourAgo = new Date(Date.now() - 3_600_000);
  const lateAfter = async (ms: number) => {
    const statement = { name: '', text: 'update books set send_late_within_ms = $2 where id = $1' };
    await test.database.query(statement, [book.id, ms]);
    return (await scan(scriptRoute({}).routes, await store(hourAgo))).state;
  };
  assert.deepEqual(
    [await lateAfter(3_660_000), await lateAfter(3_540_000)],
    ['queued', 'awaiting_approval'],
  );
});

it('waits for a person as long as the policy of its book says, by default 7 days', async () => {
  const text = 'update books set approval_expires_after_ms = $2 where id = $1';
  const waitedMs = async (ms: number | null) => {
    await test.database.query({ name: '', text }, [book.id, ms]);
    const late = await store(new Date(Date.now() - 25 * 3_600_000));
    const { state, nextActionAt } = await scan(scriptRoute({}).routes, late);
    assert.equal(state, 'awaiting_approval');
    return (nextActionAt?.getTime() ?? 0) - Date.now();
  };
  const monthMs = 30 * 24 * 3_600_000;
  for (const [ms, wantedMs] of [
    [null, 7 * 24 * 3_600_000],
    [3_600_000, 3_600_000],
    [monthMs, monthMs],
  ] as const) {
    const gotMs = await waitedMs(ms);
    assert.ok(Math.abs(gotMs - wantedMs) < 60_000, `${gotMs} ms instead of ${wantedMs}`);
  }
});
