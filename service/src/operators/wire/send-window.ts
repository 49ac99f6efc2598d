/**
 * Whether something may still be sent. A payout has a window because its lease ends: a process that was suspended for
 * long must not send a payout that another process has taken over meanwhile, inquired about or flagged for review.
 * Checked right before the first byte is written, after everything that may take time: token, waiting for a connection,
 * connecting.
 */
export type SendWindow = Readonly<{ mayStillSend?: () => boolean }>;

/** Copies only the window, if there is one. */
export function windowOf({ mayStillSend }: SendWindow): SendWindow {
  return mayStillSend === undefined ? {} : { mayStillSend };
}
