import type { ListEntry, ListEntryFilter } from '../model/control.ts';
import type { PageList, Paging } from '../page-list.ts';
import type { CallOptions, Transport } from '../transport.ts';
import { readList } from './read-list.ts';

/** The numbers that the merchant allows and denies. People change them, in the console. */
export class Lists {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Newest first, also ended ones. */
  list(filter: ListEntryFilter & Paging = {}, options?: CallOptions): PageList<ListEntry> {
    const { inForce, ...rest } = filter;
    const sent = { ...rest, inForce: inForce === undefined ? undefined : String(inForce) };
    return readList(this.#transport, { path: () => 'lists', filter: sent, options });
  }
}
