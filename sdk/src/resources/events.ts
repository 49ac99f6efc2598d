import type { EventFilter, KafueEvent } from '../model/event.ts';
import type { PageList, Paging } from '../page-list.ts';
import type { CallOptions, Transport } from '../transport.ts';
import { readList } from './read-list.ts';

export class Events {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Oldest first, from the cursor: what a system missed while it was down. Its last page has a cursor
   * too, for the events that are still to come: keep it, and go on from there another time.
   */
  list(filter: EventFilter & Paging = {}, options?: CallOptions): PageList<KafueEvent> {
    return readList(this.#transport, { path: 'events', filter, options });
  }
}
