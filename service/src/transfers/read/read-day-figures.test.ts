import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { storeTestTransfer } from '../../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import type { Book } from '../../domain/book.ts';
import { readDayFigures } from './read-day-figures.ts';

const DAY = '2026-03-05';

let test: TestDatabase;
let live: Book;
before(async () => {
  test = await createTestDatabase();
  live = await createTestBook(test.database, { mode: 'live' });
});
after(() => test.drop());

/** A transfer that ended at a time, so many seconds after its order. */
async function storeEnded(
  state: string,
  at: string,
  seconds: number,
  book = live,
): Promise<string> {
  const leaseOwner = randomUUID();
  const wallet = { bookId: book.id, fundedMinor: 1_000n };
  const walletId = await createTestWallet(test.database, wallet);
  const { id } = await storeTestTransfer(test.database, { book, walletId, leaseOwner });
  const text = `
    update transfers
    set state = $2::text, failure_code = case when $2::text in ('failed', 'cancelled') then 'OPERATOR_REJECTED' end,
        lease_owner = null, next_action_at = null, completed_at = $3::timestamptz,
        created_at = $3::timestamptz - $4::integer * interval '1 s'
    where id = $1`;
  await test.database.query({ name: '', text }, [id, state, at, seconds]);
  return id;
}

async function storeStep(
  id: string,
  step: Readonly<{ seq: number; from: string; to: string; at: string }>,
  book = live,
): Promise<void> {
  const text = `
    insert into events (book_id, subject_id, seq, from_state, to_state, cause, actor, created_at)
    values ($1, $2, $3, $4, $5, 'OPERATOR_PAID', 'test', $6)`;
  const { seq, from, to, at } = step;
  await test.database.query({ name: '', text }, [book.id, id, seq, from, to, at]);
}

describe('the figures of a day', () => {
  it('count what ended on it, and how long the paid ones took', async () => {
    await storeEnded('succeeded', `${DAY}T00:00:00Z`, 1);
    await storeEnded('succeeded', `${DAY}T12:00:00Z`, 2);
    await storeEnded('succeeded', `${DAY}T23:59:59Z`, 9);
    await storeEnded('reversed', `${DAY}T12:00:00Z`, 500);
    await storeEnded('failed', `${DAY}T12:00:00Z`, 600);
    await storeEnded('cancelled', `${DAY}T12:00:00Z`, 700);
    await storeEnded('succeeded', '2026-03-04T23:59:59Z', 800);
    await storeEnded('failed', '2026-03-06T00:00:00Z', 900);
    const { paid, failed, medianMs, p99Ms, isPartial } = await readDayFigures(test.database, DAY);
    assert.deepEqual([paid, failed, medianMs, p99Ms, isPartial], [4, 1, 2_000, 9_000, false]);
  });

  it('count the doubts that began and that ended on it', async () => {
    const id = await storeEnded('succeeded', '2026-03-08T00:00:00Z', 1);
    const steps = [
      { seq: 10, from: 'submitting', to: 'in_doubt', at: `${DAY}T01:00:00Z` },
      { seq: 11, from: 'in_doubt', to: 'succeeded', at: `${DAY}T02:00:00Z` },
      { seq: 12, from: 'submitting', to: 'in_doubt', at: `${DAY}T03:00:00Z` },
      { seq: 13, from: 'queued', to: 'submitting', at: `${DAY}T04:00:00Z` },
      { seq: 14, from: 'submitting', to: 'in_doubt', at: '2026-03-06T00:00:00Z' },
      { seq: 15, from: 'in_doubt', to: 'failed', at: '2026-03-06T01:00:00Z' },
    ];
    for (const step of steps) await storeStep(id, step);
    const { doubtsOpened, doubtsEnded } = await readDayFigures(test.database, DAY);
    assert.deepEqual([doubtsOpened, doubtsEnded], [2, 1]);
  });

  it('count neither test books nor what a merchant that moved left here', async () => {
    const day = '2026-03-12';
    const tried = await createTestBook(test.database);
    const moved = await createTestBook(test.database, { mode: 'live' });
    await storeEnded('succeeded', `${day}T12:00:00Z`, 60);
    for (const book of [tried, moved]) {
      await storeEnded('failed', `${day}T12:00:00Z`, 1, book);
      const id = await storeEnded('succeeded', `${day}T12:00:00Z`, 1, book);
      const doubt = { seq: 10, from: 'submitting', to: 'in_doubt', at: `${day}T01:00:00Z` };
      await storeStep(id, doubt, book);
    }
    const leave = `update merchants set state = 'moved' where id = $1`;
    await test.database.query({ name: '', text: leave }, [moved.merchantId]);
    const figures = await readDayFigures(test.database, day);
    const { paid, failed, medianMs, doubtsOpened } = figures;
    assert.deepEqual([paid, failed, medianMs, doubtsOpened], [1, 0, 60_000, 0]);
  });

  it('are empty for a day without transfers', async () => {
    assert.deepEqual(await readDayFigures(test.database, '2026-03-20'), {
      day: '2026-03-20',
      paid: 0,
      failed: 0,
      doubtsOpened: 0,
      doubtsEnded: 0,
      medianMs: null,
      p99Ms: null,
      isPartial: false,
    });
  });
});
