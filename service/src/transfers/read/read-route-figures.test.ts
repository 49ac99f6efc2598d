import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { storeDoubt } from '../../../test/stored-doubt.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { readRouteFigures } from './read-route-figures.ts';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

const run = (text: string, values: readonly unknown[]) =>
  test.database.query({ name: '', text }, values);

it('the figures of a route have nothing that a merchant that moved left here', async () => {
  const text = `
    insert into attempts (book_id, transfer_id, id, route, purpose, operator_reference, request, http_status, answer,
                          outcome, elapsed_ms, ended_at)
    select t.book_id, t.id, gen_random_uuid(), t.route, 'submit', t.operator_reference, 'POST', 200, '', 'paid', 1, now()
    from transfers t where t.id = $1`;
  const [stays, moved] = [await storeDoubt(test.database), await storeDoubt(test.database)];
  for (const { id } of [stays, moved]) await run(text, [id]);
  const count = async () =>
    (await readRouteFigures(test.database)).map(({ route, submitted, answers }) => [
      route,
      submitted,
      answers[0]?.count,
    ]);
  assert.deepEqual(await count(), [['mtn-zm', 2, 2]]);
  const leave = `
    update merchants set state = 'moved' where id = (select merchant_id from books where id = $1)`;
  await run(leave, [moved.bookId]);
  assert.deepEqual(await count(), [['mtn-zm', 1, 1]]);
});
