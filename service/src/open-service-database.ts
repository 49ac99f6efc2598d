import { fileURLToPath } from 'node:url';
import type { Config } from './config.ts';
import { createAdmission } from './postgres/admit-connections.ts';
import { type Database, DatabaseUnreachable, openDatabase } from './postgres/database.ts';
import {
  AlreadyRunning,
  type EmbeddedPostgres,
  openEmbeddedPostgres,
} from './postgres/embedded/open-embedded-postgres.ts';
import { MigrationRefused, migrate } from './postgres/migrate.ts';
import { findUnsafe, UnsafeDatabase } from './postgres/prepare-session.ts';
import { StartRefused } from './start-refused.ts';

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));
/** For what happens once at the start: migrations and the demo. */
const CONNECTIONS_MAX = 2;

export type ServiceDatabase = Readonly<{
  connectionString: string;
  database: Database;
  /** Whether the server is our own, in DATA_DIR. */
  embedded: boolean;
  close(): Promise<void>;
}>;

/** Finds or starts the database and brings it to the newest version. */
export async function openServiceDatabase(
  deps: Readonly<{ say: (line: string) => void }>,
  config: Config,
): Promise<ServiceDatabase> {
  const embedded = config.databaseUrl === undefined ? await openEmbedded(deps, config) : undefined;
  const connectionString = embedded?.connectionString ?? config.databaseUrl ?? '';
  const database = openDatabase({
    connectionString,
    applicationName: `kafue start ${process.pid}`,
    connectionsMax: CONNECTIONS_MAX,
    admission: createAdmission({ allowUnsafe: config.allowUnsafeDatabase }),
    onError: () => undefined,
  });
  const close = async () => {
    await database.close();
    await embedded?.close();
  };
  try {
    if (config.allowUnsafeDatabase) await warnOfUnsafe(deps, database);
    await migrate(database, { directory: MIGRATIONS, say: deps.say });
  } catch (error) {
    await close();
    throw explain(error, connectionString);
  }
  return { connectionString, database, embedded: embedded !== undefined, close };
}

async function warnOfUnsafe(
  { say }: Readonly<{ say: (line: string) => void }>,
  database: Database,
): Promise<void> {
  const unsafe = await findUnsafe(database);
  const found =
    unsafe?.message ?? 'The database is durable now, but nothing checks that it stays so.';
  say(`WARNING: ALLOW_UNSAFE_DATABASE=1 is set. ${found}`);
}

async function openEmbedded(
  deps: Readonly<{ say: (line: string) => void }>,
  config: Config,
): Promise<EmbeddedPostgres> {
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

function explain(error: unknown, connectionString: string): unknown {
  if (error instanceof MigrationRefused) return new StartRefused(error.message, error);
  if (!(error instanceof DatabaseUnreachable)) return error;
  if (error.cause instanceof UnsafeDatabase) {
    return new UnsafeDatabase(
      `${error.cause.message} Mend it and start again. Where losing payouts does not matter, set ALLOW_UNSAFE_DATABASE=1.`,
    );
  }
  // Host and name only: the URL holds a password.
  const { hostname, port, pathname } = new URL(connectionString);
  const cause = error.cause instanceof Error ? error.cause.message : 'no answer';
  return new StartRefused(
    `The database ${pathname.slice(1)} at ${hostname}:${port || '5432'} cannot be used: ${cause || 'no answer'}. ` +
      'Start it or correct DATABASE_URL; without DATABASE_URL an embedded one is used.',
    error,
  );
}
