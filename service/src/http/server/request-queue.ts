import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { afterOpening } from './after-opening.ts';
import type { Connection, Connections } from './connections.ts';

export type QueueLimits = Readonly<{
  /** Requests that may wait on one connection behind the one that is worked on. */
  waitingOfConnectionMax: number;
  /** Waiting requests of all connections together. */
  waitingMax: number;
}>;

/**
 * Few clients send a request before they have the answer to the last one, and those send a handful. A waiting request
 * has cost 20 µs, costs 60 µs more if its connection breaks, and takes 6 KiB: for a thousand connections at once that
 * is a second and 24 MiB.
 */
export const QUEUE_LIMITS: QueueLimits = { waitingOfConnectionMax: 16, waitingMax: 4_096 };

type Begin = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Handles the requests of a connection one after the other: the next begins when the answer to the last one has been
 * sent. Meanwhile nothing more is read. Node parses all requests of one read (64 KiB, which may be 2,000 requests) at
 * once and would begin them all: the answers of a client that does not read would all be kept in memory.
 */
export class RequestQueue {
  readonly #connections: Connections;
  readonly #limits: QueueLimits;
  readonly #begin: Begin;
  readonly #isOpening: () => boolean;
  readonly #ready: Connection[] = [];
  #waiting = 0;

  /** `isOpening`: whether a connection was opened within the last milliseconds. */
  constructor(
    connections: Connections,
    limits: QueueLimits,
    { begin, isOpening }: Readonly<{ begin: Begin; isOpening: () => boolean }>,
  ) {
    this.#connections = connections;
    this.#limits = limits;
    this.#begin = begin;
    this.#isOpening = isOpening;
  }

  accept(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    if (connection.closing || connection.isFull) return;
    const { current, waiting } = connection;
    if (waiting.length === 0 && (current === undefined || isOver(current))) {
      connection.current = response;
      this.#begin(request, response);
      return;
    }
    const { waitingOfConnectionMax, waitingMax } = this.#limits;
    if (waiting.length >= waitingOfConnectionMax || this.#waiting >= waitingMax) {
      connection.isFull = true;
      ignoreRequests(request.socket);
    } else {
      waiting.push({ request, response });
      this.#count(1);
    }
    this.#hold(connection, request.socket);
  }

  /** Stops reading until the waiting requests were handled. */
  #hold(connection: Connection, socket: Socket): void {
    socket.pause();
    if (!connection.isWatched) this.#watch(connection, socket);
    if (connection.isHeld) return;
    connection.isHeld = true;
    connection.current?.once('close', () => this.#takeTurn(connection));
  }

  #watch(connection: Connection, socket: Socket): void {
    connection.isWatched = true;
    // The body reader resumes the socket.
    socket.on('resume', () => {
      if (connection.waiting.length > 0 || connection.isFull) socket.pause();
    });
    socket.once('close', () => this.#count(-connection.waiting.splice(0).length));
  }

  #takeTurn(connection: Connection): void {
    this.#ready.push(connection);
    if (this.#ready.length === 1) this.#turnLater();
  }

  #turnLater(): void {
    afterOpening(this.#isOpening, () => this.#turn());
  }

  #turn(): void {
    // One per turn of the event loop, in which Node also accepts one new connection and reads from all others.
    const connection = this.#ready.shift();
    if (connection !== undefined) this.#next(connection);
    if (this.#ready.length > 0) this.#turnLater();
  }

  #next(connection: Connection): void {
    const next = connection.closing ? undefined : connection.waiting.shift();
    if (next === undefined) {
      this.#finish(connection);
      return;
    }
    this.#count(-1);
    const { request, response } = next;
    connection.current = response;
    response.once('close', () => this.#takeTurn(connection));
    this.#begin(request, response);
    if (connection.waiting.length === 0 && !connection.isFull) request.socket.resume();
  }

  /** No request waits any more. */
  #finish(connection: Connection): void {
    if (connection.closing) this.#count(-connection.waiting.splice(0).length);
    connection.isHeld = false;
    // More requests arrived than may wait, and the excess was dropped: the client sees which answers are missing.
    if (connection.isFull) connection.current?.req.socket.destroySoon();
  }

  #count(change: number): void {
    this.#waiting += change;
    this.#connections.countWaiting(change);
  }
}

function isOver(response: ServerResponse): boolean {
  return response.writableFinished || response.destroyed;
}

const PARSER_STOPS = -1;

/**
 * Without this, Node's parser would create a request and a response for each of up to 2,000 requests that it has read,
 * and an error for each when the socket is closed. It stops, with a clientError, at the next request whose callback
 * does not return 0.
 */
function ignoreRequests(socket: Socket): void {
  const parser: unknown = Reflect.get(socket, 'parser');
  if (typeof parser !== 'object' || parser === null) return;
  if ('onIncoming' in parser) parser.onIncoming = () => PARSER_STOPS;
}
