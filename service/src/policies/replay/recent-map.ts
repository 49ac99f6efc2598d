/**
 * A map that forgets what was set longest ago, so that it never has more than `sizeMax` entries. It has two
 * generations: a full one becomes the old one, and the old one is dropped. That costs nothing per entry.
 */
export class RecentMap<Value> {
  readonly #generationMax: number;
  readonly #neededMs: number;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();
  #oldUntilMs = Number.NEGATIVE_INFINITY;
  /** Whether something was dropped that may have been needed. */
  hasForgotten = false;

  /** `neededMs`: what was set longer ago is not needed any more. */
  constructor({ sizeMax, neededMs }: Readonly<{ sizeMax: number; neededMs: number }>) {
    this.#generationMax = Math.ceil(sizeMax / 2);
    this.#neededMs = neededMs;
  }

  get(key: string): Value | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  set(key: string, value: Value, atMs: number): void {
    this.#young.set(key, value);
    if (this.#young.size < this.#generationMax) return;
    if (this.#oldUntilMs > atMs - this.#neededMs) this.hasForgotten = true;
    this.#old = this.#young;
    this.#oldUntilMs = atMs;
    this.#young = new Map();
  }
}
