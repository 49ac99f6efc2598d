const COMPACT_AT = 1_024;

/** A queue: first in, first out, at constant cost. */
export class FifoQueue<Item> {
  #items: Item[] = [];
  #taken = 0;

  get size(): number {
    return this.#items.length - this.#taken;
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  take(): Item | undefined {
    const item = this.#items[this.#taken];
    if (item === undefined) return undefined;
    this.#taken += 1;
    if (this.#taken >= COMPACT_AT && this.#taken * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#taken);
      this.#taken = 0;
    }
    return item;
  }
}
