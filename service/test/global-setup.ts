import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type EmbeddedPostgres,
  openEmbeddedPostgres,
} from '../src/postgres/embedded/open-embedded-postgres.ts';
import { removeEmbeddedPostgres } from '../src/postgres/embedded/remove-embedded-postgres.ts';

let server: EmbeddedPostgres | undefined;
let dataDir: string | undefined;

/** One PostgreSQL server for all test files; each file clones its own database on it. */
export async function globalSetup(): Promise<void> {
  dataDir = await mkdtemp(join(tmpdir(), 'kafue-test-'));
  server = await openEmbeddedPostgres(
    { say: () => undefined },
    { dataDir, role: 'admin', description: 'kafue tests' },
  );
  process.env.KAFUE_TEST_POSTGRES = server.connectionString;
}

export async function globalTeardown(): Promise<void> {
  await server?.close();
  if (dataDir === undefined) return;
  await removeEmbeddedPostgres({ dataDir });
  await rm(dataDir, { recursive: true, force: true });
}
