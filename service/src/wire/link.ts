import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

/** Begins to connect; the socket is there at once, before it is connected. */
export type Connect = (where: buildConnector.Options, done: buildConnector.Callback) => Socket;

/** How many connections of a line are open. */
export type OpenCount = { open: number };

/** The connection that one client of the pool has now; after it closed, the next takes its place. */
export class Link {
  readonly #connect: Connect;
  readonly #count: OpenCount;
  #socket: Socket | undefined;
  #isOpen = false;
  #requests = 0;
  #lastRequest: object | undefined;

  constructor(connect: Connect, count: OpenCount) {
    this.#connect = connect;
    this.#count = count;
  }

  open(where: buildConnector.Options, done: buildConnector.Callback): void {
    this.#requests = 0;
    const socket = this.#connect(where, (...result) => {
      if (result[0] === null) this.#opened(socket);
      done(...result);
    });
    this.#socket = socket;
  }

  #opened(socket: Socket): void {
    this.#isOpen = true;
    this.#count.open += 1;
    socket.once('close', () => {
      if (this.#socket === socket) this.#closed();
    });
  }

  #closed(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#count.open -= 1;
  }

  /** A request was given to the client; it may have to wait for the connection. */
  take(request: object): void {
    this.#lastRequest = request;
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

  /** Closes the connection after this request, unless another already waits for it. */
  closeAfter(request: object): void {
    if (this.#lastRequest !== request || !this.#isOpen) return;
    this.#closed();
    // With an error: without one, undici would take the end for the end of an answer.
    this.#socket?.destroy(new Error('the connection is not needed'));
  }
}
