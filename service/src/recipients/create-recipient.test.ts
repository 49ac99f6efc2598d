import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { namesBy, namingRoutes, sandboxRoutes } from '../../test/name-operator.ts';
import { TEST_ACTOR } from '../../test/test-actor.ts';
import { createTestBook } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import type { Book } from '../domain/book.ts';
import type { NameAnswer } from '../operators/contract/connector.ts';
import type { Routes } from '../operators/routes/route.ts';
import { createRecipient, type RecipientCommand } from './create-recipient.ts';
import { findRecipient } from './find-recipient.ts';

const NOW = new Date('2026-11-15T08:00:00.000Z');
/** The sandbox names its holder Joseph Mwansa. */
const PHONE = '+260977423571';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

function create(book: Book, command: Partial<RecipientCommand> = {}, routes?: Routes) {
  return createRecipient(
    {
      database: test.database,
      names: namesBy(routes ?? sandboxRoutes(() => NOW), test),
      newId: randomUUID,
      now: () => NOW,
    },
    {
      book,
      actor: TEST_ACTOR,
      command: {
        phone: PHONE,
        operator: 'mtn',
        country: 'zm',
        suppliedAccountName: null,
        ...command,
      },
    },
  );
}

async function eventsOf(id: string) {
  return test.database.query(
    {
      name: '',
      text: `
        select seq, type, from_state, to_state, cause, actor, created_at from events
        where subject_id = $1 order by seq`,
    },
    [id],
  );
}

async function countRecipients(book: Book): Promise<bigint | undefined> {
  const [row] = await test.database.query<{ count: bigint }>(
    { name: '', text: 'select count(*) from recipients where book_id = $1' },
    [book.id],
  );
  return row?.count;
}

async function nextResolveAt(id: string): Promise<Date | null | undefined> {
  const [row] = await test.database.query<{ next_resolve_at: Date | null }>(
    { name: '', text: 'select next_resolve_at from recipients where id = $1' },
    [id],
  );
  return row?.next_resolve_at;
}

