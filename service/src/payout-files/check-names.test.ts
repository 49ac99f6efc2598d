import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import { namesBy, namingRoutes } from '../../test/name-operator.ts';
import { storeFile } from '../../test/stored-file.ts';
import { createTestBook } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { storePerson } from '../../test/test-person.ts';
import { correctRow } from './change-row.ts';
import { checkSomeNames } from './check-names.ts';
import { requestNameChecks } from './request-name-checks.ts';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

it('an answer about a name that was corrected meanwhile is not kept: the row is asked about again', async () => {
  const book = await createTestBook(test.database, { mode: 'live' });
  const { merchantId } = book;
  const person = await storePerson(test.database, { roles: [{ merchantId, role: 'maker' }] });
  const actor = { kind: 'person', id: person.id, name: person.name, merchantId } as const;
  const run = (text: string) => test.database.query({ name: '', text }, [fileId]);
  const rows = [{ phone: '+260967000001' }, { phone: '+260967000002' }] as const;
  const fileId = await storeFile(test.database, { bookId: book.id, rows });
  await run(`update payout_file_rows set operator = 'mtn' where file_id = $1`);
  const request = { book, actor, fileId };
  let asked = 0;
  const routes = namingRoutes(async ({ phone }) => {
    asked += 1;
    if (phone === rows[0].phone) await correct();
    return { kind: 'resolved', accountName: phone === rows[0].phone ? 'Person 1' : 'Person 2' };
  });
  const deps = { ...test, routes, newId: randomUUID, now: () => new Date() };
  const correct = () =>
    correctRow(deps, {
      ...request,
      number: 1,
      corrections: { operator: 'mtn', name: 'Mary Phiri' },
    });
  await requestNameChecks(deps, request);
  const names = namesBy(routes, test);
  const read = () =>
    run(
      `select r.number, r.recipient_name as name, r.account_name as account, r.name_match as match, f.names_checked as checked
       from payout_file_rows r join payout_files f on f.id = r.file_id
       where r.file_id = $1 order by r.number`,
    );
  const check = () => checkSomeNames({ ...deps, names, leaseOwner: randomUUID() });

  await check();
  const second = { number: 2, name: 'Person 2', account: 'Person 2', match: 'match' };
  assert.deepEqual(await read(), [
    { number: 1, name: 'Mary Phiri', account: null, match: null, checked: 1 },
    { ...second, checked: 1 },
  ]);
  await check();
  assert.deepEqual(await read(), [
    { number: 1, name: 'Mary Phiri', account: 'Person 1', match: 'mismatch', checked: 2 },
    { ...second, checked: 2 },
  ]);
  assert.equal(asked, 2);
});
