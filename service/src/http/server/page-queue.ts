import { createFairQueue } from '../../postgres/fair-queue.ts';

/**
 * Pages that are read at once. A page of 100 takes some milliseconds of the database and of this process:
 * four keep both busy, and whatever else comes waits for four pages at most.
 */
export const PAGES_AT_ONCE_MAX = 4;

/**
 * Turns of the event loop for which the next page waits while connections are being opened; some tens of
 * milliseconds. Node takes one connection in each turn, and a page takes some milliseconds of one: without
 * this, hundreds of connections that open at once would wait for a page each, and a probe of the
 * service's health behind them.
 */
const POSTPONED_TURNS_MAX = 200;

/**
 * Calls that read a whole page wait for each other, and keys take turns: a key that asks for pages as fast
 * as it can delays its own pages, not others' payouts. How many may wait is bounded by the calls under way.
 */
export class PageQueue {
  readonly #max: number;
  readonly #isOpening: () => boolean;
  readonly #waiting = createFairQueue<() => Promise<void>>();
  #atOnce = 0;

  /** `isOpening`: whether a connection was opened just now. */
  constructor(max: number, isOpening: () => boolean) {
    this.#max = max;
    this.#isOpening = isOpening;
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
      void read().finally(() => this.#leaveLater(POSTPONED_TURNS_MAX));
    }
  }

  #leaveLater(turnsMax: number): void {
    setImmediate(() => {
      if (turnsMax > 0 && this.#isOpening()) {
        this.#leaveLater(turnsMax - 1);
        return;
      }
      this.#atOnce -= 1;
      this.#fill();
    });
  }
}
