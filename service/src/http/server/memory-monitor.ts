/**
 * Above this share of the heap, live objects leave too little room: the process would soon spend its time on garbage
 * collection, and then crash.
 */
const HIGH_SHARE = 0.8;
/** A collection stops the process for up to 300 ms if the heap is full, so it runs at most this often. */
const COLLECT_INTERVAL_MS = 2_000;

/** When there is little to do, memory left over from a busy time is returned to the system this often. */
const GIVE_BACK_INTERVAL_MS = 10_000;
/**
 * What a busy service takes is kept for the next busy time, and so is a growth of less than GIVE_BACK_BYTES_MIN.
 * Returning memory stops the process for a quarter of a second and drops compiled code: the next seconds of load cost
 * half as much again.
 */
const BUSY_BYTES = 224 * 1_024 * 1_024;
const GIVE_BACK_BYTES_MIN = 96 * 1_024 * 1_024;
/**
 * At most this many calls per second count as little to do. Calls under way would not show it: a client that sends one
 * call after the other has one under way, and may send 500 a second.
 */
const QUIET_CALLS_PER_SECOND_MAX = 100;

/** What the monitor reads from a process and does to it. */
export type ProcessMemory = Readonly<{
  /** The size of old objects now, garbage included, and its limit. */
  heap: () => Readonly<{ usedBytes: number; limitBytes: number }>;
  /** The physical memory that the process takes. */
  residentBytes: () => number;
  /** Removes all garbage, synchronously. */
  collect: () => void;
  /** The same, more thoroughly, and returns empty memory to the system. */
  giveBack: () => void;
}>;

type MemoryDeps = ProcessMemory &
  Readonly<{
    /** How many calls began since the start. */
    callsBegun: () => number;
    monotonicMs: () => number;
  }>;

/**
 * Reports when live objects fill the heap, so that requests can be refused before the process crashes. A heap full of
 * garbage is not full: the monitor collects before it reports.
 */
export class MemoryMonitor {
  readonly #deps: MemoryDeps;
  #isHigh = false;
  #collectedAtMs = Number.NEGATIVE_INFINITY;
  /** The least memory that the process took after a collection in a quiet time. */
  #restingBytes: number;
  /** The start of the current interval, and the number of calls before it. */
  #countedFromMs: number;
  #callsBefore: number;

  constructor(deps: MemoryDeps) {
    this.#deps = deps;
    this.#restingBytes = deps.residentBytes();
    this.#countedFromMs = deps.monotonicMs();
    this.#callsBefore = deps.callsBegun();
  }

  get isHigh(): boolean {
    return this.#isHigh;
  }

  /** Must be called several times a second. */
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
    if (this.#wasQuiet()) this.#giveBack();
  }

  /** True at the end of an interval with few calls. */
  #wasQuiet(): boolean {
    const nowMs = this.#deps.monotonicMs();
    const elapsedMs = nowMs - this.#countedFromMs;
    if (elapsedMs < GIVE_BACK_INTERVAL_MS) return false;
    const calls = this.#deps.callsBegun();
    const perSecond = ((calls - this.#callsBefore) * 1_000) / elapsedMs;
    this.#countedFromMs = nowMs;
    this.#callsBefore = calls;
    return perSecond <= QUIET_CALLS_PER_SECOND_MAX;
  }

  #giveBack(): void {
    const { residentBytes, giveBack, monotonicMs } = this.#deps;
    if (residentBytes() < Math.max(BUSY_BYTES, this.#restingBytes + GIVE_BACK_BYTES_MIN)) return;
    giveBack();
    this.#collectedAtMs = monotonicMs();
    // Code and caches grow permanently, so the size after a collection is the new resting size.
    this.#restingBytes = residentBytes();
  }

  #isFull(): boolean {
    const { usedBytes, limitBytes } = this.#deps.heap();
    return usedBytes > limitBytes * HIGH_SHARE;
  }
}
