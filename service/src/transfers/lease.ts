/**
 * How long a process may act on a transfer before others may take it over. Longer than the longest
 * submission, so that a takeover means that its process died or was paused.
 */
export const LEASE_MS = 30_000;

/** A submission begins only while at least this much of the lease is left. */
export const LEASE_MARGIN_MS = 10_000;
