import { readFile } from 'node:fs/promises';
import { escapeIdentifier } from 'pg';
import { type Database, type Queryable, type Statement, sqlState } from './database.ts';
import { MIGRATION_LOCK } from './migrate.ts';
import { MigrationRefused } from './migration-refused.ts';

/** From this version on a separate right lets a role analyse tables that it does not own. */
const MAINTAIN_SINCE = 170_000;
const UNDEFINED_OBJECT = '42704';
const INSUFFICIENT_PRIVILEGE = '42501';

export type Grants = Readonly<{
  /** A file of statements with the psql variables :"role" and :"schema". */
  file: string;
  /** The tables whose statistics the role may update. */
  analysed: readonly string[];
}>;

/**
 * Gives a role the rights of the file, and revokes all others on our tables. Only the owner of the tables can do this.
 */
export async function grantRights(
  database: Database,
  { role, schema, grants }: Readonly<{ role: string; schema: string; grants: Grants }>,
): Promise<void> {
  try {
    await database.transaction(async (tx) => {
      // Concurrent grants would change the same rows of the catalogue.
      await tx.query(LOCK, [MIGRATION_LOCK]);
      await grantTo(tx, { role, schema, grants });
    });
  } catch (error) {
    if (sqlState(error) === UNDEFINED_OBJECT) {
      throw new MigrationRefused('ROLE_NOT_FOUND', { role });
    }
    if (sqlState(error) !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new MigrationRefused('NOT_OWNER', {});
  }
}

/** The roles, other than the owner, that may insert into `table`, named with its schema: they were given these rights before. */
export async function listGranted(database: Queryable, table: string): Promise<readonly string[]> {
  const rows = await database.query<{ role: string }>(LIST_GRANTED, [table]);
  return rows.map(({ role }) => role);
}

async function grantTo(
  tx: Queryable,
  { role, schema, grants }: Readonly<{ role: string; schema: string; grants: Grants }>,
): Promise<void> {
  await tx.query({ name: '', text: `set local search_path to ${escapeIdentifier(schema)}` });
  const [server] = await tx.query<{ version: number }>(READ_VERSION);
  const text = (await readFile(grants.file, 'utf8'))
    .replaceAll(':"role"', escapeIdentifier(role))
    .replaceAll(':"schema"', escapeIdentifier(schema));
  await tx.query({ name: '', text });
  if (grants.analysed.length === 0 || (server?.version ?? 0) < MAINTAIN_SINCE) return;
  const maintain = `grant maintain on ${grants.analysed.join(', ')} to ${escapeIdentifier(role)}`;
  await tx.query({ name: '', text: maintain });
}

const LOCK: Statement = { name: '', text: 'select pg_advisory_xact_lock($1)' };
const READ_VERSION: Statement = {
  name: '',
  text: `select current_setting('server_version_num')::integer as version`,
};
const LIST_GRANTED: Statement = {
  name: '',
  text: `
    select r.rolname::text as role
    from pg_class c
    cross join lateral aclexplode(c.relacl) a
    join pg_roles r on r.oid = a.grantee
    where c.oid = to_regclass($1) and a.privilege_type = 'INSERT' and a.grantee <> c.relowner`,
};
