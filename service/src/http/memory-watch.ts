/**
 * Past this part of the heap, live objects leave too little room: the process would soon spend its time
 * on collecting garbage, and then end.
 */
const HIGH_SHARE = 0.8;
/** A collection stops everything for up to 300 ms when the heap is full: not more often than this. */
const COLLECT_INTERVAL_MS = 2_000;

/** When there is little to do, what a busy time has left is given back to the system. */
const GIVE_BACK_INTERVAL_MS = 10_000;
const GIVE_BACK_BYTES_MIN = 32 * 1_024 * 1_024;
/** Calls under way at most when it counts as little. */
const QUIET_CALLS_MAX = 8;

/** What the watch needs to know of a process, and to do to it. */
export type ProcessMemory = Readonly<{
  /** What old objects take up now, garbage included, and the most that they may. */
  heap: () => Readonly<{ usedBytes: number; limitBytes: number }>;
  /** What the process takes up of the machine. */
  residentBytes: () => number;
  /** Removes all garbage, at once. */
  collect: () => void;
  /** The same, more thoroughly, and hands empty memory back to the system. */
  giveBack: () => void;
}>;

type MemoryDeps = ProcessMemory &
  Readonly<{ callsUnderWay: () => number; monotonicMs: () => number }>;

/**
 * Says when live objects fill the heap, so that requests can be refused instead of the process dying. Full of
 * garbage is not full: before it says so, it collects.
 */
export class MemoryWatch {
  readonly #deps: MemoryDeps;
  #isHigh = false;
  #collectedAtMs = Number.NEGATIVE_INFINITY;
  /** The least that the process took up after a collection in a quiet time. */
  #restingBytes: number;

  constructor(deps: MemoryDeps) {
    this.#deps = deps;
    this.#restingBytes = deps.residentBytes();
  }

  get isHigh(): boolean {
    return this.#isHigh;
  }

  /** To be called several times a second. */
  check(): void {
    const sinceMs = this.#deps.monotonicMs() - this.#collectedAtMs;
    if (this.#isFull()) {
      if (sinceMs < COLLECT_INTERVAL_MS) return;
      this.#deps.collect();
      this.#collectedAtMs = this.#deps.monotonicMs();
      this.#isHigh = this.#isFull();
      return;
    }
    this.#isHigh = false;
    if (sinceMs >= GIVE_BACK_INTERVAL_MS) this.#giveBack();
  }

  #giveBack(): void {
    const { callsUnderWay, residentBytes, giveBack, monotonicMs } = this.#deps;
    if (callsUnderWay() > QUIET_CALLS_MAX) return;
    if (residentBytes() < this.#restingBytes + GIVE_BACK_BYTES_MIN) return;
    giveBack();
    this.#collectedAtMs = monotonicMs();
    // Code and caches grow for good: what is left now is what it takes to rest.
    this.#restingBytes = residentBytes();
  }

  #isFull(): boolean {
    const { usedBytes, limitBytes } = this.#deps.heap();
    return usedBytes > limitBytes * HIGH_SHARE;
  }
}
