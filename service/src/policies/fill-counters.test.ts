import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { createPayingProcess, isAccepted } from '../../test/paying-process.ts';
import { putPolicy } from '../../test/put-policy.ts';
import { createTestBook, createTestWallet } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import type { WindowNeed } from '../domain/policy/order.ts';
import { addToCounters, readCounters } from './policy-counters.ts';

const KEY = '019a0000-0000-7000-8000-00000000000b';
const REFUSE = { refuse: true };
const HOUR = { kind: 'sliding', seconds: 3_600 } as const;

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

describe('a policy that counts', () => {
  it('counts what a process with a slow clock accepted before it was published', async () => {
    const book = await createTestBook(test.database);
    const wallet = { bookId: book.id, fundedMinor: 10_000n };
    const walletId = await createTestWallet(test.database, wallet);
    const often = (by: string) => ({
      name: by,
      when: { count: { by, window: 'PT1H', above: 5 } },
      require: REFUSE,
    });
    // Orders have the time of the database where a policy counts.
    await putPolicy(test.database, book, [often('recipient')]);
    const slow = createPayingProcess(test.database, { clock: () => Date.now() - 23 * 60 * 60_000 });
    assert.ok(isAccepted(await slow.pay(book, { walletId, amountMinor: 100n })));
    await putPolicy(test.database, book, [often('wallet')]);
    const of: WindowNeed = { by: 'wallet', subject: walletId, currency: 'ZMW', window: HOUR };
    const counted = await readCounters(test.database, [{ bookId: book.id, of }], new Date());
    assert.deepEqual(counted, [{ count: 1, sumMinor: 100n }]);
  });

  it('counts what was accepted before it was published, by whom and for whom it was', async () => {
    const book = await createTestBook(test.database);
    const walletId = await createTestWallet(test.database, {
      bookId: book.id,
      fundedMinor: 10_000n,
    });
    const person = randomUUID();
    const process = createPayingProcess(test.database);
    const byKey = { walletId, actor: `key:${KEY}` };
    const byPerson = {
      walletId,
      actor: `person:${person}`,
      origin: { source: 'console' as const, madeBy: person },
    };
    for (const order of [byKey, byKey, byPerson]) {
      assert.ok(isAccepted(await process.pay(book, { ...order, amountMinor: 100n })));
    }
    const subjects = { wallet: walletId, key: KEY, person, operator: 'airtel' };
    const rules = Object.keys(subjects).flatMap((by) => [
      { name: `${by} day`, when: { sum: { by, day: true, above: '1.00' } }, require: REFUSE },
      { name: `${by} hour`, when: { count: { by, window: 'PT1H', above: 1 } }, require: REFUSE },
    ]);
    await putPolicy(test.database, book, rules);
    const counts = await Promise.all(
      Object.entries(subjects).map(async ([by, subject]) => {
        const of = { by, subject, currency: 'ZMW', window: HOUR } as WindowNeed;
        const [counted] = await readCounters(test.database, [{ bookId: book.id, of }], new Date());
        return [by, counted?.count, counted?.sumMinor];
      }),
    );
    assert.deepEqual(counts, [
      ['wallet', 3, 300n],
      ['key', 2, 200n],
      ['person', 1, 100n],
      ['operator', 3, 300n],
    ]);
    const [row] = await test.database.query<{ days: bigint }>(
      {
        name: '',
        text: `select count(*) as days from policy_counters where book_id = $1 and bucket_seconds = 0`,
      },
      [book.id],
    );
    assert.equal(row?.days, 4n);
  });

  it('never counts too little at the edge of a window, and forgets what none reaches', async () => {
    const bookId = (await createTestBook(test.database)).id;
    const counted = [{ by: 'wallet', window: HOUR }] as const;
    const start = new Date('2026-11-16T10:00:30.999Z').getTime();
    const order = {
      amountMinor: 1n,
      currency: 'ZMW',
      phone: '+260977433571',
      operator: 'airtel',
      country: 'zm',
      walletId: randomUUID(),
      keyId: null,
      personId: null,
      source: 'api',
      metadata: null,
      recipientName: null,
      at: new Date(start),
      sendAt: null,
    } as const;
    const of = { by: 'wallet', subject: order.walletId, currency: 'ZMW', window: HOUR } as const;
    const countAt = async (afterMs: number) => {
      const at = new Date(start + afterMs);
      const [found] = await readCounters(test.database, [{ bookId, of }], at);
      return found?.count;
    };
    await addToCounters(test.database, [{ bookId, order, counted }]);
    assert.equal(await countAt(0), 1);
    assert.equal(await countAt(3_599_999), 1);
    // A bucket is a sixty-fourth of the window: counted whole, it is over soon after it.
    assert.equal(await countAt(3_600_000 + 57_000), 0);
    const later = { ...order, at: new Date(start + 2 * 3_600_000) };
    await addToCounters(test.database, [{ bookId, order: later, counted }]);
    const rows = await test.database.query<{ bucket: bigint }>(
      { name: '', text: 'select bucket from policy_counters where book_id = $1' },
      [bookId],
    );
    assert.equal(rows.length, 1);
  });
});
