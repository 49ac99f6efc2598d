import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { createDispatchProcess } from '../../test/dispatch-process.ts';
import { type FakeRoute, scriptRoute, scriptRoutes } from '../../test/fake-route.ts';
import { pollUntil } from '../../test/poll.ts';
import { storeTestTransfer } from '../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import type { Book } from '../domain/book.ts';
import { type Outcome, REPORTED_FIELDS } from '../domain/outcome.ts';
import type { Transfer } from '../domain/transfer.ts';
import { createLiveLimiter } from '../operators/limits/route-limiter.ts';
import type { Database, Row, Statement } from '../postgres/database.ts';
import { createLogger } from '../telemetry/logger.ts';
import { LEASE_MS } from '../transfers/move/lease.ts';
import { openIncident } from '../transfers/move/open-incident.ts';
import { reassignRemovedRoutes } from '../transfers/move/reassign-removed-routes.ts';
import { findTransfer } from '../transfers/read/find-transfer.ts';
import { createRemovedRouteFinder } from './removed-route-finder.ts';
import { createScanner } from './scanner.ts';

const PAID: Outcome = {
  kind: 'paid',
  operatorTransactionId: 'receipt-1',
  confirmed: REPORTED_FIELDS,
};
const LOST: Outcome = { kind: 'unknown', cause: 'timeout' };
const WIRE = { request: 'POST /payouts', httpStatus: 200, answer: '{}', elapsedMs: 1 } as const;

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
/** Nothing may keep running after a failed test. */
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
after(() => test.drop());

type Options = Parameters<typeof createDispatchProcess>[2];

function startProcess(operator: FakeRoute, around?: NonNullable<Options>['around']) {
  const started = createDispatchProcess(test, operator, around === undefined ? {} : { around });
  stops.push(() => started.scanner.stop());
  return started;
}

const store = (given: Partial<Parameters<typeof storeTestTransfer>[1]>) =>
  storeTestTransfer(test.database, { book, walletId, leaseOwner: randomUUID(), ...given });

const stateOf = async (transfer: Transfer) => (await findTransfer(test.database, transfer))?.state;

it('sends and inquires by one route while another process reassigns the queue of that route', async () => {
  const operator = scriptRoutes([
    { name: 'old', submit: () => LOST, inquire: () => PAID },
    { name: 'new', submit: () => PAID },
  ]);
  // Another process, whose route file has no "old", reassigns transfers between every claim and its move.
  const adopt = () =>
    reassignRemovedRoutes(test.database, {
      routes: ['new'],
      replacements: [{ operator: 'airtel', country: 'zm', route: 'new' }],
    });
  const { scanner, dispatcher } = startProcess(operator, (commit) => async (moves) => {
    await adopt();
    return commit(moves);
  });
  const transfer = await store({ route: 'old', reserved: false });
  scanner.start();
  await pollUntil('success', async () => (await stateOf(transfer)) === 'succeeded');
  await scanner.stop();
  await dispatcher.idle();
  assert.deepEqual(
    operator.calls.map(({ call, route }) => `${call} ${route}`),
    ['submit old', 'inquire old'],
  );
});

it('keeps one exchange once when the answer to the commit is lost', async () => {
  const operator = scriptRoute({ submit: () => LOST, wire: WIRE });
  let isFirst = true;
  const { leaseOwner, dispatcher, dispatch } = startProcess(operator, (commit) => async (moves) => {
    const moved = await commit(moves);
    if (isFirst) {
      isFirst = false;
      throw new Error('the connection was lost after the commit');
    }
    return moved;
  });
  const transfer = await store({ leaseOwner });
  dispatch(transfer);
  await dispatcher.idle();
  assert.equal(isFirst, false);
  const text = 'select id from attempts where transfer_id = $1';
  assert.equal((await test.database.query({ name: '', text }, [transfer.id])).length, 1);
  assert.equal(await stateOf(transfer), 'in_doubt');
});

