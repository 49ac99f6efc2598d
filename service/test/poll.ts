import { setTimeout as pause } from 'node:timers/promises';

const INTERVAL_MIN_MS = 20;
const INTERVAL_MAX_MS = 400;
/** The longer it was waited, the rarer it is asked: the end is seen at most a tenth of the time too late. */
const INTERVAL_SHARE = 0.1;

/** Polls until the answer is true; the error after `timeoutMs` says what was waited for. */
export async function pollUntil(
  what: string,
  isSo: () => Promise<boolean> | boolean,
  timeoutMs: number = 20_000,
): Promise<void> {
  const startedMs = performance.now();
  while (!(await isSo())) {
    const waitedMs = performance.now() - startedMs;
    if (waitedMs > timeoutMs) throw new Error(`waited ${timeoutMs} ms for: ${what}`);
    await pause(Math.min(INTERVAL_MAX_MS, Math.max(INTERVAL_MIN_MS, waitedMs * INTERVAL_SHARE)));
  }
}
