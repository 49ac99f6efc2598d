import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import { createTestBook } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { createTestFeed } from '../../test/test-feed.ts';
import { listChanges, readChangePosition } from './list-changes.ts';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

async function writeEvents(bookId: string, count: number): Promise<void> {
  const text = `
    insert into events (book_id, subject_id, seq, type, to_state, cause, actor, created_at)
    select $1::uuid, $2::uuid, n, 'transfer.created', 'queued', 'accepted', 'test', now()
    from generate_series(1, $3::integer) n`;
  await test.database.query({ name: '', text }, [bookId, randomUUID(), count]);
  await createTestFeed(test.database).catchUp();
}

it('lists what changed in the books asked for, and goes on after what changed in others', async () => {
  const [mine, theirs] = [await createTestBook(test.database), await createTestBook(test.database)];
  const after = await readChangePosition(test.database);
  await writeEvents(theirs.id, 3);
  const none = await listChanges(test.database, { after, bookIds: [mine.id] });
  assert.deepEqual(none.changes, []);
  assert.equal(none.position, await readChangePosition(test.database));
  await writeEvents(mine.id, 2);
  const some = await listChanges(test.database, { after: none.position, bookIds: [mine.id] });
  assert.deepEqual(
    some.changes.map(({ bookId, merchantId }) => [bookId, merchantId]),
    [mine, mine].map(({ id, merchantId }) => [id, merchantId]),
  );
  const all = await listChanges(test.database, { after, bookIds: null });
  assert.equal(all.changes.length, 5);
  const rest = await listChanges(test.database, { after: all.position, bookIds: null });
  assert.deepEqual(rest.changes, []);
});

it('names the books in which more changed than it lists, and no other', async () => {
  const [busy, calm] = [await createTestBook(test.database), await createTestBook(test.database)];
  const after = await readChangePosition(test.database);
  await writeEvents(busy.id, 150);
  await writeEvents(calm.id, 1);
  const { changes, busyBooks } = await listChanges(test.database, { after, bookIds: null });
  assert.deepEqual(busyBooks, new Set([busy.id]));
  assert.equal(changes.filter(({ bookId }) => bookId === busy.id).length, 100);
  assert.equal(changes.filter(({ bookId }) => bookId === calm.id).length, 1);
});

it('says that all may have changed after a pause of very many batches', async () => {
  const { id } = await createTestBook(test.database);
  const after = await readChangePosition(test.database);
  const text = `
    with clock as (update feed_clock set last_number = last_number + 300 returning last_number - 300 as before)
    insert into feed_batches (book_id, number, subject_ids, seqs)
    select $1::uuid, c.before + n, array[gen_random_uuid()], array[1]
    from clock c cross join generate_series(1, 300) n`;
  await test.database.query({ name: '', text }, [id]);
  const { changes, busyBooks, position } = await listChanges(test.database, {
    after,
    bookIds: [id],
  });
  assert.deepEqual([changes, busyBooks], [[], null]);
  assert.equal(position, await readChangePosition(test.database));
});
