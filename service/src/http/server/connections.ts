import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { plainAddress } from './client-address.ts';

/** What we remember of one open connection. */
export type Connection = {
  readonly socket: Duplex;
  /** The other end of the socket; a proxy's, where there is one. */
  readonly address: string;
  /** Requests whose answers are not written yet; more than one when the client pipelines. */
  unanswered: number;
  latest: ServerResponse | undefined;
  /** Its last answer is given or on its way: whatever else arrives is not looked at. */
  closing: boolean;
  /** A valid key or token was shown on it. */
  isProven: boolean;
  /** The request that is worked on or was last; for the queue. */
  current: ServerResponse | undefined;
  readonly waiting: { request: IncomingMessage; response: ServerResponse }[];
  /** Nothing is read from it until what waits has had its turn. */
  isHeld: boolean;
  isWatched: boolean;
  /** It sent more requests than may wait: further ones are not looked at. */
  isFull: boolean;
};

export class Connections {
  readonly #bySocket = new WeakMap<Duplex, Connection>();
  /** When the latest was opened. */
  openedAtMs = Number.NEGATIVE_INFINITY;
  #unanswered = 0;
  #idleListeners: (() => void)[] = [];

  of(socket: Duplex): Connection {
    const known = this.#bySocket.get(socket);
    if (known !== undefined) return known;
    const address = plainAddress(socket instanceof Socket ? socket.remoteAddress : undefined);
    const connection: Connection = {
      socket,
      address,
      unanswered: 0,
      latest: undefined,
      closing: false,
      isProven: false,
      current: undefined,
      waiting: [],
      isHeld: false,
      isWatched: false,
      isFull: false,
    };
    this.#bySocket.set(socket, connection);
    return connection;
  }

  begin(connection: Connection, response: ServerResponse): void {
    connection.unanswered += 1;
    connection.latest = response;
    this.#unanswered += 1;
  }

  end(connection: Connection): void {
    connection.unanswered -= 1;
    this.countWaiting(-1);
  }

  /** Requests that wait for their turn have begun too. */
  countWaiting(change: number): void {
    this.#unanswered += change;
    if (this.#unanswered > 0) return;
    const listeners = this.#idleListeners;
    this.#idleListeners = [];
    for (const listener of listeners) listener();
  }

  /** Resolves when every request that has begun is answered. */
  idle(): Promise<void> {
    if (this.#unanswered === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idleListeners.push(resolve));
  }
}

/**
 * Whether an answer may be written to the connection outside the usual way. Not while an earlier
 * request waits for its own: the client would take ours for that one's, and with it "nothing was
 * stored".
 */
export function mayAnswerRaw(connection: Connection): boolean {
  if (connection.closing || connection.waiting.length > 0) return false;
  if (connection.unanswered === 0) return true;
  const { latest } = connection;
  return (
    connection.unanswered === 1 &&
    latest !== undefined &&
    !latest.headersSent &&
    !latest.req.complete
  );
}

/** Ends our side, reads on for a moment so that the answer is not lost, then closes. */
export function closePolitely(socket: Duplex, lingerMs: number): void {
  if (socket.destroyed) return;
  socket.end();
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
  socket.once('end', () => socket.destroy());
}

/** The connection ends with this answer, although more of the request may still be arriving. */
export function closeAfterAnswer(
  response: ServerResponse,
  connection: Connection,
  lingerMs: number,
): void {
  connection.closing = true;
  const { socket } = response;
  // This is what the HTTP server calls once the last answer of a connection is written.
  if (socket !== null) socket.destroySoon = () => closePolitely(socket, lingerMs);
}
