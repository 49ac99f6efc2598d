import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { listServerProcesses } from './target-database.ts';

/** Each process of the server fails once, the first time it wants its log on the disk. */
const INJECTION = ['-q', '-e', 'trace=fdatasync', '-e', 'inject=fdatasync:error=EIO:when=1'];
const INJECTED = '(INJECTED)';
const FORBIDDEN = /Operation not permitted|Function not implemented/;

/**
 * The disk fails under the next commit, and the server gives up and recovers: what it was about to say is
 * on the disk or not. Missed: nothing was committed in time. Skipped: there is no strace, or nobody may use it.
 */
export async function failNextSync(
  dataDir: string,
  withinMs: number,
): Promise<'done' | 'missed' | 'skipped'> {
  // Not the first one: what it starts afterwards is to recover.
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
