import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { listServerProcesses } from './target-database.ts';

/** The first fdatasync of each process of the server fails. */
const INJECTION = ['-q', '-e', 'trace=fdatasync', '-e', 'inject=fdatasync:error=EIO:when=1'];
const INJECTED = '(INJECTED)';
const FORBIDDEN = /Operation not permitted|Function not implemented/;

/**
 * The disk fails during the next commit, and the server panics and recovers; the commit may be on disk or not.
 * `missed`: nothing was committed in time. `skipped`: strace is missing or not permitted.
 */
export async function failNextSync(
  dataDir: string,
  withinMs: number,
): Promise<'done' | 'missed' | 'skipped'> {
  // Not the postmaster, because the processes that it starts afterwards must recover.
  const [, ...pids] = await listServerProcesses(dataDir);
  if (pids.length === 0) return 'missed';
  const tracer = spawn('strace', [...INJECTION, ...pids.flatMap((pid) => ['-p', String(pid)])], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const timer = setTimeout(() => tracer.kill(), withinMs);
  let result: 'done' | 'missed' | 'skipped' = 'missed';
  createInterface({ input: tracer.stderr }).on('line', (line) => {
    if (line.includes(INJECTED)) result = 'done';
    else if (result === 'missed' && FORBIDDEN.test(line)) result = 'skipped';
  });
  return new Promise((resolve) => {
    tracer.once('error', () => {
      result = 'skipped';
    });
    tracer.once('close', () => {
      clearTimeout(timer);
      resolve(result);
    });
  });
}
