/** A number for each owner that has one: those at zero take no memory. */
export class OwnerCounts {
  readonly #counts = new Map<string, number>();

  get(owner: string): number {
    return this.#counts.get(owner) ?? 0;
  }

  add(owner: string, change: number): void {
    const count = this.get(owner) + change;
    if (count > 0) this.#counts.set(owner, count);
    else this.#counts.delete(owner);
  }
}
