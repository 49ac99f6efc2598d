import {
  type EmbeddedPostgres,
  openEmbeddedPostgres,
} from '../src/postgres/embedded/open-embedded-postgres.ts';
import { createDataDir, removeDataDir } from './data-dir.ts';

const SETTINGS = {
  // Each service that a test starts has up to 22, and those of a shared process stay open side by side.
  max_connections: '600',
  // A twelfth of the server's work: each database that is created or dropped begins a new checkpoint.
  wal_compression: 'off',
};

let server: EmbeddedPostgres | undefined;
let dataDir: string | undefined;

/** One PostgreSQL server for all test files; each file clones its own database on it. */
export async function globalSetup(): Promise<void> {
  dataDir = await createDataDir();
  server = await openEmbeddedPostgres(
    { say: () => undefined },
    { dataDir, role: 'admin', description: 'kafue tests', settings: SETTINGS },
  );
  process.env.KAFUE_TEST_POSTGRES = server.connectionString;
  process.env.KAFUE_TEST_POSTGRES_SERVICE = server.serviceConnectionString;
}

export async function globalTeardown(): Promise<void> {
  await server?.close();
  if (dataDir !== undefined) await removeDataDir(dataDir);
}
