import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { migrateBefore, migrateOn } from '../../test/migrate-before.ts';
import { createEmptyDatabase, type TestDatabase } from '../../test/test-database.ts';

const MERCHANT = '00000000-0000-4000-8000-000000000001';
const UPLOAD = '00000000-0000-4000-8000-000000000002';
const SCHEDULE = '00000000-0000-4000-8000-000000000003';
const OCCURRENCE = '00000000-0000-4000-8000-000000000004';
const MAKER = '00000000-0000-4000-8000-00000000000a';
const CORRECTOR = '00000000-0000-4000-8000-00000000000b';
const CREATOR = '00000000-0000-4000-8000-00000000000c';
const KEY = '00000000-0000-4000-8000-00000000000d';
/** The owner of the lease of what a move holds. */
const MOVE = 'ffffffff-ffff-4fff-bfff-ffffffffffff';

const storeFile = (id: string, values: string) => `
  insert into payout_files (
    book_id, id, name, source, schedule_id, state, made_by, made_by_name, created_at, updated_at, country, currency,
    rows_total, rows_checked, sum_minor
  )
  values ('${MERCHANT}', '${id}', 'salaries.csv', ${values}, 'draft', '${MAKER}', 'Chanda', now(), now(), 'zm', 'ZMW',
    1, 1, 100)`;
const recordAct = (act: Readonly<{ kind: string; subject: string; by: string; at: string }>) => `
  insert into acts (id, actor_kind, actor_id, actor_name, kind, subject, merchant_id, book_id, acted_at)
  values (gen_random_uuid(), ${act.by}, 'Mutinta', '${act.kind}', '${act.subject}', '${MERCHANT}', '${MERCHANT}',
    now() + interval '${act.at}')`;

/** What the release before wrote: a draft that another person corrected, and a schedule that two others changed. */
const FORMER = [
  `insert into merchants (id, name, created_at) values ('${MERCHANT}', 'Lusaka Shop', now())`,
  `insert into books (id, merchant_id, mode, created_at) values ('${MERCHANT}', '${MERCHANT}', 'live', now())`,
  `insert into wallets (book_id, id, currency, name, created_at)
   values ('${MERCHANT}', '${MERCHANT}', 'ZMW', 'main', now())`,
  storeFile(UPLOAD, `'file', null`),
  storeFile(OCCURRENCE, `'schedule', '${SCHEDULE}'`),
  `insert into schedules (
     book_id, id, name, wallet_id, country, currency, every, day, at, zone, if_holiday, state, next_period, next_at,
     holidays_version, rows_total, sum_minor, made_by, made_by_name, created_at, updated_at
   )
   values ('${MERCHANT}', '${SCHEDULE}', 'Salaries', '${MERCHANT}', 'zm', 'ZMW', 'week', 'wed', '08:30', 'Africa/Lusaka',
     'same', 'active', 1, now() + interval '7 days', 1, 1, 100, '${MAKER}', 'Chanda', now(), now())`,
  recordAct({
    kind: 'PAYOUT_ROW_CORRECTED',
    subject: UPLOAD,
    by: `'person', '${CORRECTOR}'`,
    at: '0',
  }),
  recordAct({
    kind: 'SCHEDULE_CREATED',
    subject: SCHEDULE,
    by: `'person', '${CREATOR}'`,
    at: '-1 hour',
  }),
  recordAct({ kind: 'SCHEDULE_CHANGED', subject: SCHEDULE, by: `'key', '${KEY}'`, at: '1 hour' }),
];
const MAKERS = {
  upload: [`person:${MAKER}`, `person:${CORRECTOR}`],
  schedule: [`key:${KEY}`, `person:${MAKER}`, `person:${CREATOR}`],
  // The key changed the schedule after it was made.
  occurrence: [`person:${MAKER}`, `person:${CREATOR}`],
};
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
  const sorted = (codes: string) => `array(select unnest(${codes}) order by 1)`;
  const readMakers = () =>
    ask(`
      select ${sorted('u.makers')} as upload, ${sorted('s.rows_made_by')} as schedule, ${sorted('o.makers')} as occurrence
      from payout_files u, schedules s, payout_files o
      where u.id = '${UPLOAD}' and o.id = '${OCCURRENCE}'`);

  it('names the makers of what is kept here, and keeps it protected', async () => {
    await migrateBefore(test.database, 'makers');
    await askAll([...FORMER, ...MOVED]);
    await migrateOn(test.database);
    assert.deepEqual(await readMakers(), [MAKERS]);
    await assert.rejects(ask(`update schedules set name = 'Other'`), { code: 'KF001' });
    await ask(`update payout_files set name = 'other.csv'`);
    assert.deepEqual(await ask(`select id from payout_files where name = 'other.csv'`), []);
  });

  it('finds the makers that migration 0060 left out as it was first released', async () => {
    await migrateBefore(test.database, 'all-makers');
    await askAll([...FORMER, ...MOVED]);
    await ask(`update migrations set checksum = '${FIRST_RELEASED}' where version = 60`);
    await migrateOn(test.database);
    assert.deepEqual(await readMakers(), [MAKERS]);
  });
});
