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
/**
 * Calls per second at most when it counts as little. Not calls under way: a client that sends one call after
 * the other has one, and may send 500 a second. Giving back stops the process for a quarter of a second and
 * drops compiled code, which cost such a client a fifth of its speed.
 */
const QUIET_CALLS_PER_SECOND_MAX = 100;

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
  Readonly<{
    /** How many calls were begun since the start. */
    callsBegun: () => number;
    monotonicMs: () => number;
  }>;

/**
 * Says when live objects fill the heap, so that requests can be refused instead of the process dying. Full of
 * garbage is not full: before it says so, it collects.
 */
export class MemoryMonitor {
  readonly #deps: MemoryDeps;
  #isHigh = false;
  #collectedAtMs = Number.NEGATIVE_INFINITY;
  /** The least that the process took up after a collection in a quiet time. */
  #restingBytes: number;
  /** Since when calls are counted, and how many there were before. */
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
