import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { RunReport } from './checker/check-run.ts';

const CHECKER = new URL('./checker/main.ts', import.meta.url).pathname;

/** The servers of a run; undefined: it does not run. */
export type ServerUrls = Readonly<{ first: string | undefined; second: string | undefined }>;

/** Runs the checker as a separate program. Without a database URL it reads the dump in the folder. */
export async function runChecker(
  runFolder: string,
  { first, second }: ServerUrls,
): Promise<RunReport> {
  const child = spawn(process.execPath, [CHECKER, runFolder], {
    env: {
      ...process.env,
      ...(first === undefined ? {} : { CHECKER_DATABASE_URL: first }),
      ...(second === undefined ? {} : { CHECKER_SECOND_DATABASE_URL: second }),
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
