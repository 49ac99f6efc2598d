import type { FinalTransfer, Transfer } from '../model/transfer.ts';
import { type WaitDeps, type WaitOptions, waitUntil } from './wait-until.ts';

/** A payout in doubt can be so for days, and asking does not hurry it. */
const PAUSE_MAX_MS = 10_000;

/** Reads the transfer again and again until it is final, or the time is up. */
export async function waitUntilFinal(
  deps: WaitDeps,
  read: (signal: AbortSignal) => Promise<Transfer>,
  options: WaitOptions,
): Promise<FinalTransfer> {
  return waitUntil(
    deps,
    {
      read,
      accept: (transfer) => (transfer.status === 'pending' ? undefined : transfer),
      pauseMaxMs: PAUSE_MAX_MS,
      describePending: (transfer, timeoutMs) => ({
        message:
          `The transfer is still ${transfer.state} after ${timeoutMs} ms. It is not lost: ask again later, ` +
          'or let a webhook tell you. Do not pay again under another reference.',
        data: { transfer },
      }),
    },
    options,
  );
}
