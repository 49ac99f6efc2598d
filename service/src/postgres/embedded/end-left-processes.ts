import { readdir, readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { errorCode } from './atomic-files.ts';

/** Distributions have names such as edb-postgres, too. */
const SERVER_NAME = /postgres|postmaster/;

/**
 * Ends processes of a server on this cluster whose postmaster has died. Each of them notices that and ends by itself, except
 * one that waits for a lock of another that died with it: it waits for ever, and PostgreSQL does not start while it has the
 * shared memory. What it has not confirmed is rolled back by the next start. Returns how many it ended. They are found on
 * Linux only.
 */
export async function endLeftProcesses(clusterDir: string): Promise<number> {
  const cluster = await stat(clusterDir);
  const names = await readdir('/proc').catch(() => []);
  let ended = 0;
  for (const name of names) {
    const pid = Number(name);
    if (!Number.isSafeInteger(pid)) continue;
    if (!(await worksIn(pid, cluster)) || !(await isLeftBehind(pid, cluster))) continue;
    if (kill(pid)) ended += 1;
  }
  return ended;
}

type Folder = Readonly<{ dev: number; ino: number }>;

/** Processes of a server work in the folder of its cluster. Containers may hide that folder from us: then it is not theirs. */
async function worksIn(pid: number, cluster: Folder): Promise<boolean> {
  const title = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return title.startsWith('postgres: ') && (await hasFolder(pid, cluster)) === true;
}

/** Undefined: we cannot see in which folder the process works. */
async function hasFolder(pid: number, cluster: Folder): Promise<boolean | undefined> {
  const folder = await stat(`/proc/${pid}/cwd`).catch(() => undefined);
  return folder && folder.dev === cluster.dev && folder.ino === cluster.ino;
}

/** Another start may have a server on this cluster by now: its processes are not left behind. */
async function isLeftBehind(pid: number, cluster: Folder): Promise<boolean> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // After the name, which may contain anything: the state, then the parent.
  const [, parent] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return parent !== undefined && (await isOtherProgram(Number(parent), cluster));
}

/**
 * Whether a process is surely not a server on this cluster. Its arguments do not tell: a server that was started by hand may
 * have its folder from PGDATA, and one in a container has it under another path. In doubt, as where we cannot see the
 * process at all, its children are not ended.
 */
async function isOtherProgram(pid: number, cluster: Folder): Promise<boolean> {
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const [program = ''] = text.split('\0');
  if (program === '') return false;
  // Only its owner sees the folder of a process, so of the first process of the machine the name must do.
  if (!SERVER_NAME.test(basename(program))) return true;
  return (await hasFolder(pid, cluster)) === false;
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return false;
    throw error;
  }
}
