import type { Command } from 'commander';
import { MigrationRefused } from '../postgres/migrate.ts';
import { prepareDatabase } from '../schema/prepare-database.ts';
import { type AdminDeps, type Answer, addCommand, addGroup, type Perform } from './add-command.ts';
import { CommandRefused } from './command-refused.ts';

const NOTES =
  'For the owner of the tables: set MIGRATION_DATABASE_URL to its URL. See docs/database.md.';

export function addDatabaseCommands(program: Command, perform: Perform): void {
  const group = addGroup(program, { name: 'database', description: 'tables and rights' });
  addCommand(group, {
    name: 'migrate',
    description: 'Bring the tables to this release, and renew the rights of the service on them.',
    examples: ['database migrate'],
    notes: NOTES,
  }).action(() => perform(migrated));
  addCommand(group, {
    name: 'grant <role>',
    description: 'Give a role the rights that the service needs, and no others on our tables.',
    examples: ['database grant kafue_service'],
    notes: NOTES,
  }).action((role: string) => perform((deps) => grant(deps, role)));
}

// Every command migrates when it opens the database, so this one only says the version.
async function migrated({ database }: AdminDeps): Promise<Answer> {
  const [row] = await database.query<{ version: number }>({
    name: '',
    text: 'select max(version) as version from migrations',
  });
  const version = row?.version ?? 0;
  return { json: { version }, text: `The database is at version ${version}.` };
}

async function grant({ database }: AdminDeps, role: string): Promise<Answer> {
  let owned: boolean;
  try {
    owned = await prepareDatabase(database, { role, say: () => undefined });
  } catch (error) {
    if (!(error instanceof MigrationRefused)) throw error;
    throw new CommandRefused(error.message, 'Nothing was changed.');
  }
  if (!owned) throw new CommandRefused('Only the owner of the tables can grant rights.', NOTES);
  return {
    json: { role },
    text: `The role ${role} has the rights of the service. Start the service with its URL in DATABASE_URL.`,
  };
}
