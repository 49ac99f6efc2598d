import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ServerLimits } from './server-limits.ts';

/**
 * Gives uploads more time than other requests. Node.js has one time for all requests of a server, and says once of each
 * that it is over: an upload then gets the rest of its own time, and every other request ends.
 */
export class LongRequests {
  readonly #furtherMs: number;
  readonly #underWay = new Map<Duplex, IncomingMessage>();

  constructor({
    requestTimeoutMs,
    uploadTimeoutMs,
  }: Pick<ServerLimits, 'requestTimeoutMs' | 'uploadTimeoutMs'>) {
    this.#furtherMs = uploadTimeoutMs - requestTimeoutMs;
  }

  /** The request may take longer, until all of it has arrived or it is gone. */
  begin(request: IncomingMessage): void {
    const { socket } = request;
    this.#underWay.set(socket, request);
    request.once('close', () => this.#underWay.delete(socket));
  }

  /** The usual time of a request is over. Calls `end` at once, or later if the request may take longer. */
  endLate({ socket, end }: Readonly<{ socket: Duplex; end: () => void }>): void {
    const request = this.#underWay.get(socket);
    if (request === undefined) {
      end();
      return;
    }
    const timer = setTimeout(end, this.#furtherMs).unref();
    request.once('close', () => clearTimeout(timer));
  }
}
