import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { createDispatchProcess } from '../../test/dispatch-process.ts';
import { type FakeRoute, scriptRoute } from '../../test/fake-route.ts';
import { pollUntil } from '../../test/poll.ts';
import { storeTestTransfer } from '../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import type { Book } from '../domain/book.ts';
import { type Outcome, REPORTED_FIELDS } from '../domain/outcome.ts';
import type { Transfer } from '../domain/transfer.ts';
import { claimOne } from '../transfers/move/claim-one.ts';
import { LEASE_MS } from '../transfers/move/lease.ts';
import type { Recorded } from '../transfers/move/record-outcome.ts';
import { findTransfer } from '../transfers/read/find-transfer.ts';
import { readHistory } from '../transfers/read/read-history.ts';

const PAID: Outcome = {
  kind: 'paid',
  operatorTransactionId: 'receipt-1',
  confirmed: REPORTED_FIELDS,
};
const REJECTED: Outcome = { kind: 'rejected', failure: 'OPERATOR_REJECTED', cause: 'no' };
const LOST: Outcome = { kind: 'unknown', cause: 'timeout' };
const DUPLICATE: Outcome = { kind: 'unknown', cause: 'HTTP 409', isDuplicate: true };
const THROTTLED: Outcome = { kind: 'throttled', cause: 'HTTP 429', retryInMs: null };
const NOT_FOUND: Outcome = { kind: 'notFound' };
const WIRE = { request: 'POST /pay', httpStatus: 202, answer: '', elapsedMs: 1 };
/** At this scale 15 minutes are 180 ms, and the 72 hours of a doubt nearly a minute. */
const QUICK = 0.0002;

let test: TestDatabase;
let book: Book;
let walletId: string;
const stops: (() => Promise<void>)[] = [];
before(async () => {
  test = await createTestDatabase();
});
beforeEach(async () => {
  book = await createTestBook(test.database);
  walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 100_000n });
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  // The operator of the next test must get no inquiries about what this test left in doubt.
  await test.database.query({ name: '', text: 'update transfers set next_action_at = null' });
});
after(() => test.drop());

type Hooks = Readonly<{
  monotonicMs?: () => number;
  /** Called after a resubmission was recorded, and before it is sent. */
  onRecorded?: (transfer: Transfer) => void | Promise<void>;
}>;

function startProcess(operator: FakeRoute, { monotonicMs, onRecorded }: Hooks = {}) {
  const started = createDispatchProcess(test, operator, {
    ...(monotonicMs === undefined ? {} : { monotonicMs }),
    around: (commit) => async (moves) => {
      const moved = await commit(moves);
      for (const [index, { step, transfer }] of moves.entries()) {
        if (moved[index] && step.resubmission !== undefined) await onRecorded?.(transfer);
      }
      return moved;
    },
  });
  const { scanner, dispatcher, dispatch, leaseOwner } = started;
  stops.push(async () => {
    await scanner.stop();
    await dispatcher.idle();
  });
  /** Stores a transfer, sends it, and lets the scanner inquire about it. */
  async function pay(): Promise<Transfer> {
    const transfer = await storeTestTransfer(test.database, { book, walletId, leaseOwner });
    dispatch(transfer);
    scanner.start();
    return transfer;
  }
  return { ...started, pay };
}

const read = async (transfer: Transfer): Promise<Transfer> =>
  (await findTransfer(test.database, transfer)) ?? assert.fail();

const reaches = (transfer: Transfer, state: string) =>
  pollUntil(state, async () => (await read(transfer)).state === state);

const sends = (operator: FakeRoute) => operator.calls.filter(({ call }) => call === 'submit');
const inquiriesTo = (operator: FakeRoute) =>
  operator.calls.filter(({ call }) => call === 'inquire');

/** Gives the answers in turn, then repeats the last one. */
function inTurn(first: Outcome, ...others: Outcome[]): () => Outcome {
  const answers = [first, ...others];
  return () => (answers.length > 1 ? answers.shift() : answers[0]) ?? first;
}

