/**
 * Whether something may still be sent. A payout has it, because its lease ends: a process that stood still
 * for long may no longer send what others have been asking about since, or have given up. Asked right
 * before the first byte is written, after everything that may take time: token, waiting for a connection,
 * connecting.
 */
export type SendWindow = Readonly<{ mayStillSend?: () => boolean }>;

/** Only the window of something that has one. */
export function windowOf({ mayStillSend }: SendWindow): SendWindow {
  return mayStillSend === undefined ? {} : { mayStillSend };
}
