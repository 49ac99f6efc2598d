/**
 * Extremes that a world can have or not, so that each can be tested alone:
 *
 * - `long pauses`: a process is paused for up to two hours, and then continues.
 * - `wall clocks`: the wall clocks of processes differ by hours, and jump.
 * - `unheard returns`: the commit of a move back to the queue may also stay without an answer.
 * - `inquiries not sent`: a connector may also report that an inquiry was certainly not sent.
 * - `callbacks without inquiries`: an operator without inquiries sends readable callbacks.
 * - `sleep before sending`: a process is paused for hours between its first check of the lease and the request,
 *   while it fetches a token. It checks again before the first byte is sent.
 */
const EXTREMES = [
  'long pauses',
  'wall clocks',
  'unheard returns',
  'inquiries not sent',
  'callbacks without inquiries',
  'sleep before sending',
] as const;
export type Extreme = (typeof EXTREMES)[number];

/** Extremes that the service does not survive. Normal schedules do not have them. */
export const NOT_SURVIVED: readonly Extreme[] = [];

export const SURVIVED: readonly Extreme[] = EXTREMES.filter((name) => !NOT_SURVIVED.includes(name));