describe('a submission that was lost', () => {
  it('is resubmitted under the same reference and paid, with no further event for the merchant', async () => {
    const operator = scriptRoute({
      submit: inTurn(LOST, PAID),
      inquire: () => NOT_FOUND,
      wire: WIRE,
      timeScale: QUICK,
    });
    const transfer = await startProcess(operator).pay();
    await reaches(transfer, 'succeeded');
    assert.equal(sends(operator).length, 2);
    assert.ok(inquiriesTo(operator).length >= 3, 'after three answers');
    assert.equal(new Set(operator.calls.map((c) => c.operatorReference)).size, 1);
    assert.equal(operator.limiter.used(), 0);
    const history = await readHistory(test.database, transfer);
    assert.deepEqual(
      history.map(({ state }) => state),
      ['submitting', 'in_doubt', 'succeeded'],
    );
    const purposes = await test.database.query<{ purpose: string }>(
      { name: '', text: 'select purpose from attempts where transfer_id = $1 order by ended_at' },
      [transfer.id],
    );
    assert.deepEqual(
      purposes.map(({ purpose }) => purpose),
      ['submit', 'inquire', 'inquire', 'inquire', 'resubmit'],
    );
  });

  it('is inquired about when the operator answers that it has the order after all', async () => {
    const operator = scriptRoute({
      submit: inTurn(LOST, DUPLICATE),
      inquire: inTurn(NOT_FOUND, NOT_FOUND, NOT_FOUND, { ...PAID, confirmed: ['reference'] }),
      wire: WIRE,
      timeScale: QUICK,
    });
    const transfer = await startProcess(operator).pay();
    await reaches(transfer, 'succeeded');
    assert.equal(sends(operator).length, 2);
  });

  it('neither fails nor is resubmitted when the operator calls it a duplicate and then does not find it', async () => {
    const operator = scriptRoute({
      submit: inTurn(LOST, DUPLICATE),
      inquire: () => NOT_FOUND,
      abilities: { notFoundIsFinal: true },
      wire: WIRE,
      timeScale: QUICK,
    });
    const transfer = await startProcess(operator).pay();
    await pollUntil('inquiries', async () => inquiriesTo(operator).length >= 10);
    assert.equal((await read(transfer)).state, 'in_doubt');
    assert.equal(sends(operator).length, 2);
  });

  it('is resubmitted three times at most, and then fails where "not found" is final', async () => {
    const operator = scriptRoute({
      submit: () => LOST,
      inquire: () => NOT_FOUND,
      abilities: { notFoundIsFinal: true },
      timeScale: QUICK,
    });
    const transfer = await startProcess(operator).pay();
    await reaches(transfer, 'failed');
    assert.equal(sends(operator).length, 4);
    assert.ok(inquiriesTo(operator).length >= 12, 'three answers after each');
  });

  it('goes to a person after that where "not found" is not final', async () => {
    const operator = scriptRoute({
      submit: () => LOST,
      inquire: () => NOT_FOUND,
      timeScale: QUICK,
    });
    const one = startProcess(operator);
    const transfer = await one.pay();
    await pollUntil('the last', async () => (await read(transfer)).resubmissions === 3);
    await test.database.query({
      name: '',
      text: `update transfers set first_doubt_at = now() - interval '1 hour'`,
    });
    const needsPerson = (record: Recorded) => record.kind === 'recorded' && record.needsPerson;
    await pollUntil('a person', async () => one.recorded.some(needsPerson));
    assert.equal((await read(transfer)).state, 'in_doubt');
    assert.equal(sends(operator).length, 4);
  });

  for (const [reason, abilities] of [
    ['the operator does not recognise its orders', { deduplicates: false }],
    ['the operator has forgotten it by then', { referenceMemoryMs: 60_000 }],
  ] as const) {
    it(`is not resubmitted when ${reason}`, async () => {
      const operator = scriptRoute({
        submit: () => LOST,
        inquire: () => NOT_FOUND,
        abilities: { notFoundIsFinal: true, ...abilities },
        timeScale: QUICK,
      });
      const transfer = await startProcess(operator).pay();
      await reaches(transfer, 'failed');
      assert.equal(sends(operator).length, 1);
    });
  }

  it('is not ended by a refusal of the resubmission: an inquiry follows', async () => {
    const operator = scriptRoute({
      submit: inTurn(LOST, REJECTED),
      inquire: inTurn(NOT_FOUND, NOT_FOUND, NOT_FOUND, PAID),
      timeScale: QUICK,
    });
    const transfer = await startProcess(operator).pay();
    await reaches(transfer, 'succeeded');
  });

  it('waits for a slot of its route', async () => {
    const operator = scriptRoute({
      submit: inTurn(LOST, PAID),
      inquire: () => NOT_FOUND,
      slotsMax: 2,
      timeScale: QUICK,
    });
    const transfer = await startProcess(operator).pay();
    await reaches(transfer, 'in_doubt');
    for (const other of ['a', 'b']) operator.limiter.holdClaimed(other, 'main').use();
    await pollUntil('inquiries', async () => inquiriesTo(operator).length >= 5);
    assert.equal(sends(operator).length, 1);
    for (const other of ['a', 'b']) operator.limiter.release(other);
    await reaches(transfer, 'succeeded');
    assert.equal(sends(operator).length, 2);
  });
});

