import { networkOf } from '../../domain/network-of.ts';
import type { Connection } from './connections.ts';

export type ConnectionCounts = Readonly<{
  /** Connections of one address on which no valid key or token was shown yet. */
  unprovenOfAddressMax: number;
  unprovenMax: number;
  /** Past this number, a connection with a valid key is closed after its answer. */
  provenMax: number;
}>;

/**
 * A connection takes about 15 KiB here and more in the kernel. Connections of unauthenticated clients need not last: a
 * probe or a reader of the documentation is done in milliseconds. The three limits together stay below the most
 * connections that the server opens, so that a health probe always gets one.
 */
export const CONNECTION_COUNTS: ConnectionCounts = {
  unprovenOfAddressMax: 1_000,
  unprovenMax: 2_000,
  provenMax: 7_000,
};

/** How many of the oldest connections are searched for one that waits for no answer. */
const LOOKED_AT_MAX = 16;

/**
 * Counts connections, and closes the oldest unproven ones if there are too many. A new connection is never refused
 * instead: an attacker and a merchant may share an address, and the merchant's new connection shows its key at once.
 */
export class ConnectionLimits {
  readonly #counts: ConnectionCounts;
  readonly #isProxy: (address: string) => boolean;
  readonly #unproven = new Set<Connection>();
  readonly #byNetwork = new Map<string, Set<Connection>>();
  #proven = 0;

  constructor(counts: ConnectionCounts, isProxy: (address: string) => boolean) {
    this.#counts = counts;
    this.#isProxy = isProxy;
  }

  opened(connection: Connection): void {
    this.#unproven.add(connection);
    const { unprovenOfAddressMax, unprovenMax } = this.#counts;
    if (!this.#isProxy(connection.address)) {
      const network = networkOf(connection.address);
      const ofNetwork = this.#byNetwork.get(network) ?? new Set<Connection>();
      this.#byNetwork.set(network, ofNetwork.add(connection));
      if (ofNetwork.size > unprovenOfAddressMax) this.#closeOldest(ofNetwork);
    }
    if (this.#unproven.size > unprovenMax) this.#closeOldest(this.#unproven);
  }

  /** A valid key or token was shown on the connection. */
  proved(connection: Connection): void {
    if (connection.isProven || !this.#forget(connection)) return;
    connection.isProven = true;
    this.#proven += 1;
  }

  closed(connection: Connection): void {
    if (connection.isProven) this.#proven -= 1;
    else this.#forget(connection);
  }

  /** Whether more connections with valid keys are open than may stay open. */
  get isBusy(): boolean {
    return this.#proven > this.#counts.provenMax;
  }

  #closeOldest(connections: ReadonlySet<Connection>): void {
    let oldest: Connection | undefined;
    let lookedAt = 0;
    for (const connection of connections) {
      oldest ??= connection;
      if (connection.unanswered === 0 && !connection.isUnread) {
        oldest = connection;
        break;
      }
      lookedAt += 1;
      if (lookedAt === LOOKED_AT_MAX) break;
    }
    if (oldest === undefined) return;
    this.#forget(oldest);
    oldest.closing = true;
    oldest.socket.destroy();
  }

  /** Returns false if the connection was not among the unproven ones. */
  #forget(connection: Connection): boolean {
    const network = networkOf(connection.address);
    const ofNetwork = this.#byNetwork.get(network);
    ofNetwork?.delete(connection);
    if (ofNetwork?.size === 0) this.#byNetwork.delete(network);
    return this.#unproven.delete(connection);
  }
}