it('sends nothing under another account than the one stored with the transfer', async () => {
  let account = 'first';
  const operator = scriptRoute({ submit: () => LOST, account: () => account });
  // A reload changes the account between leaving the queue and the sending.
  const database: Database = {
    ...test.database,
    async query<R extends Row>(statement: Statement, values?: readonly unknown[]) {
      const rows = await test.database.query<R>(statement, values);
      if (statement.name === 'claim-due-submissions' && rows.some(({ id }) => id !== null))
        account = 'second';
      return rows;
    },
  };
  const { deps, dispatcher, leaseOwner } = createDispatchProcess({ database }, operator);
  const scanner = createScanner({ ...deps, dispatcher, leaseOwner, intervalMs: 5 });
  stops.push(() => scanner.stop());
  const transfer = await store({ reserved: false });
  scanner.start();
  await pollUntil('doubt', async () => (await stateOf(transfer)) === 'in_doubt');
  await scanner.stop();
  await dispatcher.idle();
  assert.equal(account, 'second');
  assert.equal((await findTransfer(test.database, transfer))?.routeAccount, 'second');
  const { operatorReference } = transfer;
  const sent = operator.calls.filter((one) => one.operatorReference === operatorReference);
  assert.deepEqual(
    sent.map(({ call }) => call),
    ['submit'],
  );
});

it('lets books take turns where a route has few slots', async () => {
  const sent: string[] = [];
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const operator = scriptRoute({
    slotsMax: 4,
    submit: async ({ operatorReference }) => {
      sent.push(operatorReference);
      if (sent.length >= 12) await held;
      return PAID;
    },
  });
  const books = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const one = await createTestBook(test.database);
      const wallet = { bookId: one.id, fundedMinor: 100_000n };
      return { book: one, walletId: await createTestWallet(test.database, wallet) };
    }),
  );
  const bookOf = new Map<string, string>();
  for (const owner of books) {
    for (let n = 0; n < 30; n += 1) {
      const given = { ...owner, leaseOwner: randomUUID(), reserved: false };
      const { operatorReference, bookId } = await storeTestTransfer(test.database, given);
      bookOf.set(operatorReference, bookId);
    }
  }
  const { scanner, dispatcher } = startProcess(operator);
  scanner.start();
  await pollUntil('twelve submissions', () => sent.length >= 12);
  release();
  await scanner.stop();
  await dispatcher.idle();
  const first = sent.slice(0, 12).map((reference) => bookOf.get(reference));
  for (const { book: one } of books) {
    const count = first.filter((bookId) => bookId === one.id).length;
    assert.ok(count >= 2, `${count} of 12 for one of three books`);
  }
});

it('rests after it has looked through a backlog that waits for its operator', async () => {
  let nowMs = 0;
  let claims = 0;
  const operator = scriptRoutes([{ name: 'resting', submit: () => PAID }]);
  const database: Database = {
    ...test.database,
    query: (statement, values) => {
      if (statement.name.startsWith('claim-due')) {
        claims += 1;
        nowMs += 10;
      }
      return test.database.query(statement, values);
    },
  };
  const monotonicMs = () => nowMs;
  const { deps, dispatcher, leaseOwner } = createDispatchProcess({ database }, operator, {
    monotonicMs,
  });
  const scanner = createScanner({ ...deps, dispatcher, leaseOwner, intervalMs: 5 });
  stops.push(() => scanner.stop());
  scanner.start();
  await pollUntil('the first round', () => claims === 2);
  // Many intervals of a clock that stands still.
  await wait(100);
  assert.equal(claims, 2);
  const transfer = await store({ route: 'resting', reserved: false });
  nowMs += 20 * 20;
  await pollUntil('success', async () => (await stateOf(transfer)) === 'succeeded');
  await scanner.stop();
  await dispatcher.idle();
});

it('sends nothing that was queued in time and is late when its merchant is resumed', async () => {
  const operator = scriptRoute({ submit: () => PAID });
  const transfer = await store({ reserved: false });
  const { operatorReference } = transfer;
  const run = (text: string) => test.database.query({ name: '', text }, [book.id]);
  await run(`update transfers set send_at = now() - interval '21 days' where book_id = $1`);
  const { scanner, dispatcher } = startProcess(operator);
  scanner.start();
  await pollUntil('a state', async () => (await stateOf(transfer)) !== 'queued');
  await scanner.stop();
  await dispatcher.idle();
  assert.equal(await stateOf(transfer), 'awaiting_approval');
  assert.ok(!operator.calls.some((one) => one.operatorReference === operatorReference));
  const events = `select cause from events where book_id = $1 and to_state = 'awaiting_approval'`;
  assert.deepEqual(await run(events), [{ cause: 'SEND_TIME_MISSED' }]);
});

