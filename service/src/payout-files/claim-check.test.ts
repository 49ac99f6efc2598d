import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { after, afterEach, before, describe, it } from 'node:test';
import { createTestBook } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import type { Book } from '../domain/book.ts';
import type { Queryable } from '../postgres/database.ts';
import { firstBook } from '../transfers/move/claim-walk.ts';
import { claimCheck } from './claim-check.ts';
import { storeUpload } from './store-upload.ts';

let test: TestDatabase;
/** By id. */
let books: readonly Book[];
before(async () => {
  test = await createTestDatabase();
  const made: Book[] = [];
  for (let count = 0; count < 3; count += 1) made.push(await createTestBook(test.database));
  books = made.toSorted((a, b) => (a.id < b.id ? -1 : 1));
});
afterEach(() => run(`delete from payout_files where state = 'checking'`));
after(() => test.drop());

const run = (text: string, values: readonly unknown[] = []) =>
  test.database.query({ name: '', text }, values);

async function upload(at: number, count = 1): Promise<readonly string[]> {
  const book = books[at];
  assert.ok(book !== undefined);
  const bytes = Buffer.from('phone,amount\n0977433571,5\n');
  const hash = createHash('sha256').update(bytes).digest();
  const references = 'derived' as const;
  const upload = { name: 'Test', bytes, hash, walletId: null, references, key: null };
  const deps = { database: test.database, now: () => new Date(), newId: randomUUID };
  const actor = { kind: 'key', id: randomUUID() } as const;
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) {
    ids.push((await storeUpload(deps, { book, actor, upload })).id);
  }
  return ids;
}

/** Claims as one process does, and names each file by its book and its place among the files of that book. */
function createClaimer(files: readonly (readonly string[])[]) {
  let afterBook = firstBook();
  return async () => {
    const claim = await claimCheck(test.database, { leaseOwner: randomUUID(), afterBook });
    if (claim === undefined) return 'none';
    afterBook = claim.book.id;
    const of = files.findIndex((ids) => ids.includes(claim.fileId));
    return `${of}.${files[of]?.indexOf(claim.fileId)}`;
  };
}
const endAllChecks = () =>
  run(`update payout_files set state = 'draft', next_action_at = null, lease_owner = null
       where state = 'checking' and next_action_at > now()`);

describe('the checks of payout files', () => {
  it('are claimed by turns over books, and of each book the oldest first', async () => {
    const files = [await upload(0, 5), await upload(1, 2), await upload(2, 1)];
    const claim = createClaimer(files);
    const claimed: string[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      claimed.push(await claim());
      await endAllChecks();
    }
    assert.deepEqual(claimed, ['0.0', '1.0', '2.0', '0.1', '1.1', '0.2']);
  });

  it('of a book with a running check come after those of others', async () => {
    const files = [await upload(0, 3), await upload(1, 3)];
    const claim = createClaimer(files);
    assert.deepEqual([await claim(), await claim()], ['0.0', '1.0']);
    // The check of the second book ends. The turn is the first one's, of which one still runs.
    await run(`update payout_files set state = 'draft', next_action_at = null where id = $1`, [
      files[1]?.[0],
    ]);
    assert.equal(await claim(), '1.1');
    assert.deepEqual([await claim(), await claim()], ['0.1', '1.2']);
    assert.deepEqual([await claim(), await claim()], ['0.2', 'none']);
  });

  it('go on after the last book, also where it has none left', async () => {
    const files = [await upload(0), [], await upload(2)];
    const claimed = await claimCheck(test.database, {
      leaseOwner: randomUUID(),
      afterBook: books[1]?.id ?? '',
    });
    assert.equal(claimed?.fileId, files[2]?.[0]);
    const last = { leaseOwner: randomUUID(), afterBook: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };
    assert.equal((await claimCheck(test.database, last))?.fileId, files[0]?.[0]);
  });

  it('are found by an index, however many files there are', async () => {
    const bookId = books[0]?.id ?? '';
    await upload(0, 100);
    await run(
      `insert into payout_files (book_id, id, name, source, state, made_by_name, created_at, updated_at, next_action_at)
       select $1, gen_random_uuid(), 'Old', 'file', 'draft', 'Test', now(), now(), now() from generate_series(1, 5000)`,
      [bookId],
    );
    await run('analyze payout_files');
    const texts: string[] = [];
    const listening: Queryable = {
      async query({ text }) {
        texts.push(text);
        return [];
      },
    };
    await claimCheck(listening, { leaseOwner: randomUUID(), afterBook: firstBook() });
    const plan = await run(`explain (generic_plan) ${texts.join('')}`);
    const lines = plan.map((line) => Object.values(line).join(''));
    const scans = lines.filter((line) => /Scan.* on payout_files/.test(line));
    assert.ok(scans.length >= 5, lines.join('\n'));
    for (const scan of scans) {
      assert.match(scan, /using payout_files_(checking|pkey)/, lines.join('\n'));
    }
  });
});
