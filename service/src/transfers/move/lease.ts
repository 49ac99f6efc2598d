/**
 * How long a process may act on a transfer before others may take it over. It is longer than the longest submission, so
 * a takeover means that the process died or was paused.
 */
export const LEASE_MS = 30_000;

/** A submission begins only while at least this much of the lease is left. */
const LEASE_MARGIN_MS = 10_000;
const SEND_WINDOW_MS = LEASE_MS - LEASE_MARGIN_MS;

type Clocks = Readonly<{ monotonicMs: () => number; now: () => Date }>;

/** When a lease began, by both clocks of the process. */
export type LeaseStart = Readonly<{ monotonicMs: number; wallMs: number }>;

export function startLease({ monotonicMs, now }: Clocks): LeaseStart {
  return { monotonicMs: monotonicMs(), wallMs: now().getTime() };
}

/**
 * Whether a transfer may still be sent under a lease. The monotonic clock stands still while the machine is suspended,
 * and the wall clock may be set, so the window ends when either of them says so. It also ends when the wall clock shows
 * a time before the lease began: that clock cannot show a suspension.
 */
export function isInSendWindow(clocks: Clocks, start: LeaseStart): boolean {
  const monotonicMs = clocks.monotonicMs() - start.monotonicMs;
  const wallMs = clocks.now().getTime() - start.wallMs;
  return monotonicMs <= SEND_WINDOW_MS && wallMs >= 0 && wallMs <= SEND_WINDOW_MS;
}
