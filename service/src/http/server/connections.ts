import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { plainAddress } from './client-address.ts';

/** The state of one open connection. */
export type Connection = {
  readonly socket: Duplex;
  /** The other end of the socket, which may be a proxy. */
  readonly address: string;
  /** Requests without a written answer; more than one if the client pipelines. */
  unanswered: number;
  latest: ServerResponse | undefined;
  /** Its last answer is given or being written: further requests are ignored. */
  closing: boolean;
  /** A valid key or token was shown on it. */
  isProven: boolean;
  /** It waits for its first read: a request may already have arrived. */
  isUnread: boolean;
  /** The request that is being worked on, or the last one; for the queue. */
  current: ServerResponse | undefined;
  readonly waiting: { request: IncomingMessage; response: ServerResponse }[];
  /** Reading is paused until the waiting requests were handled. */
  isHeld: boolean;
  isWatched: boolean;
  /** It sent more requests than may wait: further ones are ignored. */
  isFull: boolean;
};

export class Connections {
  readonly #bySocket = new WeakMap<Duplex, Connection>();
  /** When the latest connection was opened. */
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
      isUnread: false,
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

  /** Waiting requests also count as begun. */
  countWaiting(change: number): void {
    this.#unanswered += change;
    if (this.#unanswered > 0) return;
    const listeners = this.#idleListeners;
    this.#idleListeners = [];
    for (const listener of listeners) listener();
  }

  /** Resolves once every request that has begun is answered. */
  idle(): Promise<void> {
    if (this.#unanswered === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idleListeners.push(resolve));
  }
}

/**
 * Whether an answer may be written directly to the socket. Not while an earlier request waits for its answer: the
 * client would take ours for the answer to that one, and conclude that nothing was stored.
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

/** Whether its client waits for us: the request has arrived, and there is more to answer than what is unread. */
export function isWorkedOn({ current }: Connection): boolean {
  if (current === undefined || current.writableEnded) return false;
  return current.req.complete && current.writableLength === 0;
}

/** Ends our side, keeps reading for a moment so that the client receives the answer, then closes. */
export function closePolitely(socket: Duplex, lingerMs: number): void {
  if (socket.destroyed) return;
  socket.end();
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
  socket.once('end', () => socket.destroy());
}

/** Ends the connection with this answer, although more of the request may still be arriving. */
export function closeAfterAnswer(
  response: ServerResponse,
  connection: Connection,
  lingerMs: number,
): void {
  connection.closing = true;
  const { socket } = response;
  // The HTTP server calls this once the last answer of a connection is written.
  if (socket !== null) socket.destroySoon = () => closePolitely(socket, lingerMs);
}
