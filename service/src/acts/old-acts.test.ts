import assert from 'node:assert/strict';
import { it } from 'node:test';
import { migrateBefore, migrateOn } from '../../test/migrate-before.ts';
import { readActs } from '../../test/test-actor.ts';
import { createEmptyDatabase } from '../../test/test-database.ts';

/** What a release wrote that knew acts by the words of its commands. */
const OLD = `
  insert into administrators (id, name, key_hash, created_at)
  values ('00000000-0000-4000-8000-000000000001', 'Chanda', sha256('key'), now());
  insert into administrator_acts (id, administrator_id, act, subject, detail, acted_at)
  select gen_random_uuid(), a.id, v.act, 'subject', v.detail, now() + v.n * interval '1 second'
  from (values (0, null, 'administrators add', null),
               (1, 'Chanda', 'routes hold', 'restored'),
               (2, 'Chanda', 'transfers confirm', 'it was paid: ticket')) v (n, name, act, detail)
  left join administrators a on a.name = v.name;`;

it('keeps what was recorded before, under codes, with what was known of the actor', async () => {
  const test = await createEmptyDatabase();
  try {
    await migrateBefore(test.database, 'acts');
    for (const text of OLD.split(';\n')) await test.database.query({ name: '', text });
    await migrateOn(test.database);
    const acts = await readActs(test);
    assert.deepEqual(
      acts.map(({ actor, kind, reason }) => [actor.kind, actor.name, kind, reason]),
      [
        ['person', 'Chanda', 'RESOLUTION_CONFIRMED', 'it was paid: ticket'],
        ['person', 'Chanda', 'ROUTE_HELD', 'restored'],
        ['machine', 'unknown', 'ADMINISTRATOR_ADDED', null],
      ],
    );
    const change = { name: '', text: `update acts set reason = 'other'` };
    await assert.rejects(test.database.query(change), /append-only/);
  } finally {
    await test.drop();
  }
});
