import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { storeTestTransfer } from '../../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import type { Transfer } from '../../domain/transfer.ts';
import type { Row } from '../../postgres/session.ts';
import { cleanCallbacks } from './clean-callbacks.ts';
import { type NewCallback, storeCallbacks } from './store-callbacks.ts';

const ROUTE = 'mtn-zm';
const DAY_MS = 24 * 60 * 60 * 1_000;
const NOW = new Date();
/** Less than what a lock is waited for. */
const WAIT_MAX_MS = 2_000;

let test: TestDatabase;
let transfer: Transfer;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());
beforeEach(async () => {
  await run('delete from callbacks');
  await run('delete from callback_usage');
  const book = await createTestBook(test.database, { mode: 'live' });
  const walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 1_000n });
  const leaseOwner = randomUUID();
  transfer = await storeTestTransfer(test.database, { book, walletId, leaseOwner, route: ROUTE });
});

function run<Read extends Row>(text: string, values: readonly unknown[] = []) {
  return test.database.query<Read>({ name: '', text }, values);
}

function callback(given: Partial<NewCallback> = {}) {
  return {
    id: randomUUID(),
    route: ROUTE,
    method: 'PUT',
    headers: {},
    body: Buffer.from('0123456789'),
    reading: 'read' as const,
    cause: null,
    operatorReference: null,
    claims: 'paid',
    reported: null,
    verified: false,
    receivedAt: NOW,
    ...given,
  };
}

/** Stores a callback that was handled so many days ago. */
async function storeHandled(daysAgo: number, operatorReference: string | null = null) {
  const one = callback({ operatorReference });
  await storeCallbacks(test.database, [one]);
  const handledAt = new Date(NOW.getTime() - daysAgo * DAY_MS);
  await run(`update callbacks set handled_at = $2, handled_as = 'INQUIRED' where id = $1`, [
    one.id,
    handledAt,
  ]);
  return one.id;
}

async function kept(): Promise<readonly string[]> {
  return (await run<{ id: string }>('select id from callbacks')).map(({ id }) => id);
}

async function usage() {
  const rows = await run<{ route: string; calls: string; bytes: string }>(
    'select route, calls::text, bytes::text from callback_usage order by route',
  );
  return rows.map(({ route, calls, bytes }) => [route, Number(calls), Number(bytes)]);
}

describe('storing callbacks', () => {
  it('counts what each route has stored, and refuses what exceeds its maximum', async () => {
    const limits = { callsMax: 3, bytesMax: 1_000 };
    const other = callback({ route: 'airtel-zm' });
    const group = [callback(), callback(), other, callback(), callback()];
    assert.deepEqual(await storeCallbacks(test.database, group, limits), [
      true,
      true,
      true,
      true,
      false,
    ]);
    assert.deepEqual(await storeCallbacks(test.database, [callback()], limits), [false]);
    assert.deepEqual(await usage(), [
      ['airtel-zm', 1, 10],
      [ROUTE, 3, 30],
    ]);
    assert.equal((await kept()).length, 4);
    const few = { callsMax: 100, bytesMax: 45 };
    assert.deepEqual(await storeCallbacks(test.database, [callback(), callback()], few), [
      true,
      false,
    ]);
  });
});

describe('a stored callback', () => {
  it('keeps the beginning of what is too long', async () => {
    const long = (first: string) => first.padEnd(300, 'x');
    const reported = { amountMinor: 1n, currency: long('ZMW'), phone: long('+26097') };
    const one = callback({ cause: long('no signature'), reported });
    await storeCallbacks(test.database, [one]);
    const rows = await run<{ cause: string; currency: string; phone: string }>(
      `select cause, reported_currency as currency, reported_phone as phone from callbacks
       where id = $1`,
      [one.id],
    );
    assert.equal(rows.length, 1);
    assert.match(rows[0]?.cause ?? '', /^no signaturex{188}$/);
    assert.match(rows[0]?.currency ?? '', /^ZMWx*$/);
    assert.match(rows[0]?.phone ?? '', /^\+26097x*$/);
  });
});

describe('cleaning callbacks', () => {
  it('passes over one that another process works on', async () => {
    const held = await storeHandled(31);
    const free = await storeHandled(31);
    await test.database.transaction(async (tx) => {
      const text = 'select from callbacks where id = $1 for update';
      await tx.query({ name: '', text }, [held]);
      const cleaned = cleanCallbacks(test.database, NOW);
      const tooLate = setTimeout(WAIT_MAX_MS, undefined, { ref: false });
      assert.equal(await Promise.race([cleaned, tooLate]), 1);
    });
    const left = await kept();
    assert.deepEqual([left.includes(held), left.includes(free)], [true, false]);
  });

  it('deletes callbacks that were handled long ago, and reduces the usage', async () => {
    await storeHandled(31);
    const young = await storeHandled(29);
    const [unhandled] = [callback()];
    await storeCallbacks(test.database, [unhandled]);
    assert.equal(await cleanCallbacks(test.database, NOW), 1);
    assert.deepEqual(new Set(await kept()), new Set([young, unhandled.id]));
    assert.deepEqual(await usage(), [[ROUTE, 2, 20]]);
    assert.equal(await cleanCallbacks(test.database, NOW), 0);
  });

  it('keeps callbacks of an undecided transfer or an open incident', async () => {
    const id = await storeHandled(400, transfer.operatorReference);
    const leaveIn = (state: string) =>
      run(`update transfers set lease_owner = null, ${state} where id = $1`, [transfer.id]);
    await leaveIn(`state = 'in_doubt', in_doubt_since = now(), next_action_at = now()`);
    assert.equal(await cleanCallbacks(test.database, NOW), 0);
    await leaveIn(
      `state = 'failed', in_doubt_since = null, failure_code = 'OPERATOR_REJECTED',
       completed_at = now(), next_action_at = null`,
    );
    await run(
      `insert into incidents (book_id, id, transfer_id, kind, opened_at)
       values ($1, $2, $3, 'paid_after_failure', now())`,
      [transfer.bookId, randomUUID(), transfer.id],
    );
    assert.equal(await cleanCallbacks(test.database, NOW), 0);
    assert.deepEqual(await kept(), [id]);
    await run(`update incidents set closed_at = now(), closed_by = 'a', note = 'b'`);
    assert.equal(await cleanCallbacks(test.database, NOW), 1);
  });

  it('deletes sooner where a route has nearly reached its maximum', async () => {
    await storeHandled(3);
    const today = await storeHandled(0.5);
    assert.equal(await cleanCallbacks(test.database, NOW), 0);
    await run('update callback_usage set bytes = bytes + 1073000000');
    assert.equal(await cleanCallbacks(test.database, NOW), 1);
    assert.deepEqual(await kept(), [today]);
  });
});
