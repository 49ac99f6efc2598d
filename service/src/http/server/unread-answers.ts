import type { Connection } from './connections.ts';

/**
 * Bytes of answers that clients have not read yet, in total: more than a thousand ordinary answers. The kernel buffers
 * a few megabytes per connection before anything is left in this process.
 */
export const UNREAD_BYTES_MAX = 32 * 1_024 * 1_024;

/**
 * Bounds the memory for clients that do not read: past the limit, the connection that has waited longest is closed. One
 * whose answer is larger than the limit is closed itself, because closing all others would not make room for it.
 */
export class UnreadAnswers {
  readonly #bytesMax: number;
  /** In the order in which they began to wait. */
  readonly #bytesOf = new Map<Connection, number>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Called after an answer or a part of one was written: counts the bytes that are still in this process. */
  note(connection: Connection): void {
    const bytes = connection.socket.writableLength;
    this.forget(connection);
    if (bytes === 0) return;
    if (bytes > this.#bytesMax) {
      close(connection);
      return;
    }
    this.#bytesOf.set(connection, bytes);
    this.#bytes += bytes;
    for (const [oldest] of this.#bytesOf) {
      if (this.#bytes <= this.#bytesMax) break;
      this.forget(oldest);
      close(oldest);
    }
  }

  /** The bytes were sent, or the connection is closed. */
  forget(connection: Connection): void {
    const bytes = this.#bytesOf.get(connection);
    if (bytes === undefined) return;
    this.#bytesOf.delete(connection);
    this.#bytes -= bytes;
  }
}

function close(connection: Connection): void {
  connection.closing = true;
  connection.socket.destroy();
}
