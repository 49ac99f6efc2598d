import { useState } from 'react';

type Kept<T> = Readonly<{
  /** In the order in which they were shown first, with their newest values. */
  rows: readonly T[];
  /** No longer in the list: it stays, dimmed, until the list is loaded again. */
  isGone: (row: T) => boolean;
  newer: number;
  show: () => void;
}>;

/**
 * Keeps the rows of a work list in their places while it changes elsewhere: values change in place, new rows come on
 * request. Another `key`, such as another filter, starts with the new list.
 */
export function useKeptRows<T>(
  items: readonly T[],
  { idOf, key }: Readonly<{ idOf: (item: T) => string; key: string }>,
): Kept<T> {
  const [kept, setKept] = useState({ key, items });
  // An empty list has nothing that could move.
  const isAnew = kept.key !== key || (kept.items.length === 0 && items.length > 0);
  if (isAnew) setKept({ key, items });
  const shown = isAnew ? items : kept.items;
  const present = new Map(items.map((item) => [idOf(item), item]));
  const known = new Set(shown.map(idOf));
  return {
    rows: shown.map((item) => present.get(idOf(item)) ?? item),
    isGone: (row) => !present.has(idOf(row)),
    newer: items.filter((item) => !known.has(idOf(item))).length,
    show: () => setKept({ key, items }),
  };
}
