import { setTimeout as pause } from 'node:timers/promises';

/** Past this a client goes on alone: the other one has ended. */
const MEETING_TIMEOUT_MS = 5_000;

/** Lets two clients do something at the same moment, again and again. */
export function createMeeting(): () => Promise<void> {
  let waiting: (() => void) | undefined;
  return async () => {
    if (waiting !== undefined) {
      waiting();
      waiting = undefined;
      return;
    }
    const met = Promise.withResolvers<void>();
    waiting = met.resolve;
    await Promise.race([met.promise, pause(MEETING_TIMEOUT_MS, undefined, { ref: false })]);
    if (waiting === met.resolve) waiting = undefined;
  };
}