it('sends no queued retry of what the operator says meanwhile that it paid', async () => {
  const operator = scriptRoute({ submit: () => PAID });
  const run = (text: string, values: readonly unknown[]) =>
    test.database.query({ name: '', text }, values);
  const failed = await store({ reference: 'a' });
  await run(
    `update transfers set state = 'failed', failure_code = 'OPERATOR_REJECTED', completed_at = now(),
       lease_owner = null, next_action_at = null
     where id = $1`,
    [failed.id],
  );
  const again = await store({ reference: 'a.retry-1', reserved: false });
  const said = { kind: 'paid_after_failure', at: new Date() } as const;
  await openIncident(test.database, { id: randomUUID(), transfer: failed, ...said });
  const { scanner, dispatcher } = startProcess(operator);
  scanner.start();
  await pollUntil('a state', async () => (await stateOf(again)) !== 'queued');
  await scanner.stop();
  await dispatcher.idle();
  assert.equal(await stateOf(again), 'awaiting_approval');
  const sent = operator.calls.map(({ operatorReference }) => operatorReference);
  assert.ok(!sent.includes(again.operatorReference));
  const events = `select cause from events where subject_id = $1 and to_state = 'awaiting_approval'`;
  assert.deepEqual(await run(events, [again.id]), [{ cause: 'EARLIER_MAY_BE_PAID' }]);
});

describe('a queued transfer whose amount does not fit', () => {
  const small = { maxMinor: () => 99n };
  const sentBy = ({ calls }: FakeRoute, { operatorReference }: Transfer) =>
    calls.filter((one) => one.operatorReference === operatorReference).map(({ route }) => route);
  const routeOf = async (transfer: Transfer) =>
    (await findTransfer(test.database, transfer))?.route;

  async function sendsBy(operator: FakeRoute, transfer: Transfer): Promise<readonly string[]> {
    const { scanner, dispatcher } = startProcess(operator);
    scanner.start();
    await pollUntil('success', async () => (await stateOf(transfer)) === 'succeeded');
    await scanner.stop();
    await dispatcher.idle();
    return sentBy(operator, transfer);
  }

  it('goes by another route of the pair when its own takes less than before', async () => {
    const operator = scriptRoutes([
      { name: 'narrowed', ...small },
      { name: 'also-small', ...small },
      { name: 'large', submit: () => PAID },
    ]);
    const transfer = await store({ route: 'narrowed', reserved: false });
    assert.deepEqual(await sendsBy(operator, transfer), ['large']);
    assert.equal(await routeOf(transfer), 'large');
  });

  it('passes over the free route beside its shut one that does not take it', async () => {
    const operator = scriptRoutes([
      { name: 'shut', isShut: true },
      { name: 'beside-shut', ...small },
      { name: 'fits', submit: () => PAID },
    ]);
    const transfer = await store({ route: 'shut', reserved: false });
    assert.deepEqual(await sendsBy(operator, transfer), ['fits']);
    assert.equal(await routeOf(transfer), 'fits');
  });

  it('of a removed route is sent, though the first route of the pair does not take it', async () => {
    const operator = scriptRoutes([
      { name: 'first-small', ...small },
      { name: 'second-large', submit: () => PAID },
    ]);
    const transfer = await store({ route: 'removed', reserved: false });
    const { database } = test;
    const logger = createLogger({ level: 'silent' });
    await createRemovedRouteFinder({ database, routes: operator.routes, logger }).look();
    assert.deepEqual(await sendsBy(operator, transfer), ['second-large']);
  });

  it('waits where it is, and uses no turn of the rate limit, while only a held route takes it', async () => {
    let isHeld = true;
    const limiter = createLiveLimiter({
      operatorLimits: () => ({
        concurrency: 5,
        submitsPerSecond: 1,
        inquiriesPerSecond: 1,
        namesPerSecond: 1,
      }),
      isClosed: () => false,
      isHeld: () => false,
      monotonicMs: () => 0,
      wait: () => Promise.resolve(),
      random: Math.random,
      timeScale: 1,
      inquires: true,
    });
    let tries = 0;
    const operator = scriptRoutes([
      { name: 'open', limiter, ...small },
      { name: 'held', isHeld: () => isHeld, submit: () => PAID },
    ]);
    const { scanner, dispatcher } = startProcess(operator, (commit) => (moves) => {
      tries += moves.length;
      return commit(moves);
    });
    const transfer = await store({ route: 'open', reserved: false });
    const turns = limiter.submitsFree();
    scanner.start();
    await pollUntil('two tries', () => tries >= 2);
    assert.equal(await stateOf(transfer), 'queued');
    assert.equal(await routeOf(transfer), 'open');
    assert.equal(limiter.submitsFree(), turns);
    isHeld = false;
    await pollUntil('success', async () => (await stateOf(transfer)) === 'succeeded');
    await scanner.stop();
    await dispatcher.idle();
    assert.deepEqual(sentBy(operator, transfer), ['held']);
  });

  it('lets a round end, so that other routes are not kept waiting', async () => {
    const operator = scriptRoutes([
      // Without a wait between two tries.
      { name: 'small', timeScale: 0, ...small },
      { name: 'smaller', maxMinor: () => 1n, submit: () => PAID },
    ]);
    const { scanner, dispatcher } = startProcess(operator);
    await store({ route: 'small', reserved: false });
    const transfer = await store({ route: 'smaller', reserved: false, amountMinor: 1n });
    scanner.start();
    await pollUntil('success', async () => (await stateOf(transfer)) === 'succeeded');
    await scanner.stop();
    await dispatcher.idle();
  });
});

