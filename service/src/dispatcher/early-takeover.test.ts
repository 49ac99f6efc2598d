import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, beforeEach, it } from 'node:test';
import { createDispatchProcess } from '../../test/dispatch-process.ts';
import { type FakeRoute, scriptRoute } from '../../test/fake-route.ts';
import { pollUntil } from '../../test/poll.ts';
import { storeTestTransfer } from '../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import type { Book } from '../domain/book.ts';
import { type Outcome, REPORTED_FIELDS } from '../domain/outcome.ts';
import type { Transfer } from '../domain/transfer.ts';
import { expireLeases } from '../transfers/move/claim-due.ts';
import { findTransfer } from '../transfers/read/find-transfer.ts';

// A starting process ends all leases, including those of a process that is still running. That causes an early inquiry,
// and nothing else.

const PAID: Outcome = {
  kind: 'paid',
  operatorTransactionId: 'receipt-1',
  confirmed: REPORTED_FIELDS,
};

let test: TestDatabase;
let book: Book;
let walletId: string;
const stops: (() => Promise<void>)[] = [];
before(async () => {
  test = await createTestDatabase();
});
beforeEach(async () => {
  book = await createTestBook(test.database);
  walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 1_000n });
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
after(() => test.drop());

function startProcess(operator: FakeRoute, beforeMove: () => Promise<void> = async () => {}) {
  const started = createDispatchProcess(test, operator, {
    around: (commit) => async (moves) => {
      await beforeMove();
      return commit(moves);
    },
  });
  stops.push(async () => {
    await started.scanner.stop();
    await started.dispatcher.idle();
  });
  return started;
}

const store = (reference: string = randomUUID()) => {
  const order = { book, walletId, reference, leaseOwner: randomUUID() };
  return storeTestTransfer(test.database, { ...order, reserved: false });
};

const stateOf = async (transfer: Transfer) => (await findTransfer(test.database, transfer))?.state;

it('a transfer that was claimed and has not yet left the queue is sent once', async () => {
  const operator = scriptRoute({ submit: () => PAID });
  const other = startProcess(operator);
  // A retry is looked at between its claim and its move; what pays nothing again leaves with the claim.
  const transfer = await store('a.retry-1');
  let isFirst = true;
  const one = startProcess(operator, async () => {
    if (!isFirst) return;
    isFirst = false;
    await expireLeases(test.database);
    other.scanner.start();
    await pollUntil('the other process', async () => (await stateOf(transfer)) === 'succeeded');
  });
  one.scanner.start();
  await pollUntil('success', async () => (await stateOf(transfer)) === 'succeeded');
  await one.scanner.stop();
  await one.dispatcher.idle();
  assert.equal(isFirst, false);
  assert.deepEqual(
    operator.calls.map(({ call }) => call),
    ['submit'],
  );
});

it('a transfer that is being sent gets an early inquiry, is not sent again, and its answer counts', async () => {
  let answer: (outcome: Outcome) => void = () => undefined;
  const late = new Promise<Outcome>((resolve) => {
    answer = resolve;
  });
  const operator = scriptRoute({
    submit: () => late,
    inquire: () => ({ kind: 'notFound' }),
    abilities: { notFoundIsFinal: true },
  });
  const one = startProcess(operator);
  const transfer = await store();
  one.scanner.start();
  await pollUntil('the submission', () => operator.calls.length > 0);
  await one.scanner.stop();
  await expireLeases(test.database);
  const other = startProcess(operator);
  other.scanner.start();
  await pollUntil('the early inquiry', async () => (await stateOf(transfer)) === 'in_doubt');
  await other.scanner.stop();
  await other.dispatcher.idle();
  answer(PAID);
  await one.dispatcher.idle();
  assert.equal(await stateOf(transfer), 'succeeded');
  assert.equal(operator.calls.filter(({ call }) => call === 'submit').length, 1);
});