describe('between recording a resubmission and sending it', () => {
  const lost = (more: Parameters<typeof scriptRoute>[0] = {}) =>
    scriptRoute({
      submit: inTurn(LOST, PAID),
      inquire: () => NOT_FOUND,
      timeScale: QUICK,
      ...more,
    });

  /** Resolves when the resubmission was recorded and what follows has ended. */
  async function settle(operator: FakeRoute, hooks: Hooks = {}) {
    let wasRecorded = false;
    const one = startProcess(operator, {
      ...hooks,
      async onRecorded(transfer) {
        wasRecorded = true;
        await hooks.onRecorded?.(transfer);
      },
    });
    const transfer = await one.pay();
    await pollUntil('record', async () => wasRecorded);
    await one.scanner.stop();
    await one.dispatcher.idle();
    assert.equal(operator.limiter.used(), 0);
    return transfer;
  }

  it('a process that was paused does not send', async () => {
    const operator = lost();
    let pausedMs = 0;
    const transfer = await settle(operator, {
      monotonicMs: () => performance.now() + pausedMs,
      onRecorded: () => {
        pausedMs = LEASE_MS;
      },
    });
    assert.equal(sends(operator).length, 1);
    const { state, resubmissions } = await read(transfer);
    assert.deepEqual([state, resubmissions], ['in_doubt', 1]);
  });

  it('a pause during sending reaches the wire', async () => {
    let pausedMs = 0;
    const windows: (boolean | undefined)[] = [];
    const operator = lost({
      submit: (payout) => {
        pausedMs += sends(operator).length === 2 ? LEASE_MS : 0;
        windows.push(payout.mayStillSend?.());
        return LOST;
      },
    });
    await settle(operator, { monotonicMs: () => performance.now() + pausedMs });
    assert.deepEqual(windows, [true, false]);
  });

  it('it is not sent under another account of the route', async () => {
    let account = 'first';
    const operator = lost({ account: () => account });
    const one = startProcess(operator, {
      onRecorded: () => {
        account = 'second';
      },
    });
    const transfer = await one.pay();
    // As it is stored when it leaves the queue.
    await test.database.query(
      { name: '', text: `update transfers set route_account = 'first' where id = $1` },
      [transfer.id],
    );
    await pollUntil('record', async () => (await read(transfer)).resubmissions === 1);
    await one.scanner.stop();
    await one.dispatcher.idle();
    assert.equal(sends(operator).length, 1);
    assert.equal((await read(transfer)).state, 'in_doubt');
  });

  it('a person who holds the route stops it', async () => {
    let isHeld = false;
    const operator = lost({ isHeld: () => isHeld });
    await settle(operator, {
      onRecorded: () => {
        isHeld = true;
      },
    });
    assert.equal(sends(operator).length, 1);
  });

  it('it is sent when nothing happens', async () => {
    const operator = lost();
    const transfer = await settle(operator);
    assert.equal((await read(transfer)).state, 'succeeded');
  });
});

