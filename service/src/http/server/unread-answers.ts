import type { Connection } from './connections.ts';

/**
 * Bytes of answers that clients have not taken yet, in all: more than a thousand ordinary ones. The system
 * takes a few megabytes of each connection before anything is left over here.
 */
export const UNREAD_BYTES_MAX = 32 * 1_024 * 1_024;

/** Bounds what is kept in memory for clients that do not read: the one that waits longest is closed. */
export class UnreadAnswers {
  readonly #bytesMax: number;
  /** In the order in which they came to wait. */
  readonly #bytesOf = new Map<Connection, number>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** After an answer was written: what of it is still here. */
  note(connection: Connection): void {
    const bytes = connection.socket.writableLength;
    if (bytes === 0) return;
    this.forget(connection);
    this.#bytesOf.set(connection, bytes);
    this.#bytes += bytes;
    for (const [oldest] of this.#bytesOf) {
      if (this.#bytes <= this.#bytesMax) break;
      this.forget(oldest);
      oldest.closing = true;
      oldest.socket.destroy();
    }
  }

  /** It has left, or the connection is closed. */
  forget(connection: Connection): void {
    const bytes = this.#bytesOf.get(connection);
    if (bytes === undefined) return;
    this.#bytesOf.delete(connection);
    this.#bytes -= bytes;
  }
}
