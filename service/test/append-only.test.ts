import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

const RESTRICT_VIOLATION = '23001';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

// The bits of tgtype: 8 is delete, 32 truncate.
const PROTECTED = `
  select t.oid::regclass::text as name,
         bool_or(g.tgtype & 32 <> 0 and g.tgenabled = 'O') as "refusesTruncate"
  from pg_trigger g
  join pg_class t on t.oid = g.tgrelid
  where g.tgfoid in ('refuse_change'::regproc, 'directory.refuse_change'::regproc)
  group by t.oid
  having bool_or(g.tgtype & 8 <> 0)
  order by 1`;

it('every table that refuses deletes refuses truncate too', async () => {
  const text = PROTECTED;
  const tables = await test.database.query<{ name: string; refusesTruncate: boolean }>({
    name: '',
    text,
  });
  const names = tables.map(({ name }) => name);
  for (const known of ['postings', 'events', 'attempts', 'webhook_endpoint_versions']) {
    assert.ok(names.includes(known), `${known} can lose rows`);
  }
  assert.deepEqual(
    tables.filter(({ refusesTruncate }) => !refusesTruncate).map(({ name }) => name),
    [],
  );
  for (const name of names) {
    const emptied = test.database.query({ name: '', text: `truncate ${name} cascade` });
    await assert.rejects(emptied, { code: RESTRICT_VIOLATION });
  }
});
