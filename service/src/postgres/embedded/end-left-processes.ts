import { readdir, readFile, stat } from 'node:fs/promises';
import { errorCode } from './atomic-files.ts';
import { isPostmaster } from './find-postmaster.ts';

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
    if (!(await worksIn(pid, cluster)) || !(await isLeftBehind(pid, clusterDir))) continue;
    if (kill(pid)) ended += 1;
  }
  return ended;
}

/** Processes of a server work in the folder of its cluster. Containers may hide that folder from us: then it is not theirs. */
async function worksIn(
  pid: number,
  cluster: Readonly<{ dev: number; ino: number }>,
): Promise<boolean> {
  const title = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  if (!title.startsWith('postgres: ')) return false;
  const folder = await stat(`/proc/${pid}/cwd`).catch(() => undefined);
  return folder?.dev === cluster.dev && folder.ino === cluster.ino;
}

/** Another start may have a server on this cluster by now: its processes are not left behind. */
async function isLeftBehind(pid: number, clusterDir: string): Promise<boolean> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // After the name, which may contain anything: the state, then the parent.
  const [, parent] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return parent !== undefined && !(await isPostmaster(Number(parent), clusterDir));
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return false;
    throw error;
  }
}
