import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
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
import { expireLeases } from '../transfers/move/claim-due.ts';
import { LEASE_MS } from '../transfers/move/lease.ts';
import { findTransfer } from '../transfers/read/find-transfer.ts';

const FUNDED = 100_000n;
const PAID: Outcome = {
  kind: 'paid',
  operatorTransactionId: 'receipt-1',
  confirmed: REPORTED_FIELDS,
};
const REJECTED: Outcome = { kind: 'rejected', failure: 'OPERATOR_REJECTED', cause: 'no' };
const LOST: Outcome = { kind: 'unknown', cause: 'timeout' };

let test: TestDatabase;
let book: Book;
let walletId: string;
before(async () => {
  test = await createTestDatabase();
});
beforeEach(async () => {
  book = await createTestBook(test.database);
  walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: FUNDED });
});
after(() => test.drop());

const startProcess = (operator: FakeRoute, monotonicMs = () => performance.now()) =>
  createDispatchProcess(test, operator, { monotonicMs, wait });

const store = (leaseOwner: string, options: { reserved?: boolean } = {}) =>
  storeTestTransfer(test.database, { book, walletId, leaseOwner, ...options });

const stateOf = async (transfer: Transfer) => (await findTransfer(test.database, transfer))?.state;

async function heldMinor(): Promise<bigint> {
  const [row] = await test.database.query<{ held_minor: bigint }>(
    { name: '', text: 'select held_minor from wallets where id = $1' },
    [walletId],
  );
  return row?.held_minor ?? -1n;
}

async function isFlagged(transfer: Transfer): Promise<boolean> {
  const [row] = await test.database.query<{ flagged: boolean }>(
    { name: '', text: 'select flagged_at is not null as flagged from transfers where id = $1' },
    [transfer.id],
  );
  return row?.flagged === true;
}

