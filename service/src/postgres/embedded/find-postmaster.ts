import { readFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { errorCode } from './atomic-files.ts';
import { runProgram } from './run-program.ts';

/** The first process of a PostgreSQL server, the parent of all others. */
export type Postmaster = Readonly<{ pid: number; port: number }>;

const PID_LINE = 0;
const PORT_LINE = 3;
/** The file is created first and filled a moment later. */
const HALF_WRITTEN_READS_MAX = 10;
const HALF_WRITTEN_PAUSE_MS = 50;
const PS_TIMEOUT_MS = 10_000;

/**
 * The server that runs on this cluster. A lock file left by a crash must not prevent a start: if its process id now
 * belongs to another program, PostgreSQL would not start, so the file is removed.
 */
export async function findPostmaster(clusterDir: string): Promise<Postmaster | undefined> {
  const lockFile = join(clusterDir, 'postmaster.pid');
  const text = await readLockFile(lockFile);
  if (text === undefined) return undefined;
  const postmaster = parseLockFile(text);
  if (postmaster !== undefined) {
    if (await isPostmaster(postmaster.pid, clusterDir)) return postmaster;
    // PostgreSQL itself replaces the file of a process that died, after checking for its children.
    if (!processExists(postmaster.pid)) return undefined;
  }
  // Read once more, since another start may just have created its own file.
  if ((await readFile(lockFile, 'utf8').catch(() => undefined)) === text) await rm(lockFile);
  return undefined;
}

async function readLockFile(lockFile: string): Promise<string | undefined> {
  let text = '';
  for (let read = 0; read < HALF_WRITTEN_READS_MAX; read += 1) {
    try {
      text = await readFile(lockFile, 'utf8');
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
    if (parseLockFile(text) !== undefined) return text;
    await pause(HALF_WRITTEN_PAUSE_MS);
  }
  return text;
}

function parseLockFile(text: string): Postmaster | undefined {
  const lines = text.split('\n');
  const pid = Number(lines[PID_LINE]);
  const port = Number(lines[PORT_LINE]);
  if (!Number.isSafeInteger(pid) || pid <= 0 || !Number.isSafeInteger(port)) return undefined;
  return { pid, port };
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}

/** Whether this process is a PostgreSQL server on this cluster, and not another program with the same process id. */
export async function isPostmaster(pid: number, clusterDir: string): Promise<boolean> {
  if (!processExists(pid)) return false;
  if (process.platform !== 'linux') return (await commandLine(pid)).includes(`-D ${clusterDir}`);
  // Readable by every user, unlike the link to its working folder, which containers hide from root.
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const [program, ...args] = text.split('\0');
  const folder = args[args.indexOf('-D') + 1];
  if (basename(program ?? '') !== 'postgres' || !args.includes('-D') || folder === undefined) {
    return false;
  }
  return isSameOrMoved(folder, clusterDir);
}

/** The data folder may have been renamed under a running server; then the old path does not exist. */
async function isSameOrMoved(folder: string, clusterDir: string): Promise<boolean> {
  if (folder === clusterDir) return true;
  const old = await stat(folder).catch(() => undefined);
  if (old === undefined) return true;
  const now = await stat(clusterDir);
  return old.dev === now.dev && old.ino === now.ino;
}

async function commandLine(pid: number): Promise<string> {
  const result = await runProgram({
    path: 'ps',
    args: ['-ww', '-o', 'args=', '-p', String(pid)],
    account: undefined,
    timeoutMs: PS_TIMEOUT_MS,
  });
  return result.output;
}
