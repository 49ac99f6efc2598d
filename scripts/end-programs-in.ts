import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename, sep } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** A program that is ended may have started another one just before. */
const ROUNDS_MAX = 100;
const ROUND_MS = 20;

/**
 * Ends the programs that work in a folder or were started from it, such as the service and the emulators of a guide: they
 * are detached, and go on after the test that started them is stopped. Database servers are left: they must end in their
 * own way, so that their shared memory is freed. Only Linux says where a program works; elsewhere nothing is ended.
 */
export async function endProgramsIn(folder: string): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const pids = await findProgramsIn(folder);
    if (pids.length === 0) return;
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended by itself, or belongs to another user.
      }
    }
    await wait(ROUND_MS);
  }
}

async function findProgramsIn(folder: string): Promise<readonly number[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.map(Number).filter((pid) => pid > 0 && pid !== process.pid);
  const found = await Promise.all(pids.map(async (pid) => (await isIn(folder, pid)) && pid));
  return found.filter((pid) => pid !== false);
}

async function isIn(folder: string, pid: number): Promise<boolean> {
  try {
    const [program, place, command] = await Promise.all([
      readlink(`/proc/${pid}/exe`),
      readlink(`/proc/${pid}/cwd`),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
    ]);
    if (basename(program) === 'postgres') return false;
    return `${place}${sep}`.startsWith(`${folder}${sep}`) || command.includes(`${folder}${sep}`);
  } catch {
    // It has ended, or belongs to another user.
    return false;
  }
}