describe('the process that accepted a transfer', () => {
  it('submits once and records what the answer means', async () => {
    const operator = scriptRoute({ submit: () => PAID });
    const one = startProcess(operator);
    const transfer = await store(one.leaseOwner);
    one.dispatch(transfer);
    await one.dispatcher.idle();
    assert.equal(await stateOf(transfer), 'succeeded');
    assert.equal(operator.calls.length, 1);
    assert.equal(operator.limiter.used(), 0);
  });

  it('keeps no slot and no place of an inquiry while an answer cannot be recorded', async () => {
    const operator = scriptRoute({ submit: () => LOST, inquire: () => PAID });
    let isAway = true;
    const one = createDispatchProcess(test, operator, {
      wait,
      around: (commit) => (moves) => (isAway ? Promise.reject(new Error('away')) : commit(moves)),
    });
    const transfer = await store(one.leaseOwner);
    one.dispatch(transfer);
    await pollUntil('the operator has answered', async () => operator.calls.length === 1);
    await pollUntil('its slot is free', async () => operator.limiter.used() === 0);
    assert.equal(await stateOf(transfer), 'submitting');
    isAway = false;
    await one.dispatcher.idle();
    assert.equal(await stateOf(transfer), 'in_doubt');
    isAway = true;
    const places = operator.limiter.inquiriesFree();
    one.dispatcher.inquire({ ...transfer, state: 'in_doubt' });
    await pollUntil('the operator was asked', async () => operator.calls.length === 2);
    await pollUntil('its place is free', async () => operator.limiter.inquiriesFree() === places);
    assert.equal(await stateOf(transfer), 'in_doubt');
    isAway = false;
    await one.dispatcher.idle();
  });

  it('keeps the hold when the operator times out, then inquires under the same reference', async () => {
    const operator = scriptRoute({ submit: () => LOST, inquire: () => PAID });
    const one = startProcess(operator);
    const transfer = await store(one.leaseOwner);
    one.dispatch(transfer);
    await one.dispatcher.idle();
    assert.equal(await stateOf(transfer), 'in_doubt');
    assert.equal(await heldMinor(), transfer.amountMinor);
    one.scanner.start();
    await pollUntil('success', async () => (await stateOf(transfer)) === 'succeeded');
    await one.scanner.stop();
    assert.deepEqual(
      operator.calls.map(({ call }) => call),
      ['submit', 'inquire'],
    );
    assert.equal(new Set(operator.calls.map((c) => c.operatorReference)).size, 1);
  });

  it('inquires again after a success without an amount, and another process keeps the count', async () => {
    const unconfirmed: Outcome = { ...PAID, confirmed: ['reference'] };
    const operator = scriptRoute({
      submit: () => unconfirmed,
      inquire: () => unconfirmed,
      abilities: { unconfirmedSuccessWaitMs: 5_000 },
    });
    const one = startProcess(operator);
    const transfer = await store(one.leaseOwner);
    one.dispatch(transfer);
    await one.dispatcher.idle();
    assert.equal(await stateOf(transfer), 'submitted');
    assert.equal(await heldMinor(), transfer.amountMinor);
    const other = startProcess(operator);
    other.scanner.start();
    await pollUntil('success', async () => (await stateOf(transfer)) === 'succeeded');
    await other.scanner.stop();
    assert.deepEqual(
      operator.calls.map(({ call }) => call),
      ['submit', 'inquire'],
    );
  });

  it('keeps what an answer contradicted, so that another process does not trust the next success', async () => {
    const answers: Outcome[] = [
      { ...PAID, confirmed: ['reference'] },
      { ...PAID, confirmed: ['reference', 'currency', 'number'] },
      PAID,
    ];
    const operator = scriptRoute({
      submit: () => ({ kind: 'mismatched', contradicted: ['amount'], cause: 'another amount' }),
      inquire: () => answers.shift() ?? LOST,
    });
    const one = startProcess(operator);
    const transfer = await store(one.leaseOwner);
    one.dispatch(transfer);
    await one.dispatcher.idle();
    assert.deepEqual((await findTransfer(test.database, transfer))?.contradictions, ['amount']);
    const other = startProcess(operator);
    other.scanner.start();
    await pollUntil('success', async () => (await stateOf(transfer)) === 'succeeded');
    await other.scanner.stop();
    await other.dispatcher.idle();
    assert.equal(answers.length, 0, 'only the answer with the amount counts');
    const states = other.recorded.map((record) => record.kind === 'recorded' && record.to);
    assert.deepEqual(states, ['in_doubt', 'in_doubt', 'succeeded']);
  });

  it('queues again when provably nothing was sent, and submits under the same reference', async () => {
    let tries = 0;
    const operator = scriptRoute({
      submit: () => {
        tries += 1;
        return tries === 1 ? { kind: 'notSent', cause: 'refused', retryInMs: 50 } : PAID;
      },
    });
    const one = startProcess(operator);
    const transfer = await store(one.leaseOwner);
    one.dispatch(transfer);
    one.scanner.start();
    await pollUntil('success', async () => (await stateOf(transfer)) === 'succeeded');
    await one.scanner.stop();
    assert.equal(new Set(operator.calls.map((c) => c.operatorReference)).size, 1);
    assert.equal(tries, 2);
  });

  it('does not send when its lease is nearly over, because it was paused and others inquire', async () => {
    const operator = scriptRoute({ submit: () => PAID });
    let nowMs = 0;
    const one = startProcess(operator, () => {
      nowMs += LEASE_MS;
      return nowMs;
    });
    const transfer = await store(one.leaseOwner);
    one.dispatch(transfer);
    await one.dispatcher.idle();
    assert.deepEqual(operator.calls, []);
    assert.equal(await stateOf(transfer), 'submitting');
  });
});

