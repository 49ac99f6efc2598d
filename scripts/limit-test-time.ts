import { volume } from './test-volume.ts';

/**
 * Longer than the files of any process take on a slow machine: a process that still runs then waits for something it
 * left open.
 */
const PROCESS_TIMEOUT_MS = volume({ usual: 1_200_000, full: 2_700_000 });

// The test runner limits the time of a test, but not of a process that continues after its tests, which would keep the
// whole run from ending.
if (process.env.NODE_TEST_CONTEXT !== undefined) {
  setTimeout(() => {
    const open = process.getActiveResourcesInfo().join(', ');
    process.stderr.write(
      `${process.argv[1]}: not ended after ${PROCESS_TIMEOUT_MS / 1_000} s. Still open: ${open}\n`,
    );
    process.exit(1);
  }, PROCESS_TIMEOUT_MS).unref();
}
