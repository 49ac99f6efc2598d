import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeEmbeddedPostgres } from '../src/postgres/embedded/remove-embedded-postgres.ts';

/** An empty DATA_DIR that the database server's user can enter too, so that everything stays in one place. */
export async function createDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kafue-data-'));
  await chmod(dataDir, 0o755);
  return dataDir;
}

/** Stops the database server that runs there, also one that a killed service left running. */
export async function removeDataDir(dataDir: string): Promise<void> {
  await removeEmbeddedPostgres({ dataDir });
  await rm(dataDir, { recursive: true, force: true });
}
