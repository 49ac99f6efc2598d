import { setTimeout as pause } from 'node:timers/promises';

/** After this a client continues alone, because the other one has ended. */
const BARRIER_TIMEOUT_MS = 5_000;

/** A reusable barrier for two clients, so that they send at the same moment. */
export function createBarrier(): () => Promise<void> {
  let waiting: (() => void) | undefined;
  return async () => {
    if (waiting !== undefined) {
      waiting();
      waiting = undefined;
      return;
    }
    const met = Promise.withResolvers<void>();
    waiting = met.resolve;
    await Promise.race([met.promise, pause(BARRIER_TIMEOUT_MS, undefined, { ref: false })]);
    if (waiting === met.resolve) waiting = undefined;
  };
}
