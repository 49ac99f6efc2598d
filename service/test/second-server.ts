import { prepareServer } from '../src/cells/prepare-server.ts';
import { type Database, openDatabase } from '../src/postgres/database.ts';
import { openEmbeddedPostgres } from '../src/postgres/embedded/open-embedded-postgres.ts';
import { searchPathOf } from '../src/schema/service-schema.ts';
import { createDataDir, removeDataDir } from './data-dir.ts';

export type SecondServer = Readonly<{
  /** As the owner. */
  connectionString: string;
  /** As the role of the service. */
  serviceUrl: string;
  /** As the owner; tables are looked for as in the cell `far`. */
  database: Database;
  /** Stops it. May be called more than once. */
  close(): Promise<void>;
}>;

/** The test's own PostgreSQL server beside the one of the tests, empty. */
export async function openSecondServer(): Promise<SecondServer> {
  const dataDir = await createDataDir();
  const user = { dataDir, role: 'admin', description: 'kafue test' } as const;
  const server = await openEmbeddedPostgres({ say: () => undefined }, user);
  const { connectionString, serviceConnectionString = connectionString } = server;
  const database = openFar(connectionString);
  let closed: Promise<void> | undefined;
  const closeAll = async () => {
    await database.close();
    await server.close();
    await removeDataDir(dataDir);
  };
  return {
    connectionString,
    serviceUrl: serviceConnectionString,
    database,
    close() {
      closed ??= closeAll();
      return closed;
    },
  };
}

/** Makes the copy of the directory and the cell `far` there. */
export async function prepareSecondServer({ database, serviceUrl }: SecondServer): Promise<void> {
  const cells = [{ name: 'far', schema: 'cell_far' }];
  const role = new URL(serviceUrl).username;
  await prepareServer(database, { cells, role, say: () => undefined });
}

/** A pool whose statements look into the cell `far`; who opens it closes it. */
export function openFar(connectionString: string): Database {
  return openDatabase({
    connectionString,
    applicationName: 'kafue-test',
    connectionsMax: 4,
    searchPath: searchPathOf({ schema: 'cell_far' }),
    onError: () => undefined,
  });
}
