import { escapeIdentifier } from 'pg';
import type { Database, Statement } from '../postgres/database.ts';
import { prepareSchema } from '../postgres/prepare-schema.ts';
import { cellSchema, DIRECTORY, MAIN_CELL, searchPathOf } from './service-schema.ts';

type Options = Readonly<{
  /** The role of the service; undefined: roles that have rights on the tables keep them, and no other gets any. */
  role: string | undefined;
  say: (line: string) => void;
}>;

/**
 * Migrates the directory and all cells of this server to the newest version, and renews the rights of the service on
 * them. Returns whether we own the tables.
 */
export async function prepareDatabase(database: Database, options: Options): Promise<boolean> {
  // The first cell comes first: the directory of a server is made from it.
  const owned = await prepareSchema(database, { ...options, schema: cellSchema(MAIN_CELL) });
  await prepareSchema(database, { ...options, schema: DIRECTORY });
  const others = await database.query<{ name: string; schema: string }>(OTHER_CELLS, [
    MAIN_CELL.name,
  ]);
  for (const cell of others) {
    await prepareSchema(database, { ...options, schema: cellSchema(cell) });
  }
  if (owned) await findTablesByDefault(database);
  return owned;
}

/** For people with psql, and programs that read the tables: the service itself says where it looks. */
async function findTablesByDefault(database: Database): Promise<void> {
  const [found] = await database.query<{ name: string; missing: boolean }>(NEEDS_PATH);
  if (found?.missing !== true) return;
  const path = searchPathOf(MAIN_CELL).join(', ');
  const text = `alter database ${escapeIdentifier(found.name)} set search_path = ${path}`;
  await database.query({ name: '', text });
}

const NEEDS_PATH: Statement = {
  name: '',
  text: `
    select d.datname::text as name,
           pg_has_role(d.datdba, 'usage') and not exists (
             select from pg_db_role_setting s, unnest(s.setconfig) as setting
             where s.setdatabase = d.oid and setting like 'search_path=%'
           ) as missing
    from pg_database d where d.datname = current_database()`,
};

const OTHER_CELLS: Statement = {
  name: '',
  text: `
    select name, schema from directory.cells
    where url_variable is null and name <> $1
    order by name`,
};