describe('an operator that is throttling', () => {
  it('gets a resubmission after one "not found"', async () => {
    const operator = scriptRoute({
      submit: inTurn(THROTTLED, THROTTLED, PAID),
      inquire: () => NOT_FOUND,
    });
    const transfer = await startProcess(operator).pay();
    await reaches(transfer, 'succeeded');
    assert.deepEqual(
      operator.calls.map(({ call }) => call),
      ['submit', 'inquire', 'submit', 'inquire', 'submit'],
    );
  });

  it('gets an inquiry first, because it may have taken the order', async () => {
    const operator = scriptRoute({ submit: () => THROTTLED, inquire: () => PAID });
    const transfer = await startProcess(operator).pay();
    await reaches(transfer, 'succeeded');
    assert.equal(sends(operator).length, 1);
  });

  it('gets at most 12 resubmissions', async () => {
    const operator = scriptRoute({
      submit: () => THROTTLED,
      inquire: () => NOT_FOUND,
      timeScale: QUICK,
    });
    const transfer = await startProcess(operator).pay();
    await pollUntil('the last', async () => (await read(transfer)).resubmissions === 12);
    const before = inquiriesTo(operator).length;
    await pollUntil('inquiries', async () => inquiriesTo(operator).length > before + 4);
    assert.equal(sends(operator).length, 13);
  });
});

it('an unanswered inquiry changes nothing for a submitted transfer', async () => {
  const operator = scriptRoute({
    submit: () => ({ kind: 'pending', inquireInMs: 1 }),
    inquire: inTurn({ kind: 'unanswered', cause: 'HTTP 429', retryInMs: null }, PAID),
  });
  const transfer = await startProcess(operator).pay();
  await reaches(transfer, 'succeeded');
  const history = await readHistory(test.database, transfer);
  assert.deepEqual(
    history.map(({ state }) => state),
    ['submitting', 'submitted', 'succeeded'],
  );
});

describe('an inquiry that a person asked for', () => {
  it('is recorded like any other and never leads to a resubmission, where one of the schedule would', async () => {
    const operator = scriptRoute({
      submit: inTurn(LOST, PAID),
      inquire: () => NOT_FOUND,
      wire: WIRE,
      timeScale: QUICK,
    });
    const { dispatcher, dispatch, leaseOwner } = startProcess(operator);
    const transfer = await storeTestTransfer(test.database, { book, walletId, leaseOwner });
    dispatch(transfer);
    await reaches(transfer, 'in_doubt');
    const isDue = async () => ((await read(transfer)).nextActionAt ?? new Date()) <= new Date();
    const claim = async () => {
      await pollUntil('due', isDue);
      const claimed = await claimOne(test.database, { ...transfer, leaseOwner, pauseMs: 0 });
      return claimed ?? assert.fail();
    };
    for (let asked = 0; asked < 10; asked += 1) {
      const { outcome } = await dispatcher.askOnce(await claim());
      assert.equal(outcome.kind, 'notFound');
    }
    assert.equal(sends(operator).length, 1);
    assert.equal(inquiriesTo(operator).length, 10);
    assert.equal((await read(transfer)).state, 'in_doubt');
    dispatcher.inquire(await claim());
    await reaches(transfer, 'succeeded');
    assert.equal(sends(operator).length, 2);
  });
});
