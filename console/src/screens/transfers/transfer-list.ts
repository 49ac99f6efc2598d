import type { Page } from '../../api/page.ts';
import type { Transfer, TransferState } from '../../api/types.ts';
import { addAmounts, type Sum, sumByCurrency } from '../../format/format-amount.ts';

/** The transfers that are loaded, newest first. Older pages are added at the end. */
export type TransferList = Readonly<{
  rows: readonly Transfer[];
  /** Where each id stands. Rows are only added at the end, so versions of a list share it. */
  places: ReadonlyMap<string, number>;
  /** Of the loaded rows. Kept with them: adding up 100,000 for every page would be felt. */
  sums: readonly Sum[];
  nextCursor: string | null;
  askedAt: number;
}>;

export function startList({ items, nextCursor }: Page<Transfer>, now: number): TransferList {
  return {
    rows: items,
    places: new Map(items.map(({ id }, index) => [id, index])),
    sums: sumByCurrency(items),
    nextCursor,
    askedAt: now,
  };
}

export function addPage(list: TransferList, { items, nextCursor }: Page<Transfer>): TransferList {
  const fresh = items.filter(({ id }) => !list.places.has(id));
  const places = list.places as Map<string, number>;
  for (const [index, { id }] of fresh.entries()) places.set(id, list.rows.length + index);
  return {
    ...list,
    rows: [...list.rows, ...fresh],
    sums: addSums(list.sums, sumByCurrency(fresh)),
    nextCursor,
  };
}

/** Rows as they are now, each at its place: what changes elsewhere never moves a row. */
export function replaceRows(list: TransferList, fresh: readonly Transfer[]): TransferList {
  const rows = [...list.rows];
  for (const transfer of fresh) {
    const place = list.places.get(transfer.id);
    if (place !== undefined) rows[place] = transfer;
  }
  return { ...list, rows };
}

/** The rows to ask about after a break in the news: unfinished ones first, since they are the likeliest to have changed. */
export function referencesToRefresh({ rows }: TransferList, max: number): readonly string[] {
  const isUnfinished = ({ state }: Transfer) => UNFINISHED.has(state);
  const ordered = [...rows.filter(isUnfinished), ...rows.filter((row) => !isUnfinished(row))];
  return ordered.slice(0, max).map(({ reference }) => reference);
}

const UNFINISHED: ReadonlySet<TransferState> = new Set([
  'scheduled',
  'awaiting_approval',
  'queued',
  'submitting',
  'submitted',
  'in_doubt',
]);

function addSums(sums: readonly Sum[], more: readonly Sum[]): readonly Sum[] {
  const all = Map.groupBy([...sums, ...more], ({ currency }) => currency);
  return [...all].map(([currency, some]) => ({
    currency,
    sum: addAmounts(some.map(({ sum }) => sum)),
  }));
}
