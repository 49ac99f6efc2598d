import { createFairQueue } from '../../postgres/fair-queue.ts';
import type { Connection } from './connections.ts';

/**
 * How long accepted connections may wait to be read while others wait to be accepted. Node accepts one connection per
 * turn of the event loop, so each read in between delays all connections behind it: a thousand connections with many
 * requests each would delay a health probe by seconds.
 */
const READ_POSTPONED_MAX_MS = 20;

/**
 * How many of them are read from in one turn: the first read of a connection may contain so many requests that it takes
 * half a millisecond, but usually it is one request. One in each turn is too few: under load a turn takes 20 ms and more,
 * and clients that open a connection for each request would open more than are read from.
 */
const READ_IN_TURN_MIN = 16;
const READ_IN_TURN_MAX = 256;
/** After a turn that was shorter twice as many are read from, after one that was longer half as many. */
const QUICK_TURN_MS = 5;
const SLOW_TURN_MS = 20;

/**
 * If many connections open at once, accepts them first, then reads from some per turn of the event loop; addresses take
 * turns.
 */
export class ConnectionQueue {
  readonly #waiting = createFairQueue<Connection>();
  readonly #monotonicMs: () => number;
  /** What these have sent is read before the next turn. */
  #beingRead: readonly Connection[] = [];
  #readInTurn = READ_IN_TURN_MIN;
  #isTurning = false;
  #openedInTurn = 0;
  #turnedAtMs = Number.NEGATIVE_INFINITY;
  #readAtMs = Number.NEGATIVE_INFINITY;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  opened(connection: Connection): void {
    this.#openedInTurn += 1;
    // A connection that opens alone is read from at once.
    if (!this.#isTurning) {
      this.#isTurning = true;
      this.#readAtMs = this.#monotonicMs();
      setImmediate(() => this.#turn());
      return;
    }
    connection.isUnread = true;
    this.#waiting.push(connection.address, connection);
    // Node starts reading after this event; nothing arrives before the next turn.
    process.nextTick(() => connection.socket.pause());
  }

  #turn(): void {
    const opened = this.#openedInTurn;
    this.#openedInTurn = 0;
    const nowMs = this.#monotonicMs();
    if (this.#beingRead.length > 0) this.#noteRead(nowMs - this.#turnedAtMs);
    this.#turnedAtMs = nowMs;
    if (opened > 0 && nowMs - this.#readAtMs < READ_POSTPONED_MAX_MS) {
      setImmediate(() => this.#turn());
      return;
    }
    this.#readAtMs = nowMs;
    this.#beingRead = this.#waiting.take(this.#readInTurn);
    for (const { socket } of this.#beingRead) socket.resume();
    this.#isTurning = this.#beingRead.length > 0;
    if (this.#isTurning) setImmediate(() => this.#turn());
  }

  #noteRead(turnMs: number): void {
    for (const connection of this.#beingRead) connection.isUnread = false;
    this.#beingRead = [];
    const factor = turnMs < QUICK_TURN_MS ? 2 : turnMs > SLOW_TURN_MS ? 0.5 : 1;
    const next = this.#readInTurn * factor;
    this.#readInTurn = Math.min(READ_IN_TURN_MAX, Math.max(READ_IN_TURN_MIN, next));
  }
}
