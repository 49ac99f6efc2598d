import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import { migrateBefore, migrateOn } from '../../test/migrate-before.ts';
import { createEmptyDatabase, type TestDatabase } from '../../test/test-database.ts';
import { createTestFeed } from '../../test/test-feed.ts';
import { findOldPosition, type OldPosition } from './find-old-position.ts';
import { listEvents } from './list-events.ts';

const EVENTS = 1_300;

let test: TestDatabase;
before(async () => {
  test = await createEmptyDatabase();
});
after(async () => {
  await test.drop();
});

/** A book as it was then, of a merchant with the same id. */
const WRITE_BOOK = `
  with merchant as (insert into merchants (id, name, created_at) values ($1, $2, now()))
  insert into books (id, merchant_id, mode, created_at) values ($1, $1, 'test', now())`;

/** Transactions of one to three events, and one with more events than a batch holds. */
const WRITE_OLD = `
  insert into events (book_id, subject_id, seq, type, cause, actor, created_at, xid)
  select $1, gen_random_uuid(), 1, case when n % 7 = 0 then null else 'webhook.test' end, 'old',
         'test', now(),
         (case when n > 600 then 9000 else 1000 + 10 * (n / 3) end)::text::xid8
  from generate_series(1, $2::integer) n`;

const READ_OLD = `
  select xid::text as xid, subject_id as "subjectId", seq from events
  where book_id = $1 and type is not null order by events.xid, subject_id, seq`;

async function readFrom(bookId: string, cursor: OldPosition): Promise<readonly string[]> {
  let after = await findOldPosition(test.database, bookId, cursor);
  const seen: string[] = [];
  for (;;) {
    const page = await listEvents(test.database, { bookId, type: null, after, limit: 100 });
    seen.push(...page.items.map(({ id }) => id));
    if (page.items.length === 0 || page.position === null) return seen;
    after = page.position;
  }
}

it('finds where each cursor from before the batches continues', async () => {
  await migrateBefore(test.database, 'feed-batches');
  const [book, other] = [{ id: randomUUID() }, { id: randomUUID() }];
  for (const { id } of [book, other]) {
    await test.database.query({ name: '', text: WRITE_BOOK }, [id, `Merchant ${id}`]);
    await test.database.query({ name: '', text: WRITE_OLD }, [id, EVENTS]);
  }
  const old = await test.database.query<OldPosition>({ name: '', text: READ_OLD }, [book.id]);
  await migrateOn(test.database);
  await test.database.query(
    {
      name: '',
      text: `
        insert into events (book_id, subject_id, seq, type, cause, actor, created_at)
        values ($1, gen_random_uuid(), 1, 'webhook.test', 'new', 'test', now())`,
    },
    [book.id],
  );
  await createTestFeed(test.database).catchUp();
  const all = await readFrom(book.id, { ...first(old), xid: '1' });
  assert.equal(all.length, old.length + 1);
  for (const index of [0, 1, 2, 3, 250, 499, 500, 515, 1_013, 1_014, old.length - 1]) {
    const cursor = old[index] ?? first(old);
    assert.deepEqual(await readFrom(book.id, cursor), all.slice(index + 1), `at ${index}`);
  }
});

function first(positions: readonly OldPosition[]): OldPosition {
  const [position] = positions;
  if (position === undefined) throw new Error('there is no event');
  return position;
}
