import type { Database } from '../src/postgres/database.ts';
import { prepareSchema } from '../src/postgres/prepare-schema.ts';
import { cellSchema, searchPathOf } from '../src/schema/service-schema.ts';
import { cellsOf, openTestPool, TEST_CELL, type TestDatabase } from './test-database.ts';

const SECOND = { name: 'second', schema: 'cell_second' };

/** Makes a second cell in the database of a test, and lists it. Who makes it closes its pool. */
export async function addSecondCell(test: TestDatabase): Promise<
  Readonly<{
    second: Database;
    /** Both. */
    cells: ReturnType<typeof cellsOf>;
  }>
> {
  const schema = cellSchema(SECOND);
  await prepareSchema(test.database, { schema, role: undefined, say: () => undefined });
  const list = 'insert into cells (name, schema, created_at) values ($1, $2, now())';
  await test.directory.query({ name: '', text: list }, [SECOND.name, SECOND.schema]);
  const second = openTestPool(test.connectionString, searchPathOf(SECOND));
  return { second, cells: cellsOf({ [TEST_CELL.name]: test.database, second }) };
}
