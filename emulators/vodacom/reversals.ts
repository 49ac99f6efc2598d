import type { BookEntry } from '../kernel/behaviour.ts';
import type { Journal } from '../kernel/journal.ts';

/** The record of reversals: money that was taken back from recipients. */
export type Reversals = Readonly<{
  /** The total reversed for one payout. */
  reversedMinor(ourReference: string): bigint;
  /** Whether a reversal was requested under that ThirdPartyConversationID. */
  has(thirdPartyConversationId: string): boolean;
  nextTransactionId(): string;
  /** Counts at once; resolves when the entry is on disk. */
  add(thirdPartyConversationId: string, entry: BookEntry): Promise<void>;
  all(): readonly BookEntry[];
}>;

/**
 * A separate book, so that the operator's book contains payments only. A line has the reversal's
 * own id and, in its entry, the payout that was reversed.
 */
export function createReversals(journal: Journal): Reversals {
  const ids = new Set<string>();
  const entries: BookEntry[] = [];
  for (const entry of journal.earlier) {
    if (entry.kind !== 'executed') continue;
    ids.add(entry.payoutId);
    entries.push(entry.book);
  }
  return {
    reversedMinor: (ourReference) =>
      entries
        .filter((entry) => entry.ourReference === ourReference)
        .reduce((total, { amountMinor }) => total + BigInt(amountMinor), 0n),
    has: (thirdPartyConversationId) => ids.has(thirdPartyConversationId),
    nextTransactionId: () => `RV${String(entries.length + 1).padStart(10, '0')}`,
    async add(thirdPartyConversationId, entry) {
      ids.add(thirdPartyConversationId);
      entries.push(entry);
      await journal.append([{ kind: 'executed', payoutId: thirdPartyConversationId, book: entry }]);
    },
    all: () => [...entries],
  };
}
