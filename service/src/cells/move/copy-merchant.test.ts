import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createPayingProcess } from '../../../test/paying-process.ts';
import { pollUntil } from '../../../test/poll.ts';
import { TEST_ACTOR } from '../../../test/test-actor.ts';
import { createTestBook } from '../../../test/test-book.ts';
import { bookOf, createTestMerchant, type TestMerchant } from '../../../test/test-merchant.ts';
import { createTwoCells, SECOND_CELL, type TwoCells } from '../../../test/two-cells.ts';
import { AdminRefused } from '../../domain/admin-refused.ts';
import { COMPANY_BOOK_ID } from '../../domain/company-book.ts';
import { Refusal } from '../../domain/refusal.ts';
import { verifyLedger } from '../../ledger/verify-ledger.ts';
import { bumpControls } from '../../policies/bump-controls.ts';
import type { Database, Queryable } from '../../postgres/database.ts';
import { moveMerchant, undoMove } from './move-merchant.ts';

let cells: TwoCells;
before(async () => {
  cells = await createTwoCells();
});
after(() => cells.drop());

const ask = <R extends Record<string, unknown>>(
  database: Database,
  text: string,
  values: readonly unknown[] = [],
) => database.query<R>({ name: '', text }, values);

const requestFor = ({ id }: TestMerchant) => ({ actor: TEST_ACTOR, merchant: id, reason: null });

const pay = (database: Database, merchant: TestMerchant, phone = '+260977433571') =>
  createPayingProcess(database).pay(bookOf(merchant), {
    walletId: merchant.wallets.test.ZMW,
    phone,
  });

const stateIn = (database: Database, { id }: TestMerchant) =>
  ask(database, 'select state from merchants where id = $1', [id]);

describe('a copy that a server refuses', () => {
  async function refuseCopy(merchant: TestMerchant): Promise<void> {
    const { second, deps } = cells;
    const table = `${SECOND_CELL.schema}.wallets`;
    await ask(
      second.database,
      `alter table ${table} add constraint refused check (false) not valid`,
    );
    const moving = moveMerchant(deps, { ...requestFor(merchant), to: 'second' });
    await assert.rejects(moving, (error) => {
      assert.ok(error instanceof AdminRefused);
      const cause = `new row for relation "wallets" violates check constraint "refused"`;
      assert.deepEqual([error.code, error.facts], ['MOVE_NOT_COPIED', { table: 'wallets', cause }]);
      return true;
    });
    await ask(second.database, `alter table ${table} drop constraint refused`);
    assert.deepEqual(await stateIn(second.database, merchant), []);
    assert.deepEqual(await stateIn(cells.main.database, merchant), [{ state: 'closing' }]);
  }

  it('is taken back, and the merchant pays where it was', async () => {
    const { main, deps } = cells;
    const merchant = await createTestMerchant(main.database);
    await refuseCopy(merchant);
    await undoMove(deps, requestFor(merchant));
    assert.ok('id' in (await pay(main.database, merchant)));
  });

  it('is made again by the same command, and the merchant pays in its new cell', async () => {
    const { main, second, deps } = cells;
    const merchant = await createTestMerchant(main.database);
    await refuseCopy(merchant);
    await moveMerchant(deps, { ...requestFor(merchant), to: 'second' });
    assert.ok('id' in (await pay(second.database, merchant)));
    assert.equal((await verifyLedger(second.database)).ok, true);
  });
});

describe('the deny list of the company, in the cell that a merchant is copied into', () => {
  async function untilWaiting(like: string): Promise<void> {
    await pollUntil(`a statement like ${like} to wait for a lock`, async () => {
      const waiting = `
        select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like $1`;
      return (await ask(cells.directory, waiting, [like])).length > 0;
    });
  }

  const deny = (tx: Queryable, phone: string) =>
    tx.query(
      {
        name: '',
        text: `
          insert into list_entries (book_id, id, list, phone, reason, created_by, created_by_name, created_at)
          values ($1, gen_random_uuid(), 'deny', $2, 'test', gen_random_uuid(), 'Test', now())`,
      },
      [COMPANY_BOOK_ID, phone],
    );

  async function isDenied(merchant: TestMerchant, phone: string): Promise<void> {
    const answer = await pay(cells.second.database, merchant, phone);
    assert.ok(answer instanceof Refusal, phone);
    assert.equal(answer.code, 'RECIPIENT_DENIED');
  }

  /** Does the work while rows are copied into the cell `second`. */
  async function whileCopied(merchant: TestMerchant, work: () => Promise<void>) {
    const { second, deps } = cells;
    let moving: Promise<unknown> | undefined;
    await second.database.transaction(async (tx) => {
      await tx.query({ name: '', text: 'lock table webhook_endpoints in share mode' });
      moving = moveMerchant(deps, { ...requestFor(merchant), to: 'second' });
      await untilWaiting('copy webhook_endpoints %');
      await work();
    });
    return { moving };
  }

  it('counts for a merchant that is opened while it changes', async () => {
    const { main, second } = cells;
    const phone = '+260977000001';
    const arriving = await createTestMerchant(main.database);
    const isOpening = Promise.withResolvers<void>();
    let changing: Promise<unknown> | undefined;
    const { moving } = await whileCopied(arriving, async () => {
      const isCounted = Promise.withResolvers<void>();
      // Begun before its books can be seen, and committed after.
      changing = second.database.transaction(async (tx) => {
        await bumpControls(tx, { bookId: null });
        isCounted.resolve();
        await isOpening.promise;
        await deny(tx, phone);
      });
      await isCounted.promise;
    });
    await untilWaiting('%pg_advisory_xact_lock_shared%');
    isOpening.resolve();
    await Promise.all([changing, moving]);
    await isDenied(arriving, phone);
  });

  it('changes in one cell without waiting for another of the same database', async () => {
    const { main, second } = cells;
    await main.database.transaction(async (tx) => {
      await bumpControls(tx, { bookId: null });
      const counted = second.database.transaction((other) => bumpControls(other, { bookId: null }));
      await Promise.all([counted, createTestBook(second.database)]);
    });
  });

  it('changes while rows are copied: for other merchants at once, and for this one once it is open', async () => {
    const { main, second, deps } = cells;
    const phone = '+260977000002';
    const there = await createTestMerchant(main.database);
    const arriving = await createTestMerchant(main.database);
    await moveMerchant(deps, { ...requestFor(there), to: 'second' });
    const { moving } = await whileCopied(arriving, async () => {
      await second.database.transaction(async (tx) => {
        await tx.query({ name: '', text: `set local lock_timeout = '1s'` });
        await bumpControls(tx, { bookId: null });
        await deny(tx, phone);
      });
      await isDenied(there, phone);
    });
    await moving;
    await isDenied(arriving, phone);
  });
});
