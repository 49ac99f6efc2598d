import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeEmbeddedPostgres } from '../../service/src/postgres/embedded/remove-embedded-postgres.ts';

const PID_LINE = 0;
const PORT_LINE = 3;
const READABLE_BY_ALL = 0o755;

/** Creates an empty DATA_DIR that the server's user can access. */
export async function createDataFolder(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kafue-faults-'));
  await chmod(dataDir, READABLE_BY_ALL);
  return dataDir;
}

/** Stops the server that runs there, also when it hangs, and removes the folder. */
export async function removeDataFolder(
  dataDir: string,
  unmount: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  await removeEmbeddedPostgres({ dataDir });
  await unmount();
  await rm(dataDir, { recursive: true, force: true });
}

export type Postmaster = Readonly<{ pid: number; databaseUrl: string }>;

/** Finds the PostgreSQL server by its own files; undefined while none runs. */
export async function findPostmaster(dataDir: string): Promise<Postmaster | undefined> {
  try {
    const lockFile = await readFile(join(await findCluster(dataDir), 'postmaster.pid'), 'utf8');
    const password = await readFile(join(dataDir, 'postgres-password'), 'utf8');
    const lines = lockFile.split('\n');
    const pid = Number(lines[PID_LINE]);
    const port = Number(lines[PORT_LINE]);
    if (!(pid > 0) || !(port > 0)) return undefined;
    const secret = encodeURIComponent(password.trim());
    return { pid, databaseUrl: `postgres://kafue:${secret}@127.0.0.1:${port}/kafue` };
  } catch {
    return undefined;
  }
}

/** The folder of the server's data files. */
export async function findCluster(dataDir: string): Promise<string> {
  const home = await readFile(join(dataDir, 'postgres-location'), 'utf8').catch(() => dataDir);
  return join(home.trim(), 'postgres');
}
