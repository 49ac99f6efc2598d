import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { sqlState } from '../postgres/database.ts';

/** The tables that are written for each payout. */
const HOT_TABLES = ['transfers', 'postings', 'events', 'wallets'];
const CHECK_VIOLATION = '23514';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

describe('the checks of single columns of the tables of payouts', () => {
  it('are those of domains: a CHECK of a table is prepared anew by each statement', async () => {
    const text = `
      select conname from pg_constraint
      where conrelid::regclass::text = any ($1) and contype = 'c' and cardinality(conkey) = 1`;
    assert.deepEqual(await test.database.query({ name: '', text }, [HOT_TABLES]), []);
  });

  it('are there for each domain, and refuse a value', async () => {
    const unchecked = `
      select typname from pg_type t
      where typtype = 'd' and typnamespace = 'public'::regnamespace
        and not exists (select from pg_constraint c where c.contypid = t.oid)`;
    assert.deepEqual(await test.database.query({ name: '', text: unchecked }), []);
    const wrong = `
      insert into events (book_id, subject_id, seq, cause, actor, created_at)
      values (gen_random_uuid(), gen_random_uuid(), 0, 'accepted', 'test', now())`;
    await assert.rejects(
      test.database.query({ name: '', text: wrong }),
      (error) => sqlState(error) === CHECK_VIOLATION,
    );
  });
});
