import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { migrateOn } from '../../test/migrate-before.ts';
import { createTestBook } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { storePerson } from '../../test/test-person.ts';
import { findPeopleOfActors } from '../approvals/can-be-given.ts';
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
  directory: test.directory,
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

async function rotate(id: string) {
  const other = await storePerson(test.database, { staffRoles: ['admin'] });
  const actor = { kind: 'person', id: other.id, name: other.name } as const;
  const { issued } = await rotateKey(deps(), { actor, id, overlapMs: 0, lifeMs: null });
  return { issued, other };
}

const asMember = (merchantId: string, id: string, name: string) =>
  ({ kind: 'person', id, name, merchantId }) as const;

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
    const { id, person } = await issue(asMember);
    const { issued, other } = await rotate(id);
    assert.deepEqual(await makerOf(issued.id), { kept: person.id, shown: person.id });
    // The one who rotated it has seen its secret, and approves nothing that it orders.
    const asked = { bookId: issued.bookId, codes: [`key:${issued.id}`] };
    const people = await findPeopleOfActors(test.database, asked);
    assert.deepEqual(people.toSorted(), [person.id, other.id].toSorted());
    const again = await rotate(issued.id);
    const next = await findPeopleOfActors(test.database, {
      ...asked,
      codes: [`key:${again.issued.id}`],
    });
    assert.deepEqual(next.toSorted(), [person.id, again.other.id].toSorted());
  });

  it('is found in the record of acts for a key that was rotated by the release before', async () => {
    const { id, person } = await issue(asMember);
    const { issued, other } = await rotate(id);
    await undoRotatedKeys();
    await migrateOn(test.database);
    const asked = { bookId: issued.bookId, codes: [`key:${issued.id}`] };
    const people = await findPeopleOfActors(test.database, asked);
    assert.deepEqual(people.toSorted(), [person.id, other.id].toSorted());
  });
});

/** The directory as it was before it had who rotated a key. */
async function undoRotatedKeys(): Promise<void> {
  const texts = [
    'drop trigger administrators_keep_ended on directory.administrators',
    'drop function directory.keep_key_ended',
    'alter table directory.sessions drop column by_single_sign_on',
    'alter table directory.people drop column vouched_at',
    'alter table directory.api_keys drop column rotated_by cascade',
    `call directory.log_changes_of('directory.api_keys', '{book_id,id}', '{book_id,id,hash}')`,
    'delete from directory.migrations where version >= 6',
  ];
  for (const text of texts) await test.database.query({ name: '', text });
}
