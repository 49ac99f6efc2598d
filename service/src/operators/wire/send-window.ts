/**
 * Until when something may be sent, in the monotonic time of the process. A payout has it, because its
 * lease ends: a process that was paused for long may no longer send what others have long been asking
 * about, or have given up.
 */
export type SendWindow = Readonly<{ sendBeforeMs?: number }>;

/** Only the window of something that has one. */
export function windowOf({ sendBeforeMs }: SendWindow): SendWindow {
  return sendBeforeMs === undefined ? {} : { sendBeforeMs };
}
