import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { RunReport } from './checker/check-run.ts';

const CHECKER = new URL('./checker/main.ts', import.meta.url).pathname;

/** Runs the checker as a separate program. Without a database URL it reads the dump in the folder. */
export async function runChecker(
  runFolder: string,
  databaseUrl: string | undefined,
): Promise<RunReport> {
  const child = spawn(process.execPath, [CHECKER, runFolder], {
    env: {
      ...process.env,
      ...(databaseUrl === undefined ? {} : { CHECKER_DATABASE_URL: databaseUrl }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  const [output, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await ended;
  // Exit code 1 means violations, with a report. Without a report the checker itself failed.
  if (!output.startsWith('{')) throw new Error(`the checker failed:\n${complaints}`);
  return JSON.parse(output) as RunReport;
}
