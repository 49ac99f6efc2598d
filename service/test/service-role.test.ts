import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { explainMigration } from '../src/admin/explain-migration.ts';
import { addAdministrator } from '../src/administrators/add-administrator.ts';
import { type Database, openDatabase } from '../src/postgres/database.ts';
import { grantRights, listGranted } from '../src/postgres/grant-rights.ts';
import { migrate } from '../src/postgres/migrate.ts';
import { MigrationRefused } from '../src/postgres/migration-refused.ts';
import { refreshStatistics } from '../src/postgres/statistics-keeper.ts';
import { GROWING_TABLES } from '../src/schema/growing-tables.ts';
import { prepareDatabase } from '../src/schema/prepare-database.ts';
import { cellSchema } from '../src/schema/service-schema.ts';
import { moveTransfers } from '../src/transfers/move/move-transfers.ts';
import { TEST_ACTOR } from './test-actor.ts';
import { createTestDatabase, openTestPool, TEST_CELL, type TestDatabase } from './test-database.ts';
import { createTestMerchant } from './test-merchant.ts';

const INSUFFICIENT_PRIVILEGE = '42501';
const RESTRICT_VIOLATION = '23001';
const ORDERED =
  'book_id id wallet_id reference idempotency_key amount_minor fee_minor currency phone operator country ' +
  'recipient_name narration operator_reference created_at send_at metadata source made_by policy_version rules ' +
  'approvals_needed file_id replaces';
const NO_PROCESS = '00000000-0000-0000-0000-000000000000';
const say = () => undefined;

let test: TestDatabase;
let service: Database;
let role: string;
before(async () => {
  test = await createTestDatabase();
  role = new URL(test.serviceUrl).username;
  service = openDatabase({
    connectionString: test.serviceUrl,
    applicationName: 'kafue-test',
    connectionsMax: 2,
    onError: say,
  });
});
after(async () => {
  await service.close();
  await test.drop();
});

const run = (database: Database, text: string) => database.query({ name: '', text });

