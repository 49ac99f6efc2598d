import { setTimeout as pause } from 'node:timers/promises';

const ASK_AGAIN_MS = 10;
const WAIT_MS_MAX = 20_000;

/** For tests: polls a condition until it is true; the timeout error names what was awaited. */
export async function waitUntil(
  what: string,
  isSo: () => boolean | Promise<boolean>,
): Promise<void> {
  const deadline = performance.now() + WAIT_MS_MAX;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`waited ${WAIT_MS_MAX} ms for: ${what}`);
    await pause(ASK_AGAIN_MS);
  }
}
