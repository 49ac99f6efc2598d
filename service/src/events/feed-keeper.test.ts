import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { pollUntil } from '../../test/poll.ts';
import { storeTestEndpoint } from '../../test/stored-delivery.ts';
import { createTestBook } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { createTestFeed } from '../../test/test-feed.ts';
import type { Database } from '../postgres/database.ts';
import { createFeedKeeper } from './feed-keeper.ts';

describe('the feed keeper', () => {
  let test: TestDatabase;
  let database: Database;
  before(async () => {
    test = await createTestDatabase();
    ({ database } = test);
  });
  after(() => test.drop());

  /** Events of one subject, queued one by one by a trigger. */
  async function writeEvents(bookId: string, count: number): Promise<void> {
    const text = `
      insert into events (book_id, subject_id, seq, type, to_state, cause, actor, created_at)
      select $1::uuid, $2::uuid, n, 'transfer.created', 'queued', 'accepted', 'test', now()
      from generate_series(1, $3::integer) n`;
    await database.query({ name: '', text }, [bookId, randomUUID(), count]);
  }

  /** Queued rows as large groups leave them; the feed never reads the events themselves. */
  async function queueGroups(bookId: string, groups: number, size: number): Promise<void> {
    const text = `
      insert into feed_pending (book_ids, subject_ids, seqs)
      select array_agg($1::uuid), array_agg(gen_random_uuid()), array_agg(1)
      from generate_series(1, $2::integer) g cross join generate_series(1, $3::integer)
      group by g`;
    await database.query({ name: '', text }, [bookId, groups, size]);
  }

  async function countPlaced(bookId: string): Promise<number> {
    const text = `
      select coalesce(sum(cardinality(seqs)), 0)::integer as count
      from feed_batches where book_id = $1`;
    const [row] = await database.query<{ count: number }>({ name: '', text }, [bookId]);
    return row?.count ?? 0;
  }

  it('places a backlog of more rows, and of more events, than one statement takes', async () => {
    const { id } = await createTestBook(database);
    const feed = createTestFeed(database);
    await writeEvents(id, 2_500);
    await feed.catchUp();
    assert.equal(await countPlaced(id), 2_500);
    await queueGroups(id, 60, 1_000);
    await feed.catchUp();
    assert.equal(await countPlaced(id), 62_500);
  });

  it('is woken by commits only while an endpoint waits for events', async () => {
    const book = await createTestBook(database);
    let looks = 0;
    let deliveries = 0;
    const keeper = createFeedKeeper({
      database: {
        ...database,
        query: (statement, values) => {
          if (statement.name === 'has-pending-events') looks += 1;
          return database.query(statement, values);
        },
      },
      onDeliveries: () => {
        deliveries += 1;
      },
      logger: { warn: (_, message) => assert.fail(message) },
    });
    await writeEvents(book.id, 1);
    keeper.start();
    await pollUntil('the first event is placed', async () => (await countPlaced(book.id)) === 1);
    await storeTestEndpoint(database, { bookId: book.id });
    await writeEvents(book.id, 1);
    keeper.onCommitted();
    // Longer than the gap between two passes, so that a pass would have come.
    await wait(300);
    assert.equal(looks, 1, 'it knows of no endpoint yet');
    keeper.wake();
    await pollUntil('a delivery is queued', () => deliveries === 1);
    await writeEvents(book.id, 1);
    keeper.onCommitted();
    await pollUntil('the next delivery is queued', () => deliveries === 2);
    await keeper.stop();
  });
});
