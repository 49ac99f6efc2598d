import type { Payout } from '../kernel/behaviour.ts';
import type { JournalEntry } from '../kernel/journal.ts';

/** Finds a payout by its ConversationID or TransactionID: callers may query with either. */
export type PayoutIndex = Readonly<{
  add(payout: Pick<Payout, 'ourReference' | 'operatorTransactionId' | 'extra'>): void;
  referenceOf(otherId: string): string | undefined;
}>;

export function conversationIdOf({ extra }: Pick<Payout, 'extra'>): string {
  const { conversationId } = extra;
  return typeof conversationId === 'string' ? conversationId : '';
}

/** Contains the payouts of earlier runs too, like the backend. */
export function createPayoutIndex(earlier: readonly JournalEntry[]): PayoutIndex {
  const referenceOf = new Map<string, string>();
  const add: PayoutIndex['add'] = ({ ourReference, operatorTransactionId, extra }) => {
    referenceOf.set(operatorTransactionId, ourReference);
    referenceOf.set(conversationIdOf({ extra }), ourReference);
  };
  for (const entry of earlier) if (entry.kind === 'accepted') add(entry);
  return { add, referenceOf: (otherId) => referenceOf.get(otherId) };
}