it('sends what left the queue although it cannot look at the others now', async () => {
  const operator = scriptRoutes([{ name: 'half', submit: () => PAID }]);
  let failures = 0;
  const database: Database = {
    ...test.database,
    query: (statement, values) => {
      if (statement.name !== 'find-books-in-question')
        return test.database.query(statement, values);
      failures += 1;
      return Promise.reject(new Error('the server is away'));
    },
  };
  const { deps, dispatcher, leaseOwner } = createDispatchProcess({ database }, operator);
  const again = await store({ route: 'half', reference: 'a.retry-1', reserved: false });
  const ordinary = await store({ route: 'half', reserved: false });
  const scanner = createScanner({ ...deps, dispatcher, leaseOwner, intervalMs: 5 });
  stops.push(() => scanner.stop());
  scanner.start();
  await pollUntil('success', async () => (await stateOf(ordinary)) === 'succeeded');
  await scanner.stop();
  await dispatcher.idle();
  assert.ok(failures > 0);
  assert.equal(await stateOf(again), 'queued');
});

it('sends nothing that left the queue before a pause of its process', async () => {
  const operator = scriptRoutes([{ name: 'paused', submit: () => PAID }]);
  let pausedMs = 0;
  const monotonicMs = () => performance.now() + pausedMs;
  const database: Database = {
    ...test.database,
    async query<R extends Row>(statement: Statement, values?: readonly unknown[]) {
      const rows = await test.database.query<R>(statement, values);
      const isTaken = rows.some((row) => row['state'] === 'submitting');
      if (statement.name === 'claim-due-submissions' && isTaken) pausedMs = LEASE_MS;
      return rows;
    },
  };
  const options = { monotonicMs };
  const { deps, dispatcher, leaseOwner } = createDispatchProcess({ database }, operator, options);
  const transfer = await store({ route: 'paused', reserved: false });
  const scanner = createScanner({ ...deps, dispatcher, leaseOwner, intervalMs: 5 });
  stops.push(() => scanner.stop());
  scanner.start();
  await pollUntil('the pause', () => pausedMs > 0);
  await scanner.stop();
  await dispatcher.idle();
  assert.deepEqual(operator.calls, []);
  assert.equal(await stateOf(transfer), 'submitting');
});
