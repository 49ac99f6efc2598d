import { explainMigration } from './admin/explain-migration.ts';
import type { Config } from './config/config.ts';
import { StartRefused } from './config/start-refused.ts';
import { createAdmission } from './postgres/admit-connections.ts';
import {
  type Database,
  type DatabaseOptions,
  DatabaseUnreachable,
  openDatabase,
  type Statement,
} from './postgres/database.ts';
import {
  AlreadyRunning,
  type EmbeddedPostgres,
  openEmbeddedPostgres,
} from './postgres/embedded/open-embedded-postgres.ts';
import { MigrationRefused } from './postgres/migration-refused.ts';
import { findUnsafe, UnsafeDatabase } from './postgres/prepare-session.ts';
import { prepareDatabase } from './schema/prepare-database.ts';
import { MAIN_CELL, searchPathOf } from './schema/service-schema.ts';

/** For what happens once at the start: migrations and the demo. */
const CONNECTIONS_MAX = 2;
/** A migration may have to rewrite the largest table. */
const MIGRATION_DEADLINE_MS = 3_600_000;

export type ServiceDatabase = Readonly<{
  /** The URL that the service uses now. The embedded server may come back on another port after a crash. */
  connectionString: () => string;
  /** As the owner, where there are two roles. */
  database: Database;
  /** Whether it is the embedded server in DATA_DIR. */
  embedded: boolean;
  /** The service works as the owner of its tables, and could remove what protects them. */
  asOwner: boolean;
  close(): Promise<void>;
}>;

type Deps = Readonly<{ say: (line: string) => void }>;
/** The two URLs differ where the service has its own role. */
type Urls = Readonly<{ owner: string; service: string }>;

/** Finds or starts the database and migrates it to the newest version. */
export async function openServiceDatabase(deps: Deps, config: Config): Promise<ServiceDatabase> {
  const embedded = config.databaseUrl === undefined ? await openEmbedded(deps, config) : undefined;
  const urls = () => (embedded === undefined ? externalUrls(config) : embeddedUrls(embedded));
  const database = open(() => urls().owner, config);
  const close = async () => {
    await database.close();
    await embedded?.close();
  };
  try {
    if (config.allowUnsafeDatabase) await warnOfUnsafe(deps, database);
    const { owner, service } = urls();
    const role = service === owner ? undefined : await roleOf(service, config);
    const owned = await prepareDatabase(database, { role, say: deps.say });
    return {
      connectionString: () => urls().service,
      database,
      embedded: embedded !== undefined,
      asOwner: owned && role === undefined,
      close,
    };
  } catch (error) {
    await close();
    throw explain(error, urls());
  }
}

async function warnOfUnsafe({ say }: Deps, database: Database): Promise<void> {
  const unsafe = await findUnsafe(database);
  const found =
    unsafe?.message ?? 'The database is durable now, but nothing checks that it stays so.';
  say(`WARNING: ALLOW_UNSAFE_DATABASE=1 is set. ${found}`);
}

function open(connectionString: DatabaseOptions['connectionString'], config: Config): Database {
  return openDatabase({
    connectionString,
    applicationName: `kafue start ${process.pid}`,
    connectionsMax: CONNECTIONS_MAX,
    deadlineMs: MIGRATION_DEADLINE_MS,
    searchPath: searchPathOf(MAIN_CELL),
    admission: createAdmission({ allowUnsafe: config.allowUnsafeDatabase }),
    onError: () => undefined,
  });
}

function externalUrls({ databaseUrl = '', migrationDatabaseUrl = databaseUrl }: Config): Urls {
  return { owner: migrationDatabaseUrl, service: databaseUrl };
}

function embeddedUrls({ connectionString, serviceConnectionString }: EmbeddedPostgres): Urls {
  return { owner: connectionString, service: serviceConnectionString ?? connectionString };
}

async function roleOf(connectionString: string, config: Config): Promise<string> {
  const database = open(connectionString, config);
  try {
    const [row] = await database.query<{ role: string }>(WHO_AM_I);
    return row?.role ?? '';
  } finally {
    await database.close();
  }
}

const WHO_AM_I: Statement = { name: '', text: 'select current_user::text as role' };

async function openEmbedded(deps: Deps, config: Config): Promise<EmbeddedPostgres> {
  const url = `http://${config.host}:${config.port}`;
  try {
    return await openEmbeddedPostgres(deps, {
      dataDir: config.dataDir,
      role: 'service',
      description: `pid ${process.pid} at ${url}`,
    });
  } catch (error) {
    if (!(error instanceof AlreadyRunning)) throw error;
    throw new StartRefused(error.message, error);
  }
}

function explain(error: unknown, urls: Urls): unknown {
  if (error instanceof MigrationRefused) return new StartRefused(explainMigration(error), error);
  if (!(error instanceof DatabaseUnreachable)) return error;
  if (error.cause instanceof UnsafeDatabase) {
    return new UnsafeDatabase(
      `${error.cause.message} Mend it and start again. Where losing payouts does not matter, set ALLOW_UNSAFE_DATABASE=1.`,
    );
  }
  // Host and name only: the URL contains a password.
  const { hostname, port, pathname } = new URL(urls.owner);
  const cause = error.cause instanceof Error ? error.cause.message : 'no answer';
  const variable =
    urls.owner === urls.service ? 'DATABASE_URL' : 'DATABASE_URL and MIGRATION_DATABASE_URL';
  return new StartRefused(
    `The database ${pathname.slice(1)} at ${hostname}:${port || '5432'} cannot be used: ${cause || 'no answer'}. ` +
      `Start it or correct ${variable}; without DATABASE_URL an embedded one is used.`,
    error,
  );
}
