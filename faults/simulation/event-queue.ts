type Entry = Readonly<{ atMs: number; order: number; run: () => void }>;

/** The queue of future events in simulated time. Nothing waits for a real clock. */
export type EventQueue = Readonly<{
  nowMs(): number;
  /** Schedules `run` at that time, or now when it is past. Entries of one moment run in insertion order. */
  at(atMs: number, run: () => void): void;
  after(delayMs: number, run: () => void): void;
  /** Advances time to the next entry and returns it; undefined: none is left before the end. */
  takeNext(endMs: number): (() => void) | undefined;
}>;

export function createEventQueue(): EventQueue {
  const heap: Entry[] = [];
  let nowMs = 0;
  let order = 0;

  function at(atMs: number, run: () => void): void {
    order += 1;
    const entry = { atMs: Math.max(nowMs, atMs), order, run };
    heap.push(entry);
    siftUp(heap, heap.length - 1);
  }

  return {
    nowMs: () => nowMs,
    at,
    after: (delayMs, run) => at(nowMs + delayMs, run),
    takeNext(endMs) {
      const first = heap[0];
      if (first === undefined || first.atMs > endMs) return undefined;
      const last = heap.pop();
      if (last !== undefined && heap.length > 0) {
        heap[0] = last;
        siftDown(heap, 0);
      }
      nowMs = first.atMs;
      return first.run;
    },
  };
}

function isBefore(one: Entry, other: Entry): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);
}

function siftUp(heap: Entry[], start: number): void {
  let index = start;
  const entry = heap[index];
  if (entry === undefined) return;
  while (index > 0) {
    const parentIndex = (index - 1) >> 1;
    const parent = heap[parentIndex];
    if (parent === undefined || !isBefore(entry, parent)) break;
    heap[index] = parent;
    index = parentIndex;
  }
  heap[index] = entry;
}

function siftDown(heap: Entry[], start: number): void {
  let index = start;
  const entry = heap[index];
  if (entry === undefined) return;
  for (;;) {
    const left = heap[2 * index + 1];
    if (left === undefined) break;
    const right = heap[2 * index + 2];
    const isRight = right !== undefined && isBefore(right, left);
    const child = isRight ? right : left;
    if (!isBefore(child, entry)) break;
    heap[index] = child;
    index = 2 * index + (isRight ? 2 : 1);
  }
  heap[index] = entry;
}
