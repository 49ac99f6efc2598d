import { openDatabase } from '../../service/src/postgres/database.ts';
import { listGranted } from '../../service/src/postgres/grant-rights.ts';
import { MAIN_CELL, searchPathOf } from '../../service/src/schema/service-schema.ts';
import { type CellPlace, makeCell } from '../../service/test/make-cell.ts';
import { queryOnce } from './query-once.ts';

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
      await makeCell(database, last, role);
    }
  } finally {
    await database.close();
  }
  const [found] = await queryOnce<{ name: string }>(databaseUrl, NAME);
  const path = searchPathOf(last).join(', ');
  await queryOnce(databaseUrl, `alter database ${found?.name} set search_path = ${path}`);
  return last;
}

const NAME = 'select quote_ident(current_database()) as name';
