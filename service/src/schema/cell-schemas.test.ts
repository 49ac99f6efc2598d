import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { migrateBefore, migrateOn } from '../../test/migrate-before.ts';
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../../test/test-database.ts';
import { prepareSchema } from '../postgres/prepare-schema.ts';
import { prepareDatabase } from './prepare-database.ts';
import { cellSchema } from './service-schema.ts';

const MERCHANT = '00000000-0000-4000-8000-000000000001';
const BOOK = '00000000-0000-4000-8000-000000000002';
const PERSON = '00000000-0000-4000-8000-000000000003';
const say = () => undefined;

/** The directory and a cell each have their own of these. */
const IN_BOTH = ['access_version', 'acts', 'books', 'merchants', 'migrations'];

describe('a second cell of a server', () => {
  let test: TestDatabase;
  before(async () => {
    test = await createTestDatabase();
    const schema = cellSchema({ name: 'second', schema: 'cell_second' });
    await prepareSchema(test.database, { schema, role: undefined, say });
  });
  after(() => test.drop());

  const list = async (text: string, schema: string) => {
    const rows = await test.database.query<{ line: string }>({ name: '', text }, [schema]);
    // Definitions name their schema.
    return rows.map(({ line }) => line.replaceAll(`${schema}.`, ''));
  };

  it('has the same tables as the first, with the same columns, indexes, constraints, triggers and functions', async () => {
    for (const text of Object.values(PARTS)) {
      const first = await list(text, 'public');
      assert.ok(first.length > 0);
      assert.deepEqual(await list(text, 'cell_second'), first);
    }
  });

  it('shares with the directory only what each has for itself, and refers to none of its tables', async () => {
    const inCell = await list(PARTS.tables, 'public');
    const inDirectory = await list(PARTS.tables, 'directory');
    assert.deepEqual(
      inCell.filter((name) => inDirectory.includes(name)),
      IN_BOTH,
    );
    assert.deepEqual(await list(CROSSING, 'public'), []);
  });

  it('is migrated with the others once the directory lists it', async () => {
    const undo = `
      insert into directory.cells (name, schema, created_at) values ('second', 'cell_second', now());
      delete from cell_second.migrations where version > 1`;
    await test.database.query({ name: '', text: undo });
    // What it finds there is not what it expects, so it looked.
    await assert.rejects(
      prepareDatabase(test.database, { role: undefined, say }),
      /already exists/,
    );
  });
});

it('an upgrade keeps merchants, keys, people and what they did', async () => {
  const test = await createEmptyDatabase();
  const ask = (text: string) => test.database.query({ name: '', text });
  try {
    await migrateBefore(test.database, 'directory');
    for (const text of FORMER) await ask(text);
    await migrateOn(test.database);
    assert.deepEqual(
      await ask(`
        select m.name, m.cell, m.epoch, b.mode, k.name as key, p.name as person, r.role, v.version > 1 as raised,
               (select count(*) from public.acts) as acts, (select count(*) from directory.acts) as later_acts
        from directory.merchants m
        join directory.books b on b.merchant_id = m.id
        join directory.api_keys k on k.book_id = b.id
        cross join directory.people p
        join directory.staff_roles r on r.person_id = p.id
        cross join directory.access_version v`),
      [
        {
          name: 'Lusaka Shop',
          cell: 'main',
          epoch: 1,
          mode: 'live',
          key: 'payroll',
          person: 'Chanda',
          role: 'admin',
          raised: true,
          acts: 1n,
          later_acts: 0n,
        },
      ],
    );
    assert.deepEqual(await ask('select name from public.merchants'), [{ name: 'Lusaka Shop' }]);
    await assert.rejects(ask('delete from public.acts'), /append-only/);
    await ask(`insert into directory.acts select * from public.acts`);
    await assert.rejects(ask('delete from directory.acts'), /append-only/);
    await ask(`update directory.api_keys set revoked_at = now()`);
    await assert.rejects(ask(`update directory.api_keys set revoked_at = null`), /stays so/);
  } finally {
    await test.drop();
  }
});

const FORMER = [
  `insert into merchants (id, name, created_at) values ('${MERCHANT}', 'Lusaka Shop', now())`,
  `insert into books (id, merchant_id, mode, created_at) values ('${BOOK}', '${MERCHANT}', 'live', now())`,
  `insert into people (id, name, created_at) values ('${PERSON}', 'Chanda', now())`,
  `insert into staff_roles (person_id, role, given_at) values ('${PERSON}', 'admin', now())`,
  `insert into api_keys (book_id, id, hash, hint, name, scopes, created_at)
   values ('${BOOK}', '${PERSON}', decode(repeat('00', 32), 'hex'), 'abcd', 'payroll', array['read'], now())`,
  `update api_keys set expires_at = now()`,
  `insert into acts (id, actor_kind, actor_id, actor_name, kind, subject, merchant_id, acted_at, as_member)
   values ('${PERSON}', 'person', '${PERSON}', 'Chanda', 'MERCHANT_CREATED', 'Lusaka Shop', '${MERCHANT}', now(), false)`,
];

const PARTS = {
  tables: `
    select c.relname::text as line from pg_class c
    where c.relnamespace = $1::regnamespace and c.relkind = 'r' order by 1`,
  columns: `
    select concat_ws(' ', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
                     pg_get_expr(d.adbin, d.adrelid), a.attoptions) as line
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = $1::regnamespace and c.relkind = 'r' order by 1`,
  indexes: `select indexdef as line from pg_indexes where schemaname = $1 order by 1`,
  constraints: `
    select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) as line
    from pg_constraint where connamespace = $1::regnamespace order by 1`,
  triggers: `
    select concat_ws(' ', tgenabled, pg_get_triggerdef(t.oid)) as line
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = $1::regnamespace and not tgisinternal order by 1`,
  functions: `
    select pg_get_functiondef(oid) as line from pg_proc where pronamespace = $1::regnamespace order by 1`,
};

const CROSSING = `
  select conname::text as line from pg_constraint f
  join pg_class c on c.oid = f.conrelid
  join pg_class t on t.oid = f.confrelid
  where $1 in (c.relnamespace::regnamespace::text, t.relnamespace::regnamespace::text)
    and c.relnamespace <> t.relnamespace`;
