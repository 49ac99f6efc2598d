import type {
  MigrationRefusalCode,
  MigrationRefusals,
  MigrationRefused,
} from '../postgres/migration-refused.ts';
import { CALL } from './add-command.ts';

/** What is wrong with the database, and the command that mends it. */
export function explainMigration({ code, facts }: MigrationRefused): string {
  return explain(code, facts);
}

function explain<Code extends MigrationRefusalCode>(
  code: Code,
  facts: MigrationRefusals[Code],
): string {
  return SENTENCES[code](facts);
}

const SENTENCES: {
  readonly [Code in MigrationRefusalCode]: (facts: MigrationRefusals[Code]) => string;
} = {
  MAY_NOT_CREATE: () =>
    'The database user may not create schemas and tables. Give it CREATE on the database and on the schema public, make it the owner of the database, or set MIGRATION_DATABASE_URL to the URL of a user that may.',
  NO_RIGHTS: () =>
    `The database user has no rights on the tables. Run "${CALL} database grant ROLE" with MIGRATION_DATABASE_URL set to the URL of their owner.`,
  NOT_MIGRATED: () =>
    `The database must be migrated for this release, and its user does not own the tables. Run "${CALL} database migrate" with MIGRATION_DATABASE_URL set to the URL of the owner, or set that for the service too.`,
  SERVER_TOO_OLD: () =>
    'The database is older than PostgreSQL 15. Use PostgreSQL 15 or newer, or unset DATABASE_URL to use the embedded one.',
  NEWER_THAN_CODE: ({ version, knownVersion }) =>
    `The database is at version ${version}, newer than this code, which knows ${knownVersion}. Start a newer release.`,
  UNKNOWN_MIGRATION: ({ version }) =>
    `Migration ${version} in the database is not the one in this code: its file was changed after it was applied, or the database belongs to another program. Restore the file; never edit an applied migration.`,
  ROLE_NOT_FOUND: ({ role }) => `There is no database role "${role}". Create it first.`,
  NOT_OWNER: () => 'Only the owner of the tables can grant rights on them.',
};
