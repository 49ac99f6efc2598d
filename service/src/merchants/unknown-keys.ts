/**
 * A key that does not exist is not asked for again for this long. Short, because it may be issued
 * meanwhile, and then has to work within a second.
 */
const UNKNOWN_MS = 500;
/** About a megabyte. A flood of other keys makes the oldest forgotten, which then are asked for again. */
const UNKNOWN_KEYS_MAX = 10_000;

/** Keys that the database did not have a moment ago. */
export class UnknownKeys {
  /** By key, the time of the query; the oldest first. */
  readonly #askedAtMs = new Map<string, number>();

  add(text: string, askedAtMs: number): void {
    this.#askedAtMs.delete(text);
    this.#askedAtMs.set(text, askedAtMs);
    if (this.#askedAtMs.size <= UNKNOWN_KEYS_MAX) return;
    this.#askedAtMs.delete(this.#askedAtMs.keys().next().value ?? text);
  }

  has(text: string, nowMs: number): boolean {
    const askedAtMs = this.#askedAtMs.get(text);
    return askedAtMs !== undefined && nowMs - askedAtMs <= UNKNOWN_MS;
  }

  get size(): number {
    return this.#askedAtMs.size;
  }
}
