import { CAUSES } from '../domain/cause.ts';
import { HELD_BACK_REASONS, type HeldBackReason } from '../domain/held-back.ts';
import type { HistoryEntry } from '../transfers/read/read-history.ts';

/** Why a transfer that waits for people was held back when it was to be sent; null: it was not, rules ask for them. */
export function findHeldBack(history: readonly HistoryEntry[]): HeldBackReason | null {
  // What is told while it waits is an event too, and not the one by which it came to wait.
  const came = history.findLast(
    ({ from, state }) => state === 'awaiting_approval' && from !== 'awaiting_approval',
  );
  return HELD_BACK_REASONS.find((reason) => came?.cause === CAUSES[reason]) ?? null;
}
