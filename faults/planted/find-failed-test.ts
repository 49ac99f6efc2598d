import { runStage } from '../mutations/run-stage.ts';

/** A bug can make a test hang; the timeout makes it fail. */
const TEST_TIMEOUT_MS = 120_000;

/** Runs the tests of one file in a copy of the tree. Returns the first failed test; undefined: none failed. */
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

/** The line of a failed test, but not the heading of the summary. */
const FAILED_TEST = /^\s*✖ (?!failing tests)(.*)$/m;
