/** A queue in which owners take turns, so that one owner's backlog does not delay another's item. */
export type FairQueue<Item> = Readonly<{
  push(owner: string, item: Item): void;
  /** Up to `max` items, each owner's in order of arrival. */
  take(max: number): Item[];
  /** One item of the first owner in turn who may have one now; undefined: there is none. */
  takeOne(mayTake: (owner: string) => boolean): Item | undefined;
  size(): number;
  /** Items of one owner. */
  sizeOf(owner: string): number;
}>;

export function createFairQueue<Item>(): FairQueue<Item> {
  // A Map iterates in insertion order: an owner that was served and has more items goes to the back.
  const waiting = new Map<string, Item[]>();
  let size = 0;

  function takeFrom(owner: string, max: number): Item[] {
    const items = waiting.get(owner) ?? [];
    waiting.delete(owner);
    if (items.length <= max) return items;
    waiting.set(owner, items.slice(max));
    return items.slice(0, max);
  }

  return {
    push(owner, item) {
      const items = waiting.get(owner);
      if (items === undefined) waiting.set(owner, [item]);
      else items.push(item);
      size += 1;
    },
    take(max) {
      const taken: Item[] = [];
      while (taken.length < max && waiting.size > 0) {
        const room = max - taken.length;
        const turn = Math.max(1, Math.floor(room / waiting.size));
        for (const owner of [...waiting.keys()].slice(0, room)) {
          taken.push(...takeFrom(owner, Math.min(turn, max - taken.length)));
        }
      }
      size -= taken.length;
      return taken;
    },
    takeOne(mayTake) {
      const owner = waiting.keys().find(mayTake);
      if (owner === undefined) return undefined;
      size -= 1;
      return takeFrom(owner, 1)[0];
    },
    size: () => size,
    sizeOf: (owner) => waiting.get(owner)?.length ?? 0,
  };
}
