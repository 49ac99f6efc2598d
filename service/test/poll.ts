import { setTimeout as pause } from 'node:timers/promises';

const POLL_INTERVAL_MS = 50;

/** Polls until the answer is true; the error after `timeoutMs` says what was waited for. */
export async function pollUntil(
  what: string,
  isSo: () => Promise<boolean> | boolean,
  timeoutMs: number = 20_000,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`waited ${timeoutMs} ms for: ${what}`);
    await pause(POLL_INTERVAL_MS);
  }
}
