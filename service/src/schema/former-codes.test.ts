import assert from 'node:assert/strict';
import { it } from 'node:test';
import { migrateBefore, migrateOn } from '../../test/migrate-before.ts';
import { createEmptyDatabase } from '../../test/test-database.ts';

const BOOK = '00000000-0000-4000-8000-000000000001';
const TRANSFER = '00000000-0000-4000-8000-000000000002';

/** What the release before wrote, under the codes that it knew. */
const FORMER = [
  `insert into merchants (id, name, created_at) values ('${BOOK}', 'Lusaka Shop', now())`,
  `insert into books (id, merchant_id, mode, created_at) values ('${BOOK}', '${BOOK}', 'live', now())`,
  `insert into people (id, name, created_at) values ('${BOOK}', 'Chanda', now())`,
  `insert into wallets (book_id, id, currency, name, created_at)
   values ('${BOOK}', '${BOOK}', 'ZMW', 'main', now())`,
  `insert into transfers (
     book_id, id, wallet_id, reference, state, amount_minor, fee_minor, currency, phone, operator, country,
     operator_reference, event_seq, route, in_doubt_since, doubt_began_at, doubt_kind, flagged_at, created_at, updated_at
   ) values (
     '${BOOK}', '${TRANSFER}', '${BOOK}', 'r-1', 'in_doubt', 100, 0, 'ZMW', '+260971111111', 'airtel', 'zm',
     '${TRANSFER}', 3, 'airtel-zm', now(), now(), 'CANNOT_BE_ASKED', now(), now(), now()
   )`,
  `insert into name_lookups (book_id, asked_at, id, actor, operator, country, phone, route, source, result)
   values ('${BOOK}', now(), gen_random_uuid(), 'key a', 'mtn', 'zm', '+260961111111', null, 'nobody', 'unaskable')`,
  `insert into name_lookup_days (book_id, actor, day, asked) values ('${BOOK}', 'key a', current_date, 7)`,
  `insert into callbacks (
     id, route, method, headers, body, reading, operator_reference, claims, verified, received_at, told_amount_minor,
     told_currency, told_phone
   ) values (
     gen_random_uuid(), 'airtel-zm', 'POST', '[]', '', 'read', '${TRANSFER}', 'paid', true, now(), 100, 'ZMW',
     '+260971111111'
   )`,
  `insert into proposals (
     book_id, id, transfer_id, decision, evidence, event_seq, proposed_by, proposed_at, expires_at, ended_at, ended_as
   ) values (
     '${BOOK}', gen_random_uuid(), '${TRANSFER}', 'not_paid', 'ticket', 2, '${BOOK}', now(), now() + interval '1 hour',
     now(), 'overtaken'
   )`,
];

it('an upgrade keeps what was recorded, under the codes of today, and protects it as before', async () => {
  const test = await createEmptyDatabase();
  const ask = (text: string) => test.database.query({ name: '', text });
  try {
    await migrateBefore(test.database, 'plain-codes');
    for (const text of FORMER) await ask(text);
    await migrateOn(test.database);
    assert.deepEqual(
      await ask(`
        select t.doubt_kind, l.source, l.result, d.lookups, c.reported_amount_minor, c.reported_currency,
               c.reported_phone, p.ended_as
        from transfers t, name_lookups l, name_lookup_days d, callbacks c, proposals p`),
      [
        {
          doubt_kind: 'INQUIRY_IMPOSSIBLE',
          source: 'none',
          result: 'unsupported',
          lookups: 7n,
          reported_amount_minor: 100n,
          reported_currency: 'ZMW',
          reported_phone: '+260971111111',
          ended_as: 'superseded',
        },
      ],
    );
    await assert.rejects(ask(`update name_lookups set actor = 'other'`), /append-only/);
    await assert.rejects(ask(`update proposals set ended_as = 'expired'`), /only once/);
    await assert.rejects(
      ask(`insert into name_lookups select book_id, now(), gen_random_uuid(), actor, operator, country, phone,
           route, 'cache', result from name_lookups`),
      /name_lookups_source_route/,
    );
  } finally {
    await test.drop();
  }
});
