import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { createTestBook, createTestWallet } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { COMPANY_BOOK_ID } from '../domain/company-book.ts';
import { bumpControls } from './bump-controls.ts';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

async function versionsOf(bookId: string): Promise<readonly (number | null)[]> {
  const rows = await test.database.query<{ version: number | null }>(
    {
      name: '',
      text: `
        select controls_version as version from books where id = $1
        union all
        select controls_version from wallets where book_id = $1`,
    },
    [bookId],
  );
  return rows.map(({ version }) => version);
}

const run = (text: string, values: readonly unknown[]) =>
  test.database.query({ name: '', text }, values);

const bump = (bookId: string | null) =>
  test.database.transaction((tx) => bumpControls(tx, { bookId }));

describe('bumping controls', () => {
  it('counts the book and its wallets up, also wallets that are made later, and no other book', async () => {
    const book = await createTestBook(test.database);
    const other = await createTestBook(test.database);
    await createTestWallet(test.database, { bookId: book.id });
    await createTestWallet(test.database, { bookId: other.id });
    assert.deepEqual(await versionsOf(book.id), [null, null]);
    await bump(book.id);
    await bump(book.id);
    await createTestWallet(test.database, { bookId: book.id });
    assert.deepEqual(await versionsOf(book.id), [2, 2, 2]);
    assert.deepEqual(await versionsOf(other.id), [null, null]);
  });

  it('of all books passes over a merchant that is not served here', async () => {
    const served = await createTestBook(test.database);
    await createTestWallet(test.database, { bookId: served.id });
    for (const state of ['closing', 'arriving', 'moved']) {
      const { id, merchantId } = await createTestBook(test.database);
      await createTestWallet(test.database, { bookId: id });
      await run(`update wallets set closed_for = 'all' where book_id = $1`, [id]);
      await run('update merchants set state = $2 where id = $1', [merchantId, state]);
      const before = await versionsOf(id);
      const [servedBefore] = await versionsOf(served.id);
      await bump(null);
      const counted = (servedBefore ?? 0) + 1;
      assert.deepEqual(await versionsOf(served.id), [counted, counted], state);
      assert.deepEqual(await versionsOf(id), before, state);
    }
  });

  it('gives a new book the list of the company, also one that is made at the same moment', async () => {
    const [, during] = await Promise.all([
      test.database.transaction(async (tx) => {
        await denyAsCompany(tx);
        await bumpControls(tx, { bookId: null });
      }),
      createTestBook(test.database),
    ]);
    const later = await createTestBook(test.database);
    assert.notDeepEqual(await versionsOf(during.id), [null]);
    assert.deepEqual(await versionsOf(later.id), [1]);
  });
});

async function denyAsCompany(tx: Pick<TestDatabase['database'], 'query'>): Promise<void> {
  await tx.query(
    {
      name: '',
      text: `
        insert into list_entries (book_id, id, list, phone, reason, created_by, created_by_name, created_at)
        values ($1, $2, 'deny', '+260977000000', 'test', $2, 'Test', now())`,
    },
    [COMPANY_BOOK_ID, randomUUID()],
  );
}
