import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { pollUntil } from '../../test/poll.ts';
import { createTestBook, createTestWallet } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import type { Book } from '../domain/book.ts';
import { COMPANY_BOOK_ID } from '../domain/company-book.ts';
import { type Queryable, sqlState } from '../postgres/database.ts';
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

const statement = (text: string) => ({ name: '', text });

async function untilWaiting(): Promise<void> {
  await pollUntil('a statement to wait for a lock', async () => {
    const waiting = `
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return (await run(waiting, [])).length > 0;
  });
}

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

  it('of all books counts those up that are being made, in a process of either release', async () => {
    const lockTable = 'lock table book_controls in share row exclusive mode';
    const countUp = `
      update books set controls_version = controls_version + 1
      where merchant_id in (select id from merchants where state = 'open')`;
    const changes = {
      'this one': (tx: Queryable) => bumpControls(tx, { bookId: null }),
      'the one before': async (tx: Queryable) => {
        await tx.query(statement(lockTable));
        await tx.query(statement(countUp));
      },
    };
    for (const [release, change] of Object.entries(changes)) {
      let changing: Promise<unknown> | undefined;
      const made = await test.database.transaction(async (tx) => {
        const book = await createTestBook(tx);
        changing = test.database.transaction(change);
        await untilWaiting();
        return book;
      });
      await changing;
      assert.deepEqual(await versionsOf(made.id), [2], release);
      let making: Promise<Book> | undefined;
      await test.database.transaction(async (tx) => {
        await change(tx);
        making = createTestBook(test.database);
        await untilWaiting();
      });
      assert.deepEqual(await versionsOf((await making)?.id ?? ''), [1], release);
    }
  });

  it('of all books waits for those that a move copies only if it is of the release before', async () => {
    const isWaitedFor = async (arrive: (tx: Queryable, merchantId: string) => Promise<unknown>) => {
      const merchantId = randomUUID();
      await run(
        `insert into merchants (id, name, created_at, state) values ($1, $2, now(), 'arriving')`,
        [merchantId, `Merchant ${merchantId}`],
      );
      return test.database.transaction(async (tx) => {
        await tx.query(statement(`select set_config('kafue.moving', $1, true)`), [merchantId]);
        await arrive(tx, merchantId);
        await tx.query(
          statement(
            `insert into books (id, merchant_id, mode, created_at) values ($1, $2, 'test', now())`,
          ),
          [randomUUID(), merchantId],
        );
        const changed = await test.database
          .transaction(async (other) => {
            await other.query(statement(`set local lock_timeout = '100ms'`));
            await bumpControls(other, { bookId: null });
          })
          .then(
            () => 'changed',
            (error: unknown) => sqlState(error),
          );
        return changed === '55P03';
      });
    };
    const arriving = statement(`select set_config('kafue.arriving', $1, true)`);
    assert.equal(await isWaitedFor(async () => undefined), true);
    assert.equal(await isWaitedFor((tx, merchantId) => tx.query(arriving, [merchantId])), false);
    // Of another merchant: a book that this transaction makes is not one that arrives.
    assert.equal(await isWaitedFor((tx) => tx.query(arriving, [randomUUID()])), true);
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
