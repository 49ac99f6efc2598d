import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { callOperation, refusalOf } from '../../../test/api-request.ts';
import { namesBy, sandboxRoutes } from '../../../test/name-operator.ts';
import { createTestBook } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import type { Book } from '../../domain/book.ts';
import { createUuidV7Source } from '../../domain/uuid.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import { createRecipientOperation } from './create-recipient.ts';

const NOW = new Date('2026-11-15T08:00:00.000Z');
const BODY = { phone: '0977423571', operator: 'mtn', country: 'zm' };
const newId = createUuidV7Source(
  () => NOW.getTime(),
  (bytes) => crypto.getRandomValues(bytes),
);

let test: TestDatabase;
let book: Book;
let create: ApiOperation;
before(async () => {
  test = await createTestDatabase();
  book = await createTestBook(test.database);
  const { database } = test;
  const names = namesBy(
    sandboxRoutes(() => NOW),
    test,
  );
  create = createRecipientOperation({ database, names, newId, now: () => NOW });
});
after(() => test.drop());

type Recipient = { id: string; phone: string };

async function createOne(owner: Book, body: Record<string, unknown> = {}): Promise<Recipient> {
  const { data } = await callOperation(create, { book: owner, body: { ...BODY, ...body } });
  return data as Recipient;
}

describe('POST transfer-recipients/mobile-money', () => {
  it('answers 201 with the whole recipient and its Location, then 200 with the same recipient', async () => {
    const owner = await createTestBook(test.database);
    const request = { book: owner, body: { ...BODY, accountName: 'Joseph Mwansa' } };
    const first = await callOperation(create, request);
    assert.equal(first.status, 201);
    assert.equal(first.message, 'Recipient created');
    const { id, ...rest } = first.data as Recipient;
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

    const again = { ...request, body: { ...BODY, phone: '+260 97 742-3571' } };
    const second = await callOperation(create, again);
    assert.equal(second.status, 200);
    assert.equal(second.message, 'Recipient already exists');
    assert.deepEqual(second.data, first.data);
  });

  it('answers null for absent values and leaves out no field', async () => {
    const owner = await createTestBook(test.database);
    const body = { ...BODY, phone: '0977423951', accountName: null };
    const { data, unserialised } = await callOperation(create, { book: owner, body });
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
    const recipient = await createOne(owner, { accountName: '  ' });
    assert.partialDeepStrictEqual(recipient, { suppliedAccountName: null, nameMatch: null });
  });

  it('lists all broken fields at once', async () => {
    const body = { phone: '0211123456', operator: 'MTN', country: 'zm', accountname: 'x' };
    const wrong = { ...body, accountName: 'x'.repeat(101) };
    const { code, fields } = await refusalOf(callOperation(create, { book, body: wrong }));
    assert.equal(code, 'VALIDATION_ERROR');
    assert.deepEqual(fields.sort(), [
      'accountName TOO_LONG',
      'accountname UNKNOWN_FIELD',
      'operator INVALID_OPERATOR',
      'phone INVALID_PHONE',
    ]);
    const empty = await refusalOf(callOperation(create, { book, body: {} }));
    assert.deepEqual(empty.fields.sort(), [
      'country REQUIRED',
      'operator REQUIRED',
      'phone REQUIRED',
    ]);
  });

  it('ignores an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': ' ' };
    const owner = await createTestBook(test.database);
    assert.equal((await callOperation(create, { book: owner, headers, body: BODY })).status, 201);
  });
});
