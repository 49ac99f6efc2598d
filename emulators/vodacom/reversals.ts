import type { BookEntry } from '../kernel/behaviour.ts';
import type { Journal } from '../kernel/journal.ts';

/** Money that came back. */
export type Reversals = Readonly<{
  /** All of it for one payout. */
  reversedMinor(ourReference: string): bigint;
  /** Whether a reversal was asked for under that ThirdPartyConversationID. */
  has(thirdPartyConversationId: string): boolean;
  nextTransactionId(): string;
  /** Counts at once; resolves when it is on the disk. */
  add(thirdPartyConversationId: string, entry: BookEntry): Promise<void>;
  all(): readonly BookEntry[];
}>;

/**
 * A book of its own, so that the operator's book stays one of payments. A line has the reversal's
 * own id and, in the entry, the payout whose money came back.
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
