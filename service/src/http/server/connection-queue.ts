import type { Socket } from 'node:net';
import { createFairQueue } from '../../postgres/fair-queue.ts';

/**
 * How long accepted connections may wait to be read while others wait to be accepted. Node accepts one connection per
 * turn of the event loop, so each read in between delays all connections behind it: a thousand connections with many
 * requests each would delay a health probe by seconds.
 */
const READ_POSTPONED_MAX_MS = 20;

/**
 * If many connections open at once, accepts them first, then reads from one per turn of the event loop; addresses take
 * turns. The first read of a connection may contain so many requests that it takes half a millisecond.
 */
export class ConnectionQueue {
  readonly #waiting = createFairQueue<Socket>();
  readonly #monotonicMs: () => number;
  #isTurning = false;
  #openedInTurn = 0;
  #readAtMs = Number.NEGATIVE_INFINITY;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  opened(address: string, socket: Socket): void {
    this.#openedInTurn += 1;
    // A connection that opens alone is read from at once.
    if (!this.#isTurning) {
      this.#isTurning = true;
      this.#readAtMs = this.#monotonicMs();
      setImmediate(() => this.#turn());
      return;
    }
    this.#waiting.push(address, socket);
    // Node starts reading after this event; nothing arrives before the next turn.
    process.nextTick(() => socket.pause());
  }

  #turn(): void {
    const opened = this.#openedInTurn;
    this.#openedInTurn = 0;
    const nowMs = this.#monotonicMs();
    if (opened > 0 && nowMs - this.#readAtMs < READ_POSTPONED_MAX_MS) {
      setImmediate(() => this.#turn());
      return;
    }
    this.#readAtMs = nowMs;
    const [socket] = this.#waiting.take(1);
    socket?.resume();
    this.#isTurning = socket !== undefined;
    if (this.#isTurning) setImmediate(() => this.#turn());
  }
}
