import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createTestDatabase } from '../../test/test-database.ts';
import { GROWING_TABLES } from './growing-tables.ts';

it('names tables that exist', async () => {
  const test = await createTestDatabase();
  const found = await test.database.query<{ oid: string | null }>(
    { name: '', text: `select to_regclass(t)::text as oid from unnest($1::text[]) t` },
    [GROWING_TABLES],
  );
  await test.drop();
  assert.deepEqual(
    found.map(({ oid }) => oid),
    [...GROWING_TABLES],
  );
});
