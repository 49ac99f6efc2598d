/**
 * The slots for submissions under way in this process. A book may take a slot while it holds fewer than are free: one
 * book alone gets half of them, two get a third each, and there is always room for another book, without configured
 * quotas.
 */
export type Slots = Readonly<{
  reserve(bookId: string): boolean;
  /** Takes a slot even if the book holds many: for transfers whose lease is already taken. */
  take(bookId: string): void;
  release(bookId: string): void;
  free(): number;
  used(): number;
}>;

export function createSlots(capacity: () => number): Slots {
  const held = new Map<string, number>();
  let used = 0;

  function take(bookId: string): void {
    held.set(bookId, (held.get(bookId) ?? 0) + 1);
    used += 1;
  }

  return {
    reserve(bookId) {
      if ((held.get(bookId) ?? 0) >= capacity() - used) return false;
      take(bookId);
      return true;
    },
    take,
    release(bookId) {
      const left = (held.get(bookId) ?? 0) - 1;
      if (left < 0) throw new Error('a slot was released twice');
      if (left === 0) held.delete(bookId);
      else held.set(bookId, left);
      used -= 1;
    },
    free: () => Math.max(0, capacity() - used),
    used: () => used,
  };
}
