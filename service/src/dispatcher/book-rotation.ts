import { firstBook } from '../transfers/move/claim-walk.ts';

/**
 * The position of a route's round over the books. Each claim reads some books and starts where the last one ended, so
 * that books take turns. A round is complete when all books were read since the last claim that found anything.
 */
export class BookRotation {
  #position = firstBook();
  #begunAt = firstBook();
  #hasWrapped = false;

  /** The next claim starts after this book. */
  get position(): string {
    return this.#position;
  }

  begin(): void {
    this.#begunAt = this.#position;
    this.#hasWrapped = false;
  }

  /** Call after a claim, with where it says to continue and whether it found anything. True: the round is complete. */
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