describe('the role of the service', () => {
  const forbidden = [
    'truncate events',
    'truncate feed_pending',
    'alter table postings disable trigger postings_append_only',
    'alter table postings disable trigger all',
    'alter table wallets add column spare integer',
    'drop table postings',
    'drop trigger events_append_only on events',
    'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return new; end $$',
    'create table spare (n integer)',
    'set session_replication_role = replica',
    'set role kafue',
    'alter role current_user superuser',
    'update postings set amount_minor = 1',
    'delete from postings',
    'update events set cause = cause',
    'delete from events',
    'delete from attempts',
    'delete from transfers',
    'delete from wallets',
    'update transfers set amount_minor = 1',
    "update transfers set phone = '+260971111111'",
    'insert into wallets (book_id, id, currency, name, created_at, available_minor) select book_id, id, currency, name, created_at, 1 from wallets',
    'update wallets set currency = currency',
    'update books set merchant_id = merchant_id',
    'update api_keys set hash = hash',
    'update api_keys set scopes = scopes',
    'delete from api_keys',
    'delete from books',
    'delete from merchants',
    'update merchants set name = name',
    'update acts set reason = null',
    'delete from acts',
    'update proposals set decision = decision',
    'update proposals set proposed_by = proposed_by',
    "insert into proposals (book_id, id, ended_as) select book_id, id, 'carried_out' from proposals",
    'delete from proposals',
    'update take_backs set funded_seq = funded_seq',
    "insert into take_backs (book_id, id, ended_as) select book_id, id, 'carried_out' from take_backs",
    'delete from take_backs',
    'update incidents set kind = kind',
    'delete from incidents',
    'update api_keys set created_by = null',
    'insert into migrations (version, name, checksum) values (9999, $$x$$, repeat($$0$$, 64))',
    'update feed_batches set number = number',
    'select key_hash from administrators',
  ];
  for (const text of forbidden) {
    it(`may not ${text}`, async () => {
      await assert.rejects(run(service, text), { code: INSUFFICIENT_PRIVILEGE });
    });
  }

  it('has rights on every table except those only for administration', async () => {
    const rows = await service.query<{ name: string }>({
      name: '',
      text: `
        select c.relname::text as name from pg_class c
        where c.relnamespace in ('public'::regnamespace, 'directory'::regnamespace) and c.relkind = 'r'
          and not has_table_privilege(c.oid, 'select')
        order by c.relname`,
    });
    const names = rows.map(({ name }) => name);
    assert.deepEqual(names, ['administrators']);
  });

  it('may move transfers', async () => {
    // Rights are checked before any row is searched.
    const none = { moves: [], mover: NO_PROCESS, at: new Date() };
    assert.deepEqual(await moveTransfers(service, none), []);
  });

  it('may revoke a key, and not take that back', async () => {
    const { id } = await (await createTestMerchant(test.database)).issueKey({});
    const set = (value: string) =>
      run(service, `update api_keys set revoked_at = ${value} where id = '${id}'`);
    await set('now()');
    for (const value of ['null', "now() + interval '1 day'"]) {
      await assert.rejects(set(value), { code: RESTRICT_VIOLATION }, value);
    }
  });

  it('may end the key of an administrator, and not take that back', async () => {
    const deps = {
      directory: test.directory,
      now: () => new Date(),
      newId: randomUUID,
      randomBytes,
    };
    const { id } = await addAdministrator(deps, { actor: TEST_ACTOR, name: 'Chanda Phiri' });
    const set = (value: string) =>
      run(service, `update administrators set removed_at = ${value} where id = '${id}'`);
    await set('now()');
    for (const value of ['null', "now() + interval '1 day'"]) {
      await assert.rejects(set(value), { code: RESTRICT_VIOLATION }, value);
    }
  });

  // Every new column must be on one of the two lists: this one, or that of service/grants/cell.sql.
  it('may change the progress of a transfer, and not its order', async () => {
    const rows = await service.query<{ name: string }>({
      name: '',
      text: `
        select a.attname::text as name from pg_attribute a
        where a.attrelid = 'transfers'::regclass and a.attnum > 0 and not a.attisdropped
          and not has_column_privilege(a.attrelid, a.attnum, 'update')
        order by a.attnum`,
    });
    assert.equal(rows.map(({ name }) => name).join(' '), ORDERED);
  });

  it('may have the tables analysed that every payout adds to', async () => {
    await run(
      test.database,
      `insert into feed_pending (book_ids, subject_ids, seqs)
       select array[gen_random_uuid()], array[gen_random_uuid()], array[1]
       from generate_series(1, 10000)`,
    );
    // A table without the right is skipped.
    assert.deepEqual(await refreshStatistics(service, ['feed_pending']), []);
    await run(test.database, 'grant maintain on feed_pending to kafue_service');
    assert.deepEqual(await refreshStatistics(service, ['feed_pending']), ['feed_pending']);
    const may = await service.query<{ may: boolean }>(
      {
        name: '',
        text: `select bool_and(has_table_privilege(t.name, 'maintain')) as may
               from unnest($1::text[]) as t (name)`,
      },
      [GROWING_TABLES],
    );
    assert.deepEqual(may, [{ may: true }]);
  });

  it('may start on a database of this release, and reports who must migrate an older one', async () => {
    const asService = { role: undefined, say };
    assert.equal(await prepareDatabase(service, asService), false);
    assert.equal(await prepareDatabase(test.database, asService), true);
    await run(
      test.database,
      'delete from migrations where version = (select max(version) from migrations)',
    );
    await assert.rejects(migrate(service, { ...cellSchema(TEST_CELL), say }), (error) => {
      assert.ok(error instanceof MigrationRefused);
      assert.match(explainMigration(error), /admin -- database migrate/);
      assert.match(explainMigration(error), /MIGRATION_DATABASE_URL/);
      return true;
    });
  });

  it('cannot give itself more', async () => {
    const own = await createTestDatabase();
    const asService = openTestPool(own.serviceUrl);
    try {
      assert.equal(await prepareDatabase(asService, { role, say }), false);
    } finally {
      await asService.close();
      await own.drop();
    }
  });

  it('keeps its rights after a migration, and a missing role is reported', async () => {
    assert.deepEqual(await listGranted(test.database, 'transfers'), [role]);
    assert.deepEqual(await listGranted(test.database, 'sessions'), [role]);
    const cell = cellSchema(TEST_CELL);
    await assert.rejects(grantRights(test.database, { ...cell, role: 'missing role' }), (error) => {
      assert.ok(error instanceof MigrationRefused);
      assert.match(explainMigration(error), /no database role "missing role"/);
      return true;
    });
  });
});
