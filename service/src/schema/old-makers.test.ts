import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { migrateBefore, migrateOn } from '../../test/migrate-before.ts';
import { createEmptyDatabase, type TestDatabase } from '../../test/test-database.ts';

const MERCHANT = '00000000-0000-4000-8000-000000000001';
const MAKER = '00000000-0000-4000-8000-00000000000a';
const CORRECTOR = '00000000-0000-4000-8000-00000000000b';
/** The owner of the lease of what a move holds. */
const MOVE = 'ffffffff-ffff-4fff-bfff-ffffffffffff';

/** What the release before wrote: a draft that another person corrected, and a schedule. */
const FORMER = [
  `insert into merchants (id, name, created_at) values ('${MERCHANT}', 'Lusaka Shop', now())`,
  `insert into books (id, merchant_id, mode, created_at) values ('${MERCHANT}', '${MERCHANT}', 'live', now())`,
  `insert into wallets (book_id, id, currency, name, created_at)
   values ('${MERCHANT}', '${MERCHANT}', 'ZMW', 'main', now())`,
  `insert into payout_files (
     book_id, id, name, source, state, made_by, made_by_name, created_at, updated_at, country, currency, rows_total,
     rows_checked, sum_minor, upload_hash
   )
   values ('${MERCHANT}', '${MERCHANT}', 'salaries.csv', 'file', 'draft', '${MAKER}', 'Chanda', now(), now(), 'zm', 'ZMW',
     1, 1, 100, sha256('file'))`,
  `insert into schedules (
     book_id, id, name, wallet_id, country, currency, every, day, at, zone, if_holiday, state, next_period, next_at,
     holidays_version, rows_total, sum_minor, made_by, made_by_name, created_at, updated_at
   )
   values ('${MERCHANT}', '${MERCHANT}', 'Salaries', '${MERCHANT}', 'zm', 'ZMW', 'week', 'wed', '08:30', 'Africa/Lusaka',
     'same', 'active', 1, now() + interval '7 days', 1, 1, 100, '${MAKER}', 'Chanda', now(), now())`,
  `insert into acts (id, actor_kind, actor_id, actor_name, kind, subject, merchant_id, book_id, acted_at)
   values (gen_random_uuid(), 'person', '${CORRECTOR}', 'Mutinta', 'PAYOUT_ROW_CORRECTED', '${MERCHANT}', '${MERCHANT}', '${MERCHANT}',
     now())`,
];
/** As a move leaves its rows in the cell that the merchant left. */
const MOVED = [
  `update payout_files set lease_owner = '${MOVE}'`,
  `update merchants set state = 'moved'`,
];

/** Of migration 0060 as it was first released. */
const FIRST_RELEASED = '92e313bcefa7e2dde22e54ef433ca225119f7193be023aac155f05c659a8804e';

describe('an upgrade of a cell that a merchant has left', () => {
  let test: TestDatabase;
  beforeEach(async () => {
    test = await createEmptyDatabase();
  });
  afterEach(() => test.drop());

  const ask = (text: string) => test.database.query({ name: '', text });
  const askAll = async (texts: readonly string[]) => {
    for (const text of texts) await ask(text);
  };
  const readMakers = () =>
    ask(`
      select array(select unnest(f.makers) order by 1) as file,
             array(select unnest(s.rows_made_by) order by 1) as schedule
      from payout_files f, schedules s`);

  it('names the makers of what is kept here, and keeps it protected', async () => {
    await migrateBefore(test.database, 'makers');
    await askAll([...FORMER, ...MOVED]);
    await migrateOn(test.database);
    const file = [`person:${MAKER}`, `person:${CORRECTOR}`];
    assert.deepEqual(await readMakers(), [{ file, schedule: [`person:${MAKER}`] }]);
    await assert.rejects(ask(`update schedules set name = 'Other'`), { code: 'KF001' });
    await ask(`update payout_files set name = 'other.csv'`);
    assert.deepEqual(await ask('select name from payout_files'), [{ name: 'salaries.csv' }]);
  });

  it('finds the makers that migration 0060 left out as it was first released', async () => {
    await migrateBefore(test.database, 'all-makers');
    await askAll([...FORMER, ...MOVED]);
    await ask(`update migrations set checksum = '${FIRST_RELEASED}' where version = 60`);
    await migrateOn(test.database);
    const file = [`person:${MAKER}`, `person:${CORRECTOR}`];
    assert.deepEqual(await readMakers(), [{ file, schedule: [] }]);
  });
});