describe('creating a recipient', () => {
  it("stores it under the operator's name, with its event", async () => {
    const book = await createTestBook(test.database);
    const { recipient, created } = await create(book);
    assert.equal(created, true);
    assert.equal(recipient.accountName, 'Joseph Mwansa');
    assert.equal(recipient.resolution, 'resolved');
    assert.equal(recipient.nameMatch, null);
    assert.deepEqual(await findRecipient(test.database, { book, id: recipient.id }), recipient);
    const [event, ...more] = await eventsOf(recipient.id);
    assert.deepEqual(event, {
      seq: 1,
      type: 'recipient.created',
      from_state: null,
      to_state: null,
      cause: 'NAME_GIVEN',
      actor: 'machine:tester@test.example',
      created_at: NOW,
    });
    assert.deepEqual(more, []);
    assert.equal(await nextResolveAt(recipient.id), null);
  });

  it('compares the supplied name and never uses it as the resolved one', async () => {
    const book = await createTestBook(test.database);
    const names = { 'mwansa JOSEPH': 'match', 'J. Mwansa': 'close', 'Ngozi Eze': 'mismatch' };
    const operators = ['mtn', 'airtel', 'zamtel'] as const;
    for (const [index, [suppliedAccountName, nameMatch]] of Object.entries(names).entries()) {
      const operator = operators[index] ?? 'vodacom';
      const { recipient } = await create(book, { operator, suppliedAccountName });
      assert.equal(recipient.accountName, 'Joseph Mwansa');
      assert.equal(recipient.suppliedAccountName, suppliedAccountName);
      assert.equal(recipient.nameMatch, nameMatch);
    }
  });

  it('returns the stored one for the same account, and does not ask the operator again', async () => {
    const book = await createTestBook(test.database, { mode: 'live' });
    let lookups = 0;
    const routes = namingRoutes(async () => {
      lookups += 1;
      return { kind: 'resolved', accountName: 'Grace Tembo' };
    });
    const first = await create(book, {}, routes);
    const second = await create(book, { suppliedAccountName: 'Mary Phiri' }, routes);
    assert.deepEqual(second, { recipient: first.recipient, created: false });
    assert.equal(lookups, 1);
    // Even when the route was removed since.
    assert.equal((await create(book)).recipient.id, first.recipient.id);
  });

  it('distinguishes accounts by operator and by book', async () => {
    const book = await createTestBook(test.database);
    const other = await createTestBook(test.database);
    const ids = new Set<string>();
    for (const [owner, operator] of [
      [book, 'mtn'],
      [book, 'airtel'],
      [other, 'mtn'],
    ] as const) {
      const { recipient, created } = await create(owner, { operator });
      assert.equal(created, true);
      ids.add(recipient.id);
    }
    assert.equal(ids.size, 3);
  });

  it('creates one for fifty requests at once, and every other request gets the same', async () => {
    const book = await createTestBook(test.database);
    const results = await Promise.all(Array.from({ length: 50 }, () => create(book)));
    assert.equal(results.filter(({ created }) => created).length, 1);
    assert.equal(new Set(results.map(({ recipient }) => recipient.id)).size, 1);
    assert.equal(await countRecipients(book), 1n);
    assert.equal((await eventsOf(results[0]?.recipient.id ?? '')).length, 1);
  });

  it('stores nothing when the operator has no such account', async () => {
    const book = await createTestBook(test.database);
    await assert.rejects(create(book, { phone: '+260977433901' }), { code: 'ACCOUNT_NOT_FOUND' });
    assert.equal(await countRecipients(book), 0n);
  });

  it('stores nothing in a live book without a route', async () => {
    const book = await createTestBook(test.database, { mode: 'live' });
    await assert.rejects(create(book), { code: 'OPERATOR_NOT_AVAILABLE' });
    assert.equal(await countRecipients(book), 0n);
  });

  it('stores it as pending, with a later lookup, when the operator cannot be reached', async () => {
    const book = await createTestBook(test.database);
    const { recipient, created } = await create(book, {
      phone: '+260977433951',
      suppliedAccountName: 'Joseph Mwansa',
    });
    assert.equal(created, true);
    const { resolution, accountName, nameMatch } = recipient;
    assert.deepEqual(
      { resolution, accountName, nameMatch },
      {
        resolution: 'pending',
        accountName: null,
        nameMatch: null,
      },
    );
    assert.deepEqual(await nextResolveAt(recipient.id), new Date(NOW.getTime() + 5_000));
    const [event] = await eventsOf(recipient.id);
    assert.equal(event?.type, 'recipient.created');
  });

  it('treats a name that cannot be shown as no answer', async () => {
    const names = ['', '   ', 'Grace\u0000Tembo', 'x'.repeat(201), 'Grace \u202e Tembo', '\ud800'];
    for (const accountName of names) {
      const book = await createTestBook(test.database, { mode: 'live' });
      const routes = namingRoutes(async () => ({ kind: 'resolved', accountName }));
      const { recipient } = await create(book, {}, routes);
      assert.equal(recipient.resolution, 'pending');
    }
  });

  it("removes control characters of an operator's text from the event", async () => {
    const book = await createTestBook(test.database, { mode: 'live' });
    const cause = `\u0000${'long '.repeat(100)}`;
    const routes = namingRoutes(async (): Promise<NameAnswer> => ({ kind: 'unreachable', cause }));
    const { recipient } = await create(book, {}, routes);
    assert.equal(recipient.resolution, 'pending');
  });

  it('does not ask an operator that gives no names, now or later', async () => {
    const book = await createTestBook(test.database, { mode: 'live' });
    const refusing = async (): Promise<NameAnswer> => assert.fail('looked up a name');
    const { recipient } = await create(book, {}, namingRoutes(refusing, { resolvesNames: false }));
    assert.equal(recipient.resolution, 'pending');
    assert.equal(await nextResolveAt(recipient.id), null);
  });
});
