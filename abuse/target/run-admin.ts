import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { readScript } from './read-script.ts';
import { serviceEnvironment } from './start-service.ts';

const run = promisify(execFile);
const ADMIN_TIMEOUT_MS = 60_000;

/** Runs `npm run admin` of the checkout beside the service, and reads its JSON output. */
export async function runAdmin<Answer>(
  { tree, dataDir }: Readonly<{ tree: string; dataDir: string }>,
  args: readonly string[],
): Promise<Answer> {
  const script = await readScript(tree, 'admin');
  const { stdout } = await run(script.program, [...script.args, ...args, '--json'], {
    cwd: tree,
    env: serviceEnvironment({ DATA_DIR: dataDir }),
    timeout: ADMIN_TIMEOUT_MS,
  });
  return JSON.parse(stdout) as Answer;
}
