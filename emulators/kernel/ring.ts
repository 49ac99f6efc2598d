/** The last so many of something, oldest first. */
export type Ring<T> = Readonly<{ add(item: T): void; all(): readonly T[] }>;

export function createRing<T>(itemsMax: number): Ring<T> {
  let items: T[] = [];
  return {
    add(item) {
      items.push(item);
      // In bulk, so that adding stays cheap.
      if (items.length >= 2 * itemsMax) items = items.slice(-itemsMax);
    },
    all: () => items.slice(-itemsMax),
  };
}
