/** Keeps the last `itemsMax` items, oldest first. */
export type RecentItems<T> = Readonly<{ add(item: T): void; all(): readonly T[] }>;

export function createRecentItems<T>(itemsMax: number): RecentItems<T> {
  let items: T[] = [];
  return {
    add(item) {
      items.push(item);
      // Drops many at once, so that adding stays cheap.
      if (items.length >= 2 * itemsMax) items = items.slice(-itemsMax);
    },
    all: () => items.slice(-itemsMax),
  };
}
