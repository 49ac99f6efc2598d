import { runStage } from '../mutations/run-stage.ts';

/** A bug can make a test wait for ever, and then it fails too. */
const TEST_TIMEOUT_MS = 120_000;

/** Runs the tests of one file in a copy of the tree. Names the first that fails; undefined: none does. */
export async function findFailedTest(
  copy: string,
  test: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const stage = { name: test, args: ['scripts/test.ts', ...OPTIONS, test] };
  const { output } = await runStage(copy, stage, signal);
  return FAILED_TEST.exec(output)?.[1];
}

const OPTIONS = ['--force-exit', '--timeout-ms', String(TEST_TIMEOUT_MS)];

/** A line of the report, but not the one above the list of what failed. */
const FAILED_TEST = /^\s*✖ (?!failing tests)(.*)$/m;
