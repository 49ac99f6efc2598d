import { KafueError } from './kafue-error.ts';

export type Page<Item> = Readonly<{
  items: readonly Item[];
  /**
   * Where the next page begins; null on the last page. Events always have a cursor, for events that come later. A page
   * without items but with a new cursor means that the search got that far: more items may follow.
   */
  nextCursor: string | null;
}>;

/** Options for reading a list; every filter has them too. */
export type Paging = Readonly<{
  /** Items per page: 1 to 100, 50 by default. */
  limit?: number | undefined;
  /** Where to begin: `nextCursor` of a page that was read earlier. */
  cursor?: string | undefined;
}>;

type PageListOptions = Readonly<{
  /** The cursor of the first page. */
  start?: string | undefined;
  /** A page with fewer items than its limit is the last for now, although it has a cursor. */
  itemsMin?: number | undefined;
}>;

/**
 * A list whose pages are read only when they are needed.
 *
 *     for await (const transfer of kafue.transfers.list({ status: 'failed' })) …
 *     const { items, nextCursor } = await kafue.transfers.list({ limit: 20 }).page();
 */
export class PageList<Item> implements AsyncIterable<Item> {
  readonly #readPage: (cursor: string | undefined) => Promise<Page<Item>>;
  readonly #start: string | undefined;
  readonly #itemsMin: number;

  constructor(
    readPage: (cursor: string | undefined) => Promise<Page<Item>>,
    { start, itemsMin = 0 }: PageListOptions,
  ) {
    this.#readPage = readPage;
    this.#start = start;
    this.#itemsMin = itemsMin;
  }

  /** The page at the cursor, or the first. */
  page(): Promise<Page<Item>> {
    return this.#readPage(this.#start);
  }

  /** All pages in turn, each with its cursor. */
  async *pages(): AsyncIterableIterator<Page<Item>> {
    let cursor = this.#start;
    for (;;) {
      const page = await this.#readPage(cursor);
      yield page;
      if (page.nextCursor === null || page.items.length < this.#itemsMin) return;
      if (page.nextCursor === cursor) {
        if (page.items.length === 0) return;
        throw standsStill();
      }
      cursor = page.nextCursor;
    }
  }

  async *[Symbol.asyncIterator](): AsyncIterableIterator<Item> {
    for await (const { items } of this.pages()) yield* items;
  }
}

/** Without this check, a faulty answer would make the caller's loop endless. */
function standsStill(): KafueError {
  const message = 'The list does not move on: its next cursor is the one that was asked for.';
  return new KafueError({ code: 'UNEXPECTED_ANSWER', message });
}