describe('a takeover', () => {
  it('inquires about a transfer of a process that died, and never submits it', async () => {
    const operator = scriptRoute({ submit: () => PAID, inquire: () => REJECTED });
    const transfer = await store(randomUUID());
    await expireLeases(test.database);
    const two = startProcess(operator);
    two.scanner.start();
    await pollUntil('failure', async () => (await stateOf(transfer)) === 'failed');
    await two.scanner.stop();
    const ours = operator.calls.filter((c) => c.operatorReference === transfer.operatorReference);
    assert.deepEqual(
      ours.map(({ call }) => call),
      ['inquire'],
    );
    assert.equal(await heldMinor(), 0n);
  });

  it('does not treat an unsent inquiry as an unsent payout', async () => {
    const never: Outcome = { kind: 'notSent', cause: 'refused', retryInMs: 50 };
    const operator = scriptRoute({ submit: () => PAID, inquire: () => never });
    const transfer = await store(randomUUID());
    await expireLeases(test.database);
    const two = startProcess(operator);
    two.scanner.start();
    await pollUntil('doubt', async () => (await stateOf(transfer)) === 'in_doubt');
    await two.scanner.stop();
    await two.dispatcher.idle();
    const ours = operator.calls.filter((c) => c.operatorReference === transfer.operatorReference);
    assert.ok(ours.every(({ call }) => call === 'inquire'));
  });

  it('flags it for review where the connector cannot inquire', async () => {
    const operator = scriptRoute({ submit: () => PAID, abilities: { inquires: false } });
    const transfer = await store(randomUUID());
    await expireLeases(test.database);
    const two = startProcess(operator);
    two.scanner.start();
    await pollUntil('doubt', async () => (await stateOf(transfer)) === 'in_doubt');
    await two.scanner.stop();
    await two.dispatcher.idle();
    const submitted = operator.calls.filter(({ call }) => call === 'submit');
    assert.deepEqual(submitted, []);
    assert.equal(await isFlagged(transfer), true);
    assert.equal(await heldMinor(), transfer.amountMinor);
    assert.equal(operator.limiter.used(), 0);
  });

  it('does not lose the answer that the first process gets late', async () => {
    let answer: (outcome: Outcome) => void = () => undefined;
    const late = new Promise<Outcome>((resolve) => {
      answer = resolve;
    });
    const slow = scriptRoute({ submit: () => late });
    const one = startProcess(slow);
    const transfer = await store(one.leaseOwner);
    one.dispatch(transfer);
    await expireLeases(test.database);
    const two = startProcess(scriptRoute({ inquire: () => LOST }));
    two.scanner.start();
    await pollUntil('doubt', async () => (await stateOf(transfer)) === 'in_doubt');
    await two.scanner.stop();
    answer(PAID);
    await one.dispatcher.idle();
    assert.equal(await stateOf(transfer), 'succeeded');
    assert.equal(await heldMinor(), 0n);
  });

  it('reports a final answer that contradicts what is recorded, and changes nothing', async () => {
    let answer: (outcome: Outcome) => void = () => undefined;
    const late = new Promise<Outcome>((resolve) => {
      answer = resolve;
    });
    const one = startProcess(scriptRoute({ submit: () => late }));
    const transfer = await store(one.leaseOwner);
    one.dispatch(transfer);
    await expireLeases(test.database);
    const two = startProcess(scriptRoute({ inquire: () => REJECTED }));
    two.scanner.start();
    await pollUntil('failure', async () => (await stateOf(transfer)) === 'failed');
    await two.scanner.stop();
    answer(PAID);
    await one.dispatcher.idle();
    assert.deepEqual(one.recorded, [
      { kind: 'contradicted', recorded: 'failed', incident: 'paid_after_failure' },
    ]);
    assert.equal(await stateOf(transfer), 'failed');
  });
});

describe('a transfer that is returned after success', () => {
  it('is credited again', async () => {
    const operator = scriptRoute({
      submit: () => ({ ...PAID, inquireAgainInMs: 50 }),
      inquire: () => ({ kind: 'returned', cause: 'the operator took it back' }),
    });
    const one = startProcess(operator);
    const transfer = await store(one.leaseOwner);
    one.dispatch(transfer);
    one.scanner.start();
    await pollUntil('reversal', async () => (await stateOf(transfer)) === 'reversed');
    await one.scanner.stop();
    const [wallet] = await test.database.query<{ available_minor: bigint }>(
      { name: '', text: 'select available_minor from wallets where id = $1' },
      [walletId],
    );
    assert.equal(wallet?.available_minor, FUNDED);
  });
});

