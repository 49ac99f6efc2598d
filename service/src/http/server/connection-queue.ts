import type { Socket } from 'node:net';
import { createFairQueue } from '../../postgres/fair-queue.ts';

/**
 * How long connections that were taken may wait to be read from while others still wait to be taken. Node
 * takes one connection in each turn of the event loop, so each read between two of them puts off all that
 * come behind: a thousand connections with many requests each would keep a probe of the service's
 * health waiting for seconds.
 */
const READ_POSTPONED_MAX_MS = 20;

/**
 * When many connections open at once, they are taken first, and then read from one in a turn of the event loop,
 * in which addresses share. The first read of a connection may hold so many requests that it takes
 * half a millisecond.
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
    // The only one for a while is read from at once.
    if (!this.#isTurning) {
      this.#isTurning = true;
      this.#readAtMs = this.#monotonicMs();
      setImmediate(() => this.#turn());
      return;
    }
    this.#waiting.push(address, socket);
    // Node starts to read when this event is over; nothing arrives before the next turn.
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
