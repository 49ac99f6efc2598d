import type { Command } from 'commander';
import { prepareOtherServers } from '../cells/prepare-other-servers.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import { MigrationRefused } from '../postgres/migration-refused.ts';
import { prepareDatabase } from '../schema/prepare-database.ts';
import { MAIN_CELL } from '../schema/service-schema.ts';
import { type AdminDeps, type Answer, addCommand, addGroup, type Perform } from './add-command.ts';
import { CommandRefused } from './command-refused.ts';
import { explainMigration } from './explain-migration.ts';
import { explainRefusal } from './explain-refusal.ts';

const NOTES =
  'For the owner of the tables: set MIGRATION_DATABASE_URL to its URL. See docs/database.md.';

export function addDatabaseCommands(program: Command, perform: Perform): void {
  const group = addGroup(program, {
    name: 'database',
    description: 'Migrate tables and grant rights',
  });
  addCommand(group, {
    name: 'migrate',
    description: 'Migrate the tables of all cells to this release',
    examples: ['database migrate'],
    notes: `Renews the rights of the service on them.
${NOTES}`,
  }).action(() => perform(migrated));
  addCommand(group, {
    name: 'grant <role>',
    description: 'Grant a role the rights that the service needs',
    examples: ['database grant kafue_service'],
    notes: `The role gets no other rights on our tables.
${NOTES}`,
  }).action((role: string) => perform((deps) => grant(deps, role)));
}

// Every command migrates the database when it opens it, so this one only says its version. Other servers are left to
// this one.
async function migrated({ cells: all, env, warn }: AdminDeps): Promise<Answer> {
  const { database } = all.named(MAIN_CELL.name);
  const left = await prepareOtherServers(database, { env, say: warn });
  const [row] = await database.query<{ version: number }>({
    name: '',
    text: 'select max(version) as version from migrations',
  });
  const version = row?.version ?? 0;
  const problems = left.map(({ urlVariable, cells, error }) => ({
    server: urlVariable,
    cells,
    problem:
      error instanceof AdminRefused ? explainRefusal(error).message : explainMigration(error),
  }));
  const lines = problems.map(
    ({ server, cells, problem }) =>
      `✗ The cells ${cells.join(', ')} on the server in ${server} were not migrated: ${problem}`,
  );
  return {
    json: { version, unprepared: problems },
    text: [`The database is at version ${version}.`, ...lines].join('\n'),
    failed: problems.length > 0,
  };
}

async function grant({ cells }: AdminDeps, role: string): Promise<Answer> {
  const { database } = cells.named(MAIN_CELL.name);
  let owned: boolean;
  try {
    owned = await prepareDatabase(database, { role, say: () => undefined });
  } catch (error) {
    if (!(error instanceof MigrationRefused)) throw error;
    throw new CommandRefused(explainMigration(error), 'Nothing was changed.');
  }
  if (!owned) throw new CommandRefused('Only the owner of the tables can grant rights.', NOTES);
  return {
    json: { role },
    text: `The role ${role} has the rights of the service. Start the service with its URL in DATABASE_URL.`,
  };
}
