import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { callOperation, refusalOf } from '../../../test/api-request.ts';
import { recipientOperations } from '../../../test/recipient-operations.ts';
import { createTestBook } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import type { Book } from '../../domain/book.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import { getRecipientOperation } from './get-recipient.ts';

let test: TestDatabase;
let book: Book;
let recipients: ReturnType<typeof recipientOperations>;
let get: ApiOperation;
before(async () => {
  test = await createTestDatabase();
  book = await createTestBook(test.database);
  recipients = recipientOperations(test);
  get = getRecipientOperation(test);
});
after(() => test.drop());

describe('GET transfer-recipients/:id', () => {
  it('finds the recipient by its id in upper or lower case', async () => {
    const recipient = await recipients.createOne(book);
    const params = { id: recipient.id.toUpperCase() };
    const { status, data } = await callOperation(get, { book, params });
    assert.equal(status, 200);
    assert.deepEqual(data, recipient);
  });

  it("answers the same for unknown ids, another merchant's, the other mode's and malformed ids", async () => {
    const { id } = await recipients.createOne(book);
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
