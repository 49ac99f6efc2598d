import { createFairQueue } from '../../postgres/fair-queue.ts';
import { afterOpening } from './after-opening.ts';

/**
 * Pages of a cell that are read at once. A page of 100 rows takes some milliseconds of the database and of this process: four
 * keep both busy, and other work waits for four pages at most.
 */
const PAGES_AT_ONCE_MAX = 4;

/**
 * Runs the calls that read a whole page with bounded concurrency; keys take turns. A key that requests pages as fast as
 * it can delays its own pages, not the payouts of others. The number of waiting calls is bounded by the calls under
 * way.
 */
export class PageQueue {
  readonly #max: number;
  readonly #isOpening: () => boolean;
  readonly #waiting = createFairQueue<() => Promise<void>>();
  #atOnce = 0;

  /** `isOpening`: whether a connection was opened within the last milliseconds. */
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
      // Other work runs between two pages.
      void read().finally(() => afterOpening(this.#isOpening, () => this.#leave()));
    }
  }

  #leave(): void {
    this.#atOnce -= 1;
    this.#fill();
  }
}

/** A queue for each cell, so that a cell that hangs holds up no page of another. What is of no book has one too. */
export class PageQueues {
  readonly #isOpening: () => boolean;
  readonly #queues = new Map<string | undefined, PageQueue>();

  constructor(isOpening: () => boolean) {
    this.#isOpening = isOpening;
  }

  of(cell: string | undefined): PageQueue {
    const known = this.#queues.get(cell);
    if (known !== undefined) return known;
    const added = new PageQueue(PAGES_AT_ONCE_MAX, this.#isOpening);
    this.#queues.set(cell, added);
    return added;
  }
}