describe('two routes of a pair', () => {
  const never: Outcome = { kind: 'notSent', cause: 'refused', retryInMs: 60_000 };

  async function settle(second: Outcome) {
    const operator = scriptRoutes([
      { name: 'first', submit: () => never },
      { name: 'second', submit: () => second, inquire: () => LOST },
    ]);
    const one = startProcess(operator);
    const transfer = await storeTestTransfer(test.database, {
      book,
      walletId,
      leaseOwner: one.leaseOwner,
      route: 'first',
    });
    one.dispatch(transfer);
    one.scanner.start();
    const ended = second.kind === 'paid' ? 'succeeded' : 'in_doubt';
    await pollUntil(ended, async () => (await stateOf(transfer)) === ended);
    await one.scanner.stop();
    await one.dispatcher.idle();
    const calls = operator.calls.filter((c) => c.operatorReference === transfer.operatorReference);
    return { calls: calls.map(({ call, route }) => `${call} ${route}`), transfer };
  }

  it('uses the second when provably nothing was sent by the first, under the same reference', async () => {
    const { calls, transfer } = await settle(PAID);
    assert.deepEqual(calls, ['submit first', 'submit second']);
    assert.equal((await findTransfer(test.database, transfer))?.route, 'second');
  });

  it('stays with the one that may have the order while it is in doubt', async () => {
    const { calls } = await settle(LOST);
    assert.deepEqual(calls.slice(0, 2), ['submit first', 'submit second']);
    assert.ok(calls.slice(2).every((call) => call === 'inquire second'));
  });

  it('keeps transfers on a held one, even when the other is free', async () => {
    const operator = scriptRoutes([
      { name: 'first', isHeld: () => true },
      { name: 'second', submit: () => PAID },
    ]);
    const one = startProcess(operator);
    const queue = (route: string) => {
      const stored = { book, walletId, leaseOwner: one.leaseOwner, route, reserved: false };
      return storeTestTransfer(test.database, stored);
    };
    const waiting = await queue('first');
    one.scanner.start();
    // The scanner goes through the routes in turn: when it has read this one twice, it has read the other.
    for (let rounds = 0; rounds < 2; rounds += 1) {
      const other = await queue('second');
      await pollUntil('success', async () => (await stateOf(other)) === 'succeeded');
    }
    await one.scanner.stop();
    assert.equal(await stateOf(waiting), 'queued');
    assert.ok(operator.calls.every(({ route }) => route === 'second'));
  });

  it('does not move what was not sent onto a held one, which never had it', async () => {
    let refusals = 1;
    const operator = scriptRoutes([
      { name: 'first', submit: () => (refusals-- > 0 ? never : PAID) },
      { name: 'second', isHeld: () => true },
    ]);
    const one = startProcess(operator);
    const given = { book, walletId, leaseOwner: one.leaseOwner, route: 'first' };
    const transfer = await storeTestTransfer(test.database, given);
    one.dispatch(transfer);
    await one.dispatcher.idle();
    assert.equal((await findTransfer(test.database, transfer))?.route, 'first');
    one.scanner.start();
    await pollUntil('success', async () => (await stateOf(transfer)) === 'succeeded');
    await one.scanner.stop();
    await one.dispatcher.idle();
  });

  it('uses the other for transfers that wait on a shut one', async () => {
    const operator = scriptRoutes([
      { name: 'first', submit: () => never, isShut: true },
      { name: 'second', submit: () => PAID },
    ]);
    const one = startProcess(operator);
    const transfer = await storeTestTransfer(test.database, {
      book,
      walletId,
      leaseOwner: one.leaseOwner,
      route: 'first',
      reserved: false,
    });
    one.scanner.start();
    await pollUntil('success', async () => (await stateOf(transfer)) === 'succeeded');
    await one.scanner.stop();
    const ours = operator.calls.filter((c) => c.operatorReference === transfer.operatorReference);
    assert.deepEqual(
      ours.map(({ call, route }) => `${call} ${route}`),
      ['submit second'],
    );
  });
});

describe('an operator that asked for a pause', () => {
  it('gets nothing that was about to be sent: it goes back to the queue', async () => {
    let pausedMs = 20;
    const operator = scriptRoute({ submit: () => PAID, pausedMs: () => pausedMs });
    const one = startProcess(operator);
    const transfer = await store(one.leaseOwner);
    one.dispatch(transfer);
    await one.dispatcher.idle();
    assert.equal(await stateOf(transfer), 'queued');
    assert.equal(operator.calls.length, 0);
    assert.equal(operator.limiter.used(), 0);
    pausedMs = 0;
    one.scanner.start();
    await pollUntil('success', async () => (await stateOf(transfer)) === 'succeeded');
    await one.scanner.stop();
  });

  it('keeps its transfers during a short pause, although another route is open', async () => {
    const [short, long] = await Promise.all(
      [false, true].map(async (isShut) => {
        const operator = scriptRoutes([
          { isShut, pausedMs: () => 20 },
          { name: 'other', submit: () => PAID },
        ]);
        const one = startProcess(operator);
        const transfer = await store(one.leaseOwner);
        one.dispatch(transfer);
        await one.dispatcher.idle();
        return (await findTransfer(test.database, transfer))?.route;
      }),
    );
    assert.equal(short, 'sandbox');
    assert.equal(long, 'other');
  });

  it('gets no inquiry that was about to be sent', async () => {
    let pausedMs = 0;
    const inquire = () => PAID;
    const operator = scriptRoute({ submit: () => LOST, inquire, pausedMs: () => pausedMs });
    const one = startProcess(operator);
    const transfer = await store(one.leaseOwner);
    one.dispatch(transfer);
    await one.dispatcher.idle();
    pausedMs = 20;
    one.dispatcher.inquire({ ...transfer, state: 'in_doubt' });
    await one.dispatcher.idle();
    assert.deepEqual(
      operator.calls.map(({ call }) => call),
      ['submit'],
    );
    assert.equal(operator.limiter.used(), 0);
  });
});
