import { randomBytes } from 'node:crypto';
import { runAdmin } from '../src/admin/run-admin.ts';
import { newTestId } from './stored-doubt.ts';
import { TEST_ACTOR } from './test-actor.ts';
import type { TestDatabase } from './test-database.ts';

type Env = Readonly<Record<string, string>>;

/** Runs one command of the administration on the database of a test. `opened`: how often it opened the database. */
export async function runCommand(
  { directory, cells }: Pick<TestDatabase, 'directory' | 'cells'>,
  env: Env,
  argv: readonly string[],
) {
  let [out, error, opened] = ['', '', 0];
  const warnings: string[] = [];
  const exitCode = await runAdmin({
    argv,
    writeOut: (text) => {
      out += text;
    },
    writeError: (text) => {
      error += text;
    },
    openDatabase: async () => {
      opened += 1;
      return { directory, cells, close: async () => undefined, abandon: async () => undefined };
    },
    now: () => new Date(),
    newId: newTestId,
    randomBytes,
    env,
    machine: TEST_ACTOR,
    warn: (line) => void warnings.push(line),
    showProgress: () => undefined,
  });
  return { exitCode, out, error, opened, warnings };
}
