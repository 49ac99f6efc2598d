import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { storeTestEndpoint } from '../../test/stored-delivery.ts';
import { addTestCell, type TestCell } from '../../test/test-cell.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { createTestMerchant, type TestMerchant } from '../../test/test-merchant.ts';
import type { Database } from '../postgres/database.ts';
import { findEndpointCell } from './find-endpoint-cell.ts';

let test: TestDatabase;
let east: TestCell;
before(async () => {
  test = await createTestDatabase();
  east = await addTestCell(test, 'east');
});
after(async () => {
  await east.database.close();
  await test.drop();
});

async function storeEndpoint(database: Database, { books }: TestMerchant): Promise<string> {
  return (await storeTestEndpoint(database, { bookId: books.test })).id;
}

it('finds the cell that has an endpoint, among others with endpoints', async () => {
  const inMain = await storeEndpoint(test.database, await createTestMerchant(test.database));
  const inEast = await storeEndpoint(east.database, await east.createMerchant());
  const list = () => [
    { name: 'east', database: east.database },
    { name: 'main', database: test.database },
  ];
  const deps = { directory: test.directory, cells: { list } };
  const found = [inMain, inEast].map(async (id) => (await findEndpointCell(deps, id)).name);
  assert.deepEqual(await Promise.all(found), ['main', 'east']);
});
