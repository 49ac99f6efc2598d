import assert from 'node:assert/strict';
import { it } from 'node:test';
import { migrateBefore, migrateOn } from '../../test/migrate-before.ts';
import { createEmptyDatabase } from '../../test/test-database.ts';

const BOOK = '00000000-0000-4000-8000-000000000001';
const RECALLED = '00000000-0000-4000-8000-000000000002';
const OTHER = '00000000-0000-4000-8000-000000000003';

const storeTransfer = (id: string) => `
  insert into transfers (
    book_id, id, wallet_id, reference, state, amount_minor, fee_minor, currency, phone, operator, country,
    operator_reference, event_seq, route, completed_at, created_at, updated_at
  ) values (
    '${BOOK}', '${id}', '${BOOK}', '${id}', 'succeeded', 100, 0, 'ZMW', '+260971111111', 'airtel', 'zm',
    '${id}', 3, 'airtel-zm', now(), now(), now()
  )`;

/** What the release before wrote: a recall took the time of the first submission away. */
const FORMER = [
  `insert into merchants (id, name, created_at) values ('${BOOK}', 'Lusaka Shop', now())`,
  `insert into books (id, merchant_id, mode, created_at) values ('${BOOK}', '${BOOK}', 'live', now())`,
  `insert into wallets (book_id, id, currency, name, created_at)
   values ('${BOOK}', '${BOOK}', 'ZMW', 'main', now())`,
  storeTransfer(RECALLED),
  storeTransfer(OTHER),
  `insert into acts (id, actor_kind, actor_id, actor_name, kind, subject, merchant_id, book_id, acted_at)
   values (gen_random_uuid(), 'person', '${BOOK}', 'Chanda', 'TRANSFER_RECALLED', '${RECALLED}', '${BOOK}', '${BOOK}', now())`,
];

it('an upgrade counts the recalls that were made before it', async () => {
  const test = await createEmptyDatabase();
  const ask = (text: string) => test.database.query({ name: '', text });
  try {
    await migrateBefore(test.database, 'recalls');
    for (const text of FORMER) await ask(text);
    await migrateOn(test.database);
    assert.deepEqual(await ask('select id, recalls from transfers order by id'), [
      { id: RECALLED, recalls: 1 },
      { id: OTHER, recalls: 0 },
    ]);
  } finally {
    await test.drop();
  }
});
