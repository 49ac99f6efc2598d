type None = Readonly<Record<string, never>>;

/** Why a schema cannot be brought to this release, or a role not be given its rights: codes, with the facts of each. */
export type MigrationRefusals = Readonly<{
  /** The user may not create the schema and its tables. */
  MAY_NOT_CREATE: None;
  /** The user may not read the tables. */
  NO_RIGHTS: None;
  /** The schema is older than this release, and the user does not own its tables. */
  NOT_MIGRATED: None;
  SERVER_TOO_OLD: None;
  NEWER_THAN_CODE: Readonly<{ version: number; knownVersion: number }>;
  UNKNOWN_MIGRATION: Readonly<{ version: number }>;
  ROLE_NOT_FOUND: Readonly<{ role: string }>;
  /** The user may not grant rights on the tables. */
  NOT_OWNER: None;
}>;

export type MigrationRefusalCode = keyof MigrationRefusals;

/** The database cannot be used in its present state. Drivers say what to do. */
export class MigrationRefused<
  Code extends MigrationRefusalCode = MigrationRefusalCode,
> extends Error {
  readonly code: Code;
  readonly facts: MigrationRefusals[Code];

  constructor(code: Code, facts: MigrationRefusals[Code]) {
    super(code);
    this.name = 'MigrationRefused';
    this.code = code;
    this.facts = facts;
  }
}
