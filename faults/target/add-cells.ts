import { openDatabase } from '../../service/src/postgres/database.ts';
import { listGranted } from '../../service/src/postgres/grant-rights.ts';
import { prepareSchema } from '../../service/src/postgres/prepare-schema.ts';
import { cellSchema, MAIN_CELL, searchPathOf } from '../../service/src/schema/service-schema.ts';
import { queryOnce } from './query-once.ts';

export type CellPlace = Readonly<{ name: string; schema: string }>;

/**
 * Adds cells to the server until there are so many, and returns the last. Statements of the harness find the tables of
 * that one from now on.
 */
export async function addCells(databaseUrl: string, count: number): Promise<CellPlace> {
  let last: CellPlace = MAIN_CELL;
  if (count === 1) return last;
  const database = openDatabase({
    connectionString: databaseUrl,
    applicationName: 'faults',
    connectionsMax: 1,
    onError: () => undefined,
  });
  try {
    const [role] = await listGranted(database, `${MAIN_CELL.schema}.transfers`);
    for (let number = 2; number <= count; number += 1) {
      last = { name: `cell_${number}`, schema: `cell_${number}` };
      await prepareSchema(database, { schema: cellSchema(last), role, say: () => undefined });
      await queryOnce(databaseUrl, LIST, [last.name, last.schema]);
    }
  } finally {
    await database.close();
  }
  const [found] = await queryOnce<{ name: string }>(databaseUrl, NAME);
  const path = searchPathOf(last).join(', ');
  await queryOnce(databaseUrl, `alter database ${found?.name} set search_path = ${path}`);
  return last;
}

const LIST = 'insert into directory.cells (name, schema, created_at) values ($1, $2, now())';
const NAME = 'select quote_ident(current_database()) as name';
