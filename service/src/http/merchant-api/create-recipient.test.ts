import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { callOperation, refusalOf } from '../../../test/api-request.ts';
import {
  type CreatedRecipient,
  RECIPIENT_BODY,
  recipientOperations,
} from '../../../test/recipient-operations.ts';
import { createTestBook } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import type { Book } from '../../domain/book.ts';

let test: TestDatabase;
let book: Book;
let recipients: ReturnType<typeof recipientOperations>;
before(async () => {
  test = await createTestDatabase();
  book = await createTestBook(test.database);
  recipients = recipientOperations(test);
});
after(() => test.drop());

describe('POST transfer-recipients/mobile-money', () => {
  it('answers 201 with the whole recipient and its Location, then 200 with the same recipient', async () => {
    const owner = await createTestBook(test.database);
    const request = { book: owner, body: { ...RECIPIENT_BODY, accountName: 'Joseph Mwansa' } };
    const first = await callOperation(recipients.create, request);
    assert.equal(first.status, 201);
    assert.equal(first.message, 'Recipient created');
    const { id, ...rest } = first.data as CreatedRecipient;
    assert.deepEqual(rest, {
      type: 'mobile-money',
      phone: '+260977423571',
      operator: 'mtn',
      country: 'zm',
      accountName: 'Joseph Mwansa',
      suppliedAccountName: 'Joseph Mwansa',
      nameMatch: 'match',
      resolution: 'resolved',
      mode: 'test',
      createdAt: '2026-11-15T08:00:00.000Z',
    });
    assert.deepEqual(first.headers, { location: `/api/v1/payments/transfer-recipients/${id}` });

    const again = { ...request, body: { ...RECIPIENT_BODY, phone: '+260 97 742-3571' } };
    const second = await callOperation(recipients.create, again);
    assert.equal(second.status, 200);
    assert.equal(second.message, 'Recipient already exists');
    assert.deepEqual(second.data, first.data);
  });

  it('answers null for absent values and leaves out no field', async () => {
    const owner = await createTestBook(test.database);
    const body = { ...RECIPIENT_BODY, phone: '0977423951', accountName: null };
    const { data, unserialised } = await callOperation(recipients.create, { book: owner, body });
    assert.deepEqual(data, unserialised);
    const { accountName, suppliedAccountName, nameMatch, resolution } = data as Record<
      string,
      unknown
    >;
    assert.deepEqual([accountName, suppliedAccountName, nameMatch], [null, null, null]);
    assert.equal(resolution, 'pending');
  });

  it('reads a blank name as no name', async () => {
    const owner = await createTestBook(test.database);
    const recipient = await recipients.createOne(owner, { accountName: '  ' });
    assert.partialDeepStrictEqual(recipient, { suppliedAccountName: null, nameMatch: null });
  });

  it('lists all broken fields at once', async () => {
    const body = { phone: '0211123456', operator: 'MTN', country: 'zm', accountname: 'x' };
    const wrong = { ...body, accountName: 'x'.repeat(101) };
    const { code, fields } = await refusalOf(
      callOperation(recipients.create, { book, body: wrong }),
    );
    assert.equal(code, 'VALIDATION_ERROR');
    assert.deepEqual(fields.sort(), [
      'accountName TOO_LONG',
      'accountname UNKNOWN_FIELD',
      'operator INVALID_OPERATOR',
      'phone INVALID_PHONE',
    ]);
    const empty = await refusalOf(callOperation(recipients.create, { book, body: {} }));
    assert.deepEqual(empty.fields.sort(), [
      'country REQUIRED',
      'operator REQUIRED',
      'phone REQUIRED',
    ]);
  });

  it('ignores an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': ' ' };
    const owner = await createTestBook(test.database);
    assert.equal(
      (await callOperation(recipients.create, { book: owner, headers, body: RECIPIENT_BODY }))
        .status,
      201,
    );
  });
});
