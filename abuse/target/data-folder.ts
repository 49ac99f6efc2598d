import { execFile } from 'node:child_process';
import { chmod, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** The user of the database server must be able to enter. */
const ALL_MAY_ENTER = 0o755;
/** Room for a new database and a run. Memory is used only for what is written. */
const SMALL_DISK = 'size=512m,mode=755';
const FILLER = 'filler';
const FILLER_CHUNK_BYTES = 1024 * 1024;
const PID_LINE = 0;
const PORT_LINE = 3;
const END_TIMEOUT_MS = 20_000;
const END_POLL_MS = 50;

export type DataFolder = Readonly<{
  path: string;
  /** Whether it is on its own disk, which can be filled. */
  isSmallDisk: boolean;
  /** Fills the disk until nothing more fits. */
  fill(): Promise<void>;
  /** Removes what filled it. */
  free(): Promise<void>;
  /** Ends the database server that a killed service left running, and removes everything. */
  remove(): Promise<void>;
}>;

export async function createDataFolder(
  options: Readonly<{ onSmallDisk: boolean }>,
): Promise<DataFolder> {
  const path = await mkdtemp(join(tmpdir(), 'kafue-abuse-'));
  await chmod(path, ALL_MAY_ENTER);
  const isSmallDisk = options.onSmallDisk && (await mountSmallDisk(path));
  const filler = join(path, FILLER);
  return {
    path,
    isSmallDisk,
    fill: () => fillFile(filler),
    free: () => rm(filler, { force: true }),
    async remove() {
      const place = await endDatabaseServer(path);
      if (isSmallDisk) await run('umount', ['--lazy', path]);
      if (place !== path) await rm(place, { recursive: true, force: true });
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** False if mounting is not allowed or not supported. */
async function mountSmallDisk(path: string): Promise<boolean> {
  try {
    await run('mount', ['-t', 'tmpfs', '-o', SMALL_DISK, 'tmpfs', path]);
    return true;
  } catch {
    return false;
  }
}

async function fillFile(path: string): Promise<void> {
  const file = await open(path, 'a');
  try {
    const chunk = Buffer.alloc(FILLER_CHUNK_BYTES);
    while ((await file.write(chunk).catch(() => undefined)) !== undefined);
  } finally {
    await file.close();
  }
}

export type Postmaster = Readonly<{ pid: number; databaseUrl: string }>;

/** The embedded server according to its own files; undefined while there is none. */
export async function findPostmaster(dataDir: string): Promise<Postmaster | undefined> {
  try {
    const lockFile = join(await findPlace(dataDir), 'postgres', 'postmaster.pid');
    const lines = (await readFile(lockFile, 'utf8')).split('\n');
    const password = await readFile(join(dataDir, 'postgres-password'), 'utf8');
    const [pid, port] = [Number(lines[PID_LINE]), Number(lines[PORT_LINE])];
    if (!(pid > 0) || !(port > 0)) return undefined;
    const secret = encodeURIComponent(password.trim());
    return { pid, databaseUrl: `postgres://kafue:${secret}@127.0.0.1:${port}/kafue` };
  } catch {
    return undefined;
  }
}

/** Where the database is: below the data folder, or where its server's user can reach it. */
async function findPlace(dataDir: string): Promise<string> {
  const text = await readFile(join(dataDir, 'postgres-location'), 'utf8').catch(() => dataDir);
  return text.trim();
}

async function endDatabaseServer(dataDir: string): Promise<string> {
  const place = await findPlace(dataDir);
  const postmaster = await findPostmaster(dataDir);
  if (postmaster === undefined) return place;
  // "Immediate shutdown" of PostgreSQL: the data are deleted anyway.
  signal(postmaster.pid, 'SIGQUIT');
  const untilMs = performance.now() + END_TIMEOUT_MS;
  while (signal(postmaster.pid, 0) && performance.now() < untilMs) await pause(END_POLL_MS);
  return place;
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
