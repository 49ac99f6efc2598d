import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { createTestBook } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { storePerson } from '../../test/test-person.ts';
import type { Actor } from '../domain/actor.ts';
import { findKey } from './find-key.ts';
import { issueKey } from './issue-key.ts';
import { rotateKey } from './rotate-key.ts';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

const deps = () => ({
  directory: test.database,
  now: () => new Date(),
  newId: () => randomUUID(),
  randomBytes,
});

async function issue(actorOf: (merchantId: string, id: string, name: string) => Actor) {
  const book = await createTestBook(test.database);
  const roles = [{ merchantId: book.merchantId, role: 'owner' }] as const;
  const person = await storePerson(test.database, { roles, staffRoles: ['admin'] });
  const actor = actorOf(book.merchantId, person.id, person.name);
  const rules = { name: 'Key', scopes: ['read'], addresses: [], expiresAt: null } as const;
  const { id } = await issueKey(deps(), { actor, bookId: book.id, mode: book.mode, ...rules });
  return { id, person };
}

/** The person behind a key, and whom its merchant sees as such. */
async function makerOf(id: string) {
  const text = 'select created_by from api_keys where id = $1';
  const [row] = await test.database.query<{ created_by: string | null }>({ name: '', text }, [id]);
  const { createdBy } = await test.database.transaction((tx) => findKey(tx, { id }));
  return { kept: row?.created_by, shown: createdBy?.id ?? null };
}

async function rotate(id: string): Promise<string> {
  const other = await storePerson(test.database, { staffRoles: ['admin'] });
  const actor = { kind: 'person', id: other.id, name: other.name } as const;
  const { issued } = await rotateKey(deps(), { actor, id, overlapMs: 0, lifeMs: null });
  return issued.id;
}

describe('the maker of a key', () => {
  it('is kept where one of the staff issues it, and not shown to the merchant', async () => {
    const { id, person } = await issue((_, personId, name) => ({
      kind: 'person',
      id: personId,
      name,
    }));
    assert.deepEqual(await makerOf(id), { kept: person.id, shown: null });
  });

  it('stays the one who made it when the staff rotates it', async () => {
    const { id, person } = await issue((merchantId, personId, name) => ({
      kind: 'person',
      id: personId,
      name,
      merchantId,
    }));
    assert.deepEqual(await makerOf(await rotate(id)), { kept: person.id, shown: person.id });
  });
});
