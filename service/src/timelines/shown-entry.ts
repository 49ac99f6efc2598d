import { formatMinor } from '../domain/money.ts';
import type { TimelineEntry } from './read-timeline.ts';
import { type EntryVisitor, type PostingOf, visitEntry } from './visit-entry.ts';

/** One thing that happened to a transfer, as its merchant or the staff see it. */
export type ShownEntry = Readonly<{
  at: Date;
  kind:
    | 'created'
    | 'state'
    | 'attempt'
    | 'callback'
    | 'posting'
    | 'webhook'
    | 'person'
    | 'incident';
  title: string;
  detail: string | null;
  actor: Readonly<{ kind: string; id: string | null; name: string | null }> | null;
  facts: Readonly<Record<string, string | number | boolean | null>>;
}>;

/** What merchants see of entries is in merchant-entries.ts, what the staff see in staff-entries.ts. */
export type EntryWords = EntryVisitor<Omit<ShownEntry, 'at'>>;

export function showEntry(entry: TimelineEntry, words: EntryWords): ShownEntry {
  return { at: entry.at, ...visitEntry(entry, words) };
}

export function postingFacts({ kind, amountMinor, fromAccount, toAccount, sequence }: PostingOf) {
  return {
    posting: kind,
    amount: formatMinor(amountMinor),
    from: fromAccount,
    to: toAccount,
    sequence: Number(sequence),
  };
}
