import { escapeIdentifier } from 'pg';
import type { Database, Statement } from './database.ts';
import { type Grants, grantRights, listGranted } from './grant-rights.ts';
import { type Migrated, migrate } from './migrate.ts';

export type Schema = Migrated &
  Readonly<{
    grants: Grants;
    /** Roles that may insert into this table are roles of the service. */
    mainTable: string;
  }>;

/**
 * Migrates a schema to the newest version. Where we own its tables, also gives the service's roles their rights on
 * them: `role`, and the roles that were given them before. Returns whether we own the tables.
 */
export async function prepareSchema(
  database: Database,
  options: Readonly<{
    schema: Schema;
    role: string | undefined;
    say: (line: string) => void;
  }>,
): Promise<boolean> {
  const { schema, grants } = options.schema;
  await migrate(database, { ...options.schema, say: options.say });
  const mainTable = `${escapeIdentifier(schema)}.${options.schema.mainTable}`;
  const [found] = await database.query<{ owned: boolean }>(IS_OWNED, [mainTable]);
  if (found?.owned !== true) return false;
  const roles = new Set(await listGranted(database, mainTable));
  if (options.role !== undefined) roles.add(options.role);
  for (const role of roles) await grantRights(database, { role, schema, grants });
  return true;
}

const IS_OWNED: Statement = {
  name: '',
  text: `
    select pg_has_role(c.relowner, 'usage') as owned
    from pg_class c where c.oid = to_regclass($1)`,
};
