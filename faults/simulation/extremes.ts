/**
 * Dangers that a world can be drawn with or without, so that each can be looked at alone:
 *
 * - `long pauses`: a process stands still for up to two hours, and then goes on where it was.
 * - `wall clocks`: processes disagree about the time by hours, and change their minds.
 * - `unheard returns`: of a move back to the queue, too, it may stay unknown whether it was committed.
 * - `questions not sent`: a connector says of a question, too, that provably nothing was sent.
 * - `callbacks of the unaskable`: an operator that cannot be asked sends callbacks that can be read.
 * - `sleep before sending`: a process stands still for hours between its first look at the lease and the
 *   request, while it fetches a token. It looks again when the bytes leave.
 */
const EXTREMES = [
  'long pauses',
  'wall clocks',
  'unheard returns',
  'questions not sent',
  'callbacks of the unaskable',
  'sleep before sending',
] as const;
export type Extreme = (typeof EXTREMES)[number];

/** Those that the service does not survive. A normal schedule is drawn without them. */
export const NOT_SURVIVED: readonly Extreme[] = [];

export const SURVIVED: readonly Extreme[] = EXTREMES.filter((name) => !NOT_SURVIVED.includes(name));
