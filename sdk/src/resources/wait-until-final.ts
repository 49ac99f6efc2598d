import { invalidArgument, KafueError } from '../kafue-error.ts';
import type { FinalTransfer, Transfer } from '../model/transfer.ts';
import type { CallOptions } from '../transport.ts';

export type WaitOptions = CallOptions &
  Readonly<{
    /** How long to wait: 600,000 (10 minutes) by itself, at most 604,800,000 (a week). */
    timeoutMs?: number | undefined;
  }>;

export type WaitDeps = Readonly<{
  now: () => number;
  /** Resolves after the time, or as soon as the signal ends the call. */
  pause: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}>;

const TIMEOUT_DEFAULT_MS = 600_000;
const TIMEOUT_MAX_MS = 7 * 24 * 3_600_000;
const PAUSE_FIRST_MS = 500;
/** A payout in doubt can be so for days, and asking does not hurry it. */
const PAUSE_MAX_MS = 10_000;

/** How long a call waits, for transfers and payout files alike. */
export function readWaitMs({ timeoutMs = TIMEOUT_DEFAULT_MS }: WaitOptions): number {
  if (timeoutMs >= 0 && timeoutMs <= TIMEOUT_MAX_MS) return timeoutMs;
  throw invalidArgument(`timeoutMs must be a number from 0 to ${TIMEOUT_MAX_MS}.`);
}

/** Reads the transfer again and again until it is final, or the time is up. */
export async function waitUntilFinal(
  { now, pause }: WaitDeps,
  read: () => Promise<Transfer>,
  options: WaitOptions,
): Promise<FinalTransfer> {
  const { signal } = options;
  const timeoutMs = readWaitMs(options);
  const deadline = now() + timeoutMs;
  for (let pauseMs = PAUSE_FIRST_MS; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MAX_MS)) {
    const seen = await readOrError(read);
    if (!(seen instanceof KafueError) && seen.status !== 'pending') return seen;
    const leftMs = deadline - now();
    if (leftMs <= 0) throw seen instanceof KafueError ? seen : stillPending(seen, timeoutMs);
    // A signal that ends the pause ends the next read too, with the error for it.
    await pause(Math.min(pauseMs, leftMs), signal);
  }
}

/** An error that may pass is waited out like a pending transfer. */
async function readOrError(read: () => Promise<Transfer>): Promise<Transfer | KafueError> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof KafueError && error.retryable) return error;
    throw error;
  }
}

function stillPending(transfer: Transfer, timeoutMs: number): KafueError {
  const message =
    `The transfer is still ${transfer.state} after ${timeoutMs} ms. It is not lost: ask again later, ` +
    'or let a webhook tell you. Do not pay again under another reference.';
  return new KafueError({ code: 'STILL_PENDING', message, retryable: true, data: { transfer } });
}
