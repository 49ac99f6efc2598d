import type { EventFilter, KafueEvent } from '../model/event.ts';
import type { PageList, Paging } from '../page-list.ts';
import type { CallOptions, Transport } from '../transport.ts';
import { readList } from './read-list.ts';

/** The service's own, sent with each call: it says which page is full. */
const LIMIT_DEFAULT = 50;

export class Events {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Oldest first, from the cursor: what a system missed while it was down. A loop ends at the first page that is not full,
   * also in a book where events keep coming; of one type, where the cursor stays the same. The last page has a cursor
   * too, for the events that are still to come: keep it, and go on from there another time.
   */
  list(filter: EventFilter & Paging = {}, options?: CallOptions): PageList<KafueEvent> {
    const { type, limit = LIMIT_DEFAULT } = filter;
    return readList(this.#transport, {
      path: () => 'events',
      filter: { ...filter, limit },
      options,
      // Of one type a page may have fewer although more follow.
      itemsMin: type === undefined ? limit : 0,
    });
  }
}
