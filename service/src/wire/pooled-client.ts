import type { Dispatcher } from 'undici';
import Client from 'undici/lib/dispatcher/client.js';
import { Exchange } from './exchange.ts';
import type { Link } from './link.ts';

/** A client of the pool: one connection at a time, which each exchange on it knows. */
export class PooledClient extends Client {
  readonly #link: Link;

  constructor(origin: string, options: Client.Options, link: Link) {
    super(origin, { ...options, connect: (where, done) => link.open(where, done) });
    this.#link = link;
  }

  /** Returns whether it takes another request at once. */
  override dispatch(
    options: Dispatcher.DispatchOptions,
    exchange: Dispatcher.DispatchHandler,
  ): boolean {
    if (!(exchange instanceof Exchange)) throw new Error('only exchanges are sent');
    // Its deadline passed while it waited for a free client: it needs no connection.
    if (exchange.hasEnded) return true;
    exchange.assign(this.#link);
    // undici says "busy" also when it refuses an invalid request. The pool would then wait for ever for this client to
    // be free.
    return super.dispatch(options, exchange) || exchange.hasEnded;
  }
}
