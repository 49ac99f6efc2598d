import type { Database, Statement } from './database.ts';
import { type Grants, grantRights, listGranted } from './grant-rights.ts';
import { migrate } from './migrate.ts';

export type Schema = Readonly<{
  /** The folder of the migrations. */
  migrations: string;
  grants: Grants;
  /** Roles that may insert into this table are roles of the service. */
  mainTable: string;
}>;

/**
 * Migrates the database to the newest version. Where we own its tables, also gives the service's roles their rights on
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
  const { migrations, grants, mainTable } = options.schema;
  await migrate(database, { directory: migrations, say: options.say });
  const [found] = await database.query<{ owned: boolean }>(IS_OWNED, [mainTable]);
  if (found?.owned !== true) return false;
  const roles = new Set(await listGranted(database, mainTable));
  if (options.role !== undefined) roles.add(options.role);
  for (const role of roles) await grantRights(database, { role, grants });
  return true;
}

const IS_OWNED: Statement = {
  name: '',
  text: `
    select pg_has_role(c.relowner, 'usage') as owned
    from pg_class c where c.oid = to_regclass($1)`,
};
