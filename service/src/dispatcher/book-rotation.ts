import { firstBook } from '../transfers/move/claim-due.ts';

/**
 * Where a route's way over the books stands. Each claim looks at some books and goes on where the last one
 * ended, so that books take turns. A round is complete when all books were looked at since the last one
 * that had anything.
 */
export class BookRotation {
  #position = firstBook();
  #begunAt = firstBook();
  #hasWrapped = false;

  /** The next claim goes on after this book. */
  get position(): string {
    return this.#position;
  }

  begin(): void {
    this.#begunAt = this.#position;
    this.#hasWrapped = false;
  }

  /** After a claim: where it says to go on, and whether it found anything. True: the round is complete. */
  advance(nextBook: string, foundAny: boolean): boolean {
    this.#position = nextBook;
    if (foundAny) {
      this.begin();
      return false;
    }
    if (nextBook !== firstBook()) return this.#hasWrapped && nextBook >= this.#begunAt;
    const isWhole = this.#hasWrapped || this.#begunAt === firstBook();
    this.#hasWrapped = true;
    return isWhole;
  }
}
