/**
 * How long a slot is kept for a transfer that is not stored yet, where other cells want it. Far longer than a commit
 * normally takes, and too short for a payout that waits for the slot to be late.
 */
const STORED_WITHIN_MS = 300;

/**
 * The slots for submissions under way in this process. A book may take a slot while it holds fewer than are free: one
 * book alone gets half of them, two get a third each, and there is always room for another book, without configured
 * quotas.
 *
 * All cells share them. A cell whose server does not answer must not keep them from the others: what it has not stored
 * in time loses its slot, and until all of that is stored or has failed the cell gets no slot for more. Then its
 * transfers take one all the same, so that for a moment there may be twice as many submissions as slots; what an
 * operator takes in a second is not exceeded by that.
 */
export type Slots = Readonly<{
  reserve(bookId: string): boolean;
  /** As `reserve`, for a transfer that its cell has yet to store as submitting. Undefined: it must queue. */
  hold(bookId: string, cell: string): HeldSlot | undefined;
  /** The same even if the book holds many: for transfers whose lease is already taken. */
  holdClaimed(bookId: string, cell: string): HeldSlot;
  release(bookId: string): void;
  free(): number;
  used(): number;
}>;

/** The slot of a transfer that is not stored yet. */
export type HeldSlot = Readonly<{
  /** It is stored: it keeps the slot, or takes one again, until `release`. */
  use(): void;
  /** It does not go out. */
  giveBack(): void;
}>;

/** Of no limiter: for transfers that no route of this process sends. */
export const UNCOUNTED_SLOT: HeldSlot = { use: () => undefined, giveBack: () => undefined };

type Held = {
  readonly bookId: string;
  readonly cell: string;
  readonly sinceMs: number;
  isLate: boolean;
};

type SlotsDeps = Readonly<{
  monotonicMs: () => number;
  /** A slot was taken from a transfer. */
  onLate: () => void;
}>;

export function createSlots(capacity: () => number, { monotonicMs, onLate }: SlotsDeps): Slots {
  const held = new Map<string, number>();
  let used = 0;
  /** The oldest first. */
  const unstored = new Set<Held>();
  /** How many transfers of a cell lost their slots and are not stored yet; each cell that ever held one is in it. */
  const lateOf = new Map<string, number>();

  function take(bookId: string): void {
    held.set(bookId, (held.get(bookId) ?? 0) + 1);
    used += 1;
  }

  function release(bookId: string): void {
    const left = (held.get(bookId) ?? 0) - 1;
    if (left < 0) throw new Error('a slot was released twice');
    if (left === 0) held.delete(bookId);
    else held.set(bookId, left);
    used -= 1;
  }

  function countLate(cell: string, by: number): void {
    lateOf.set(cell, (lateOf.get(cell) ?? 0) + by);
  }

  /** A cell alone takes nothing from others. */
  function takeFromLate(): void {
    if (lateOf.size < 2) return;
    for (const one of unstored) {
      if (monotonicMs() - one.sinceMs < STORED_WITHIN_MS) return;
      unstored.delete(one);
      one.isLate = true;
      countLate(one.cell, 1);
      release(one.bookId);
      onLate();
    }
  }

  function hasRoom(bookId: string): boolean {
    takeFromLate();
    return (held.get(bookId) ?? 0) < capacity() - used;
  }

  function holdClaimed(bookId: string, cell: string): HeldSlot {
    const one: Held = { bookId, cell, sinceMs: monotonicMs(), isLate: false };
    take(bookId);
    countLate(cell, 0);
    unstored.add(one);
    /** Returns whether it still has its slot. */
    const settle = (): boolean => {
      unstored.delete(one);
      if (one.isLate) countLate(cell, -1);
      return !one.isLate;
    };
    return {
      use() {
        if (!settle()) take(bookId);
      },
      giveBack() {
        if (settle()) release(bookId);
      },
    };
  }

  return {
    reserve(bookId) {
      if (!hasRoom(bookId)) return false;
      take(bookId);
      return true;
    },
    hold(bookId, cell) {
      if (!hasRoom(bookId) || (lateOf.get(cell) ?? 0) > 0) return undefined;
      return holdClaimed(bookId, cell);
    },
    holdClaimed,
    release,
    free() {
      takeFromLate();
      return Math.max(0, capacity() - used);
    },
    used: () => used,
  };
}
