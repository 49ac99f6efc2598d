import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

/** Begins to connect; the socket is there at once, before it is connected. */
export type Connect = (
  where: buildConnector.Options,
  done: buildConnector.Callback,
) => Socket;

/** The connection that one client of the pool has now; after it closed, the next takes its place. */
export class Link {
  readonly #connect: Connect;
  #socket: Socket | undefined;
  #isOpen = false;
  #requests = 0;

  constructor(connect: Connect) {
    this.#connect = connect;
  }

  open(where: buildConnector.Options, done: buildConnector.Callback): void {
    this.#isOpen = false;
    this.#requests = 0;
    this.#socket = this.#connect(where, (...result) => {
      this.#isOpen = result[0] === null;
      done(...result);
    });
  }

  /** Whether a request before this one used the connection. */
  get wasUsed(): boolean {
    return this.#requests > 0;
  }

  use(): void {
    this.#requests += 1;
  }

  /** Whether the connection ended by an error, such as a reset. An orderly end is none. */
  get isBroken(): boolean {
    return (this.#socket?.errored ?? null) !== null;
  }

  /** Stops connecting; what is connected stays. */
  abandon(): void {
    if (!this.#isOpen) this.#socket?.destroy(new Error('it took too long to connect'));
  }
}
