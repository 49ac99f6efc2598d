import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { callOperation, refusalOf } from '../../../test/api-request.ts';
import { type CreatedRecipient, recipientOperations } from '../../../test/recipient-operations.ts';
import { createTestBook } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import type { Book } from '../../domain/book.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import { listRecipientsOperation } from './list-recipients.ts';
import { encodeCursor } from './read-page.ts';

let test: TestDatabase;
let book: Book;
let recipients: ReturnType<typeof recipientOperations>;
let list: ApiOperation;
before(async () => {
  test = await createTestDatabase();
  book = await createTestBook(test.database);
  recipients = recipientOperations(test);
  list = listRecipientsOperation(test);
});
after(() => test.drop());

describe('GET transfer-recipients', () => {
  it('pages through the book, newest first, and never shows another book', async () => {
    const owner = await createTestBook(test.database);
    const ids: string[] = [];
    for (const phone of ['0977423571', '0977423572', '0977423573']) {
      ids.unshift((await recipients.createOne(owner, { phone })).id);
      await recipients.createOne(book, { phone });
    }
    type Page = { items: CreatedRecipient[]; nextCursor: string | null };
    const first = (await callOperation(list, { book: owner, query: 'limit=2' })).data as Page;
    const query = `limit=2&cursor=${first.nextCursor}`;
    const second = (await callOperation(list, { book: owner, query })).data as Page;
    assert.deepEqual(
      [...first.items, ...second.items].map(({ id }) => id),
      ids,
    );
    assert.equal(second.nextCursor, null);

    const filter = 'phone=+260977423572&operator=mtn&country=zm&from=2026-11-15&to=2026-11-16';
    const found = (await callOperation(list, { book: owner, query: filter })).data as Page;
    assert.deepEqual(
      found.items.map(({ phone }) => phone),
      ['+260977423572'],
    );
  });

  it('refuses a cursor of another list and unknown parameters and values', async () => {
    const query = `cursor=${encodeCursor('transfers', randomUUID())}&status=pending&phone=12`;
    const { code, fields } = await refusalOf(callOperation(list, { book, query }));
    assert.equal(code, 'VALIDATION_ERROR');
    assert.deepEqual(fields, [
      'status UNKNOWN_FIELD',
      'cursor INVALID_CURSOR',
      'phone INVALID_PHONE',
    ]);
  });
});
