import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { apiRequest, callOperation, refusalOf } from '../../../test/api-request.ts';
import { namesBy, sandboxRoutes } from '../../../test/name-operator.ts';
import { createTestBook } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import type { Book } from '../../domain/book.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import { createRecipientOperation } from './create-recipient.ts';
import { resolveAccountOperation } from './resolve-account.ts';

const BODY = { phone: '0977423571', operator: 'mtn', country: 'zm' };

let test: TestDatabase;
let book: Book;
let resolve: ApiOperation;
before(async () => {
  test = await createTestDatabase();
  book = await createTestBook(test.database);
  resolve = resolveAccountOperation({
    names: namesBy(
      sandboxRoutes(() => new Date()),
      test,
    ),
  });
});
after(() => test.drop());

describe('POST resolve/mobile-money', () => {
  it('gives the name, and has its own rate limit', async () => {
    const { status, message, data, unserialised } = await callOperation(resolve, {
      book,
      body: BODY,
    });
    assert.deepEqual([status, message], [200, 'Account resolved']);
    assert.deepEqual(data, {
      phone: '+260977423571',
      accountName: 'Joseph Mwansa',
      operator: 'mtn',
      country: 'zm',
    });
    assert.deepEqual(data, unserialised);
    assert.deepEqual(resolve.rateLimit, { perSecond: 20, burst: 60 });
  });

  it('records which key looked up which number, and not the name it received', async () => {
    const asking = await createTestBook(test.database);
    const request = apiRequest({ book: asking, body: BODY });
    await resolve.handle(request);
    const rows = await test.database.query(
      {
        name: '',
        text: 'select actor, phone, to_jsonb(l)::text as whole from name_lookups l where book_id = $1',
      },
      [asking.id],
    );
    assert.equal(rows.length, 1);
    const [{ actor, phone, whole } = {}] = rows;
    assert.deepEqual([actor, phone], [`key:${request.caller.id}`, '+260977423571']);
    assert.doesNotMatch(String(whole), /Joseph|Mwansa/);
  });

  it('limits the names that a key may look up a day, also by creating recipients', async () => {
    const names = namesBy(
      sandboxRoutes(() => new Date()),
      { ...test, namesPerDayMax: 2 },
    );
    const asking = { book: await createTestBook(test.database), keyId: randomUUID() };
    const recipients = { ...test, names, newId: randomUUID, now: () => new Date() };
    const limited = resolveAccountOperation({ names });
    const create = createRecipientOperation(recipients);
    await callOperation(limited, { ...asking, body: BODY });
    await callOperation(create, { ...asking, body: BODY });
    for (const route of [limited, create]) {
      const body = { ...BODY, phone: '0977423572' };
      const { code, detail } = await refusalOf(callOperation(route, { ...asking, body }));
      assert.equal(code, 'RATE_LIMITED');
      assert.ok((detail.retryAfterSeconds ?? 0) > 0);
    }
    const again = await callOperation(create, { ...asking, body: BODY });
    assert.equal(again.status, 200, 'no name is looked up for a recipient that exists');
  });

  it('answers as the sandbox numbers say, and says when to try again', async () => {
    const ask = (phone: string) =>
      refusalOf(callOperation(resolve, { book, body: { ...BODY, phone } }));
    assert.equal((await ask('0977433901')).code, 'ACCOUNT_NOT_FOUND');
    const { code, detail } = await ask('0977433951');
    assert.deepEqual([code, detail.retryAfterSeconds], ['UNAVAILABLE', 5]);
  });

  it('refuses a number that no operator has, and names unknown fields', async () => {
    const body = { ...BODY, phone: 'x', accountName: 'Joseph' };
    const { fields } = await refusalOf(callOperation(resolve, { book, body }));
    assert.deepEqual(fields, ['accountName UNKNOWN_FIELD', 'phone INVALID_PHONE']);
  });
});
