import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createTestBook } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { Refusal } from '../domain/refusal.ts';
import { createLookupAllowance } from './lookup-allowance.ts';

let test: TestDatabase;
let bookId: string;
let now = new Date('2026-11-15T20:00:00Z');
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());
beforeEach(async () => {
  ({ id: bookId } = await createTestBook(test.database, { mode: 'live' }));
  now = new Date('2026-11-15T20:00:00Z');
});

/** The allowance as one process has it. */
const process = (namesPerDayMax: number) =>
  createLookupAllowance({
    database: test.database,
    now: () => now,
    monotonicMs: () => performance.now(),
    namesPerDayMax,
  });

const take = async (
  allowance: ReturnType<typeof process>,
  { times, actor }: Readonly<{ times: number; actor: string }>,
): Promise<number> => {
  const takes = Array.from({ length: times }, () => allowance.take({ bookId, actor }));
  const results = await Promise.allSettled(takes);
  for (const result of results) {
    if (result.status === 'fulfilled') continue;
    assert.ok(result.reason instanceof Refusal, String(result.reason));
    assert.equal(result.reason.code, 'RATE_LIMITED');
  }
  return results.filter(({ status }) => status === 'fulfilled').length;
};

describe('names per key and day', () => {
  const actor = `key ${randomUUID()}`;

  it('are limited exactly, however many are requested at once and in how many processes', async () => {
    const processes = [process(50), process(50), process(50)];
    const taken = await Promise.all(processes.map((one) => take(one, { times: 40, actor })));
    assert.equal(
      taken.reduce((sum, count) => sum + count, 0),
      50,
    );
  });

  it('stay used up after a restart', async () => {
    assert.equal(await take(process(3), { times: 5, actor }), 3);
    assert.equal(await take(process(3), { times: 5, actor }), 0);
    assert.equal(await take(process(4), { times: 1, actor }), 0, 'all five are used');
    assert.equal(await take(process(6), { times: 5, actor }), 1);
  });

  it('are counted for each key separately', async () => {
    const allowance = process(2);
    const counts = await Promise.all([
      take(allowance, { times: 3, actor }),
      take(allowance, { times: 3, actor: 'key of another' }),
    ]);
    assert.deepEqual(counts, [2, 2]);
  });

  it('start again at midnight UTC, and the refusal says when that is', async () => {
    const allowance = process(1);
    await take(allowance, { times: 1, actor });
    const refused = await allowance.take({ bookId, actor }).catch((error: unknown) => error);
    assert.ok(refused instanceof Refusal);
    assert.equal(refused.detail.retryAfterSeconds, 4 * 3_600);
    now = new Date('2026-11-16T00:00:00Z');
    assert.equal(await take(allowance, { times: 2, actor }), 1);
    now = new Date('2026-11-15T23:59:59Z');
    assert.equal(await take(allowance, { times: 2, actor }), 0, 'a clock that is behind');
  });

  it('are unlimited, and cost nothing, where the limit is 0', async () => {
    assert.equal(await take(process(0), { times: 100, actor }), 100);
    const rows = await test.database.query(
      { name: '', text: 'select 1 from name_lookup_days where book_id = $1' },
      [bookId],
    );
    assert.equal(rows.length, 0);
  });
});
