import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { namesBy, namingRoutes, sandboxRoutes } from '../../test/name-operator.ts';
import { createTestBook } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import type { Book } from '../domain/book.ts';
import type { Account } from '../operators/contract/connector.ts';
import type { Routes } from '../operators/routes/route.ts';
import { resolveAccount } from './resolve-account.ts';

const account: Account = { phone: '+260977423571', operator: 'mtn', country: 'zm' };
const sandbox = sandboxRoutes(() => new Date());

let test: TestDatabase;
let book: Book;
let live: Book;
before(async () => {
  test = await createTestDatabase();
  book = await createTestBook(test.database);
  live = await createTestBook(test.database, { mode: 'live' });
});
after(() => test.drop());

function resolve(given: { book: Book; routes: Routes; phone?: string }) {
  const { phone = account.phone, routes } = given;
  const names = namesBy(routes, test);
  const request = { book: given.book, actor: 'key test', account: { ...account, phone } };
  return resolveAccount({ names }, request);
}

it('gives the name of the account', async () => {
  const resolved = await resolve({ book, routes: sandbox });
  assert.deepEqual(resolved, { ...account, accountName: 'Joseph Mwansa' });
});

it('reports when there is no such account', async () => {
  const work = resolve({ book, routes: sandbox, phone: '+260977433901' });
  await assert.rejects(work, { code: 'ACCOUNT_NOT_FOUND' });
});

it('reports when to try again while the operator cannot be reached', async () => {
  await assert.rejects(resolve({ book, routes: sandbox, phone: '+260977433951' }), {
    code: 'UNAVAILABLE',
    message: 'The operator cannot be asked now. Nothing was stored: try again after Retry-After.',
    detail: {
      message: 'The operator cannot be asked now. Nothing was stored: try again after Retry-After.',
      retryAfterSeconds: 5,
    },
  });
});

it('reports that a live book has no route, or that its operator gives no names', async () => {
  const routes = namingRoutes(async () => assert.fail('looked up a name'), {
    resolvesNames: false,
  });
  for (const without of [sandbox, routes]) {
    await assert.rejects(resolve({ book: live, routes: without }), {
      code: 'OPERATOR_NOT_AVAILABLE',
    });
  }
});
