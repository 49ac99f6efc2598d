import type { Socket } from 'node:net';
import { createFairQueue } from '../postgres/fair-queue.ts';

/**
 * New connections that are read from in one turn of the event loop. The first read of a connection may hold
 * so many requests that it takes half a millisecond: without this, a thousand connections that open
 * at once would keep everything else waiting until all of them are read.
 */
const READ_IN_A_TURN = 8;

/** When many connections open at once, they are read from in turns, in which addresses share. */
export class ConnectionTurns {
  readonly #waiting = createFairQueue<Socket>();
  #inTurn = 0;

  opened(address: string, socket: Socket): void {
    this.#inTurn += 1;
    if (this.#inTurn === 1) setImmediate(() => this.#turn());
    if (this.#inTurn <= READ_IN_A_TURN) return;
    this.#waiting.push(address, socket);
    // Node starts to read when this event is over; nothing arrives before the next turn.
    process.nextTick(() => socket.pause());
  }

  #turn(): void {
    const sockets = this.#waiting.take(READ_IN_A_TURN);
    for (const socket of sockets) socket.resume();
    this.#inTurn = sockets.length;
    if (sockets.length > 0) setImmediate(() => this.#turn());
  }
}
