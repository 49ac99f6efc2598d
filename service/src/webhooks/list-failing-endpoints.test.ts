import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { createTestBook } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { causeOf } from '../domain/cause.ts';
import { listFailingEndpoints } from './list-failing-endpoints.ts';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

it('an endpoint that its merchant disabled itself takes no place in the list', async () => {
  const { id: bookId } = await createTestBook(test.database);
  const text = `
    insert into webhook_endpoints (book_id, id, url, secret_sealed, status, disabled_reason, failing_since, created_at)
    values ($1, gen_random_uuid(), 'https://example.com', decode(repeat('00', 40), 'hex'), $2, $3, $4, now())`;
  for (const values of [
    ['disabled', causeOf('DISABLED_BY_MERCHANT'), new Date('2026-03-01')],
    ['disabled', 'GONE', new Date('2026-03-02')],
    ['enabled', null, new Date('2026-03-03')],
  ]) {
    await test.database.query({ name: '', text }, [bookId, ...values]);
  }
  const list = async (max: number) =>
    (await listFailingEndpoints(test.database, { max })).map((one) => one.disabledReason);
  assert.deepEqual(await list(2), ['GONE', null]);
});
