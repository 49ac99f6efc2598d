import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { callOperation, refusalOf } from '../../../test/api-request.ts';
import { namesBy, sandboxRoutes } from '../../../test/name-operator.ts';
import { createTestBook } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import type { Book } from '../../domain/book.ts';
import { createUuidV7Source } from '../../domain/uuid.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import { createRecipientOperation } from './create-recipient.ts';
import { getRecipientOperation } from './get-recipient.ts';

const NOW = new Date('2026-11-15T08:00:00.000Z');
const BODY = { phone: '0977423571', operator: 'mtn', country: 'zm' };
const newId = createUuidV7Source(
  () => NOW.getTime(),
  (bytes) => crypto.getRandomValues(bytes),
);

let test: TestDatabase;
let book: Book;
let create: ApiOperation;
let get: ApiOperation;
before(async () => {
  test = await createTestDatabase();
  book = await createTestBook(test.database);
  const { database } = test;
  const names = namesBy(
    sandboxRoutes(() => NOW),
    test,
  );
  create = createRecipientOperation({ database, names, newId, now: () => NOW });
  get = getRecipientOperation({ database });
});
after(() => test.drop());

type Recipient = { id: string; phone: string };

async function createOne(owner: Book, body: Record<string, unknown> = {}): Promise<Recipient> {
  const { data } = await callOperation(create, { book: owner, body: { ...BODY, ...body } });
  return data as Recipient;
}

describe('GET transfer-recipients/:id', () => {
  it('finds the recipient by its id in upper or lower case', async () => {
    const recipient = await createOne(book);
    const params = { id: recipient.id.toUpperCase() };
    const { status, data } = await callOperation(get, { book, params });
    assert.equal(status, 200);
    assert.deepEqual(data, recipient);
  });

  it("answers the same for unknown ids, another merchant's, the other mode's and malformed ids", async () => {
    const { id } = await createOne(book);
    const live = await createTestBook(test.database, { mode: 'live' });
    const asked = [
      { book, id: randomUUID() },
      { book: await createTestBook(test.database), id },
      { book: live, id },
      { book, id: 'x' },
      { book, id: `{${id}}` },
      { book, id: id.replaceAll('-', '') },
      { book, id: '' },
    ];
    for (const { book: asking, id } of asked) {
      const refusal = await refusalOf(callOperation(get, { book: asking, params: { id } }));
      assert.deepEqual(refusal, { code: 'RECIPIENT_NOT_FOUND', fields: [], detail: {} });
    }
  });
});
