import { AdminRefused } from '../domain/admin-refused.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

type Found = { is_used: boolean; is_migrated: boolean };

/** Refuses a schema for a new cell that has tables of another program, or merchants already. */
export async function refuseForeignCell(
  database: Queryable,
  { schema, place }: Readonly<{ schema: string; place: string }>,
): Promise<void> {
  await refuseForeignSchema(database, { schema, place, mainTable: 'merchants' });
  const [found] = await database.query<{ is_there: boolean }>(IS_TABLE, [schema, 'merchants']);
  if (found?.is_there !== true) return;
  // The schema's name is one that we made.
  const text = `select count(*)::integer as merchants from ${schema}.merchants`;
  const [row] = await database.query<{ merchants: number }>({ name: '', text });
  const merchants = row?.merchants ?? 0;
  if (merchants > 0) throw new AdminRefused('CELL_HAS_MERCHANTS', { schema, place, merchants });
}

/** Refuses a server that has a directory, or the copy of one of another installation. */
export async function refuseTakenServer(
  database: Queryable,
  { place, installation }: Readonly<{ place: string; installation: string }>,
): Promise<void> {
  const is = async (table: string) =>
    (await database.query<{ is_there: boolean }>(IS_TABLE, ['directory', table]))[0]?.is_there;
  if (await is('cells')) throw new AdminRefused('CELL_SERVER_TAKEN', { place, has: 'directory' });
  const mainTable = 'copy_position';
  await refuseForeignSchema(database, { schema: 'directory', place, mainTable });
  if (!(await is(mainTable))) return;
  const others = await database.query(COPY_OF_ANOTHER, [installation]);
  if (others.length > 0) throw new AdminRefused('CELL_SERVER_TAKEN', { place, has: 'copy' });
}

async function refuseForeignSchema(
  database: Queryable,
  { schema, place, mainTable }: Readonly<{ schema: string; place: string; mainTable: string }>,
): Promise<void> {
  const [found] = await database.query<Found>(LOOK, [schema, mainTable]);
  if (found === undefined || !found.is_used || found.is_migrated) return;
  throw new AdminRefused('CELL_SCHEMA_FOREIGN', { schema, place });
}

// Ours has both tables, since one transaction makes them.
const LOOK: Statement = {
  name: '',
  text: `
    select exists (select from pg_class c where c.relnamespace = n.oid)
             or exists (select from pg_proc p where p.pronamespace = n.oid) as is_used,
           exists (
             select from pg_attribute a
             where a.attrelid = to_regclass(quote_ident($1) || '.migrations') and a.attname = 'checksum'
           ) and to_regclass(quote_ident($1) || '.' || quote_ident($2)) is not null as is_migrated
    from pg_namespace n where n.nspname = $1`,
};
const IS_TABLE: Statement = {
  name: '',
  text: `select to_regclass(quote_ident($1) || '.' || quote_ident($2)) is not null as is_there`,
};
const COPY_OF_ANOTHER: Statement = {
  name: '',
  text: 'select id from directory.copy_position where installation <> $1',
};
