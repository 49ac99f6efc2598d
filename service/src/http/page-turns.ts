import { createFairQueue } from '../postgres/fair-queue.ts';

/**
 * Pages that are read at once. A page of 100 takes some milliseconds of the database and of this process:
 * four keep both busy, and whatever else comes waits for four pages at most.
 */
export const PAGES_AT_ONCE_MAX = 4;

/**
 * Calls that read a whole page wait for each other, and keys take turns: a key that asks for pages as fast
 * as it can delays its own pages, not others' payouts. How many may wait is bounded by the calls under way.
 */
export class PageTurns {
  readonly #max: number;
  readonly #waiting = createFairQueue<() => Promise<void>>();
  #atOnce = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** `read` never rejects. */
  run(keyId: string, read: () => Promise<void>): void {
    this.#waiting.push(keyId, read);
    this.#fill();
  }

  #fill(): void {
    while (this.#atOnce < this.#max) {
      const [read] = this.#waiting.take(1);
      if (read === undefined) return;
      this.#atOnce += 1;
      // Between two pages everything else has its turn.
      void read().finally(() => setImmediate(() => this.#leave()));
    }
  }

  #leave(): void {
    this.#atOnce -= 1;
    this.#fill();
  }
}
