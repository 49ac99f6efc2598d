import { type Database, openDatabase } from '../src/postgres/database.ts';
import { searchPathOf } from '../src/schema/service-schema.ts';
import { makeCell } from './make-cell.ts';
import type { TestDatabase } from './test-database.ts';
import { createTestMerchant, type TestMerchant } from './test-merchant.ts';

export type TestCell = Readonly<{
  database: Database;
  createMerchant(): Promise<TestMerchant>;
}>;

/** Adds a cell to a test database: a schema of its own, on the same server. */
export async function addTestCell(
  { database, connectionString }: Pick<TestDatabase, 'database' | 'connectionString'>,
  name: string,
): Promise<TestCell> {
  const place = { name, schema: `cell_${name}` };
  await makeCell(database, place, undefined);
  const own = openDatabase({
    connectionString,
    applicationName: `kafue-test ${name}`,
    connectionsMax: 2,
    searchPath: searchPathOf(place),
    onError: () => undefined,
  });
  return {
    database: own,
    async createMerchant() {
      const merchant = await createTestMerchant(own);
      await placeTestMerchant(database, { merchantId: merchant.id, cell: name });
      return merchant;
    },
  };
}

/** Tells the directory of a cell. `urlVariable`: where the address of its server is; left out: on this one. */
export async function listTestCell(
  database: Database,
  { name, schema, urlVariable }: Readonly<{ name: string; schema: string; urlVariable?: string }>,
): Promise<void> {
  const text =
    'insert into directory.cells (name, schema, url_variable, created_at) values ($1, $2, $3, now())';
  await database.query({ name: '', text }, [name, schema, urlVariable ?? null]);
}

/** Says in the directory that a merchant is in this cell. */
export async function placeTestMerchant(
  database: Database,
  { merchantId, cell }: Readonly<{ merchantId: string; cell: string }>,
): Promise<void> {
  const text = 'update directory.merchants set cell = $2 where id = $1';
  await database.query({ name: '', text }, [merchantId, cell]);
}
