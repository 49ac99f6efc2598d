import type { Socket } from 'node:net';

/** What ends a request that never ends, where no bound refused it before. */
const REQUEST_TIMEOUT = 408;

/**
 * Counts connections that the service refused: it closed them, and not because nothing more came. Counted by answers
 * rather than by time, so that a busy service may refuse late.
 */
export class Refusals {
  #count = 0;

  get count(): number {
    return this.#count;
  }

  watch(socket: Socket, onAnswer: (status: number) => void = () => undefined): void {
    let status: number | undefined;
    socket.once('data', (bytes) => {
      status = Number(/^HTTP\/1\.1 (\d{3})/.exec(bytes.toString('latin1'))?.[1]);
      onAnswer(status);
    });
    socket.once('close', () => {
      if (status !== REQUEST_TIMEOUT) this.#count += 1;
    });
  }
}
