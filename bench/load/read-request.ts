import type { RepeatedRequest } from './transfer-request.ts';

/** One object to look up, and the key for it. */
export type Lookup = Readonly<{ apiKey: string; path: string }>;

/** Looks up one object after the other. */
export class ReadRequest implements RepeatedRequest {
  readonly #requests: readonly Buffer[];
  #turn = 0;

  constructor(lookups: readonly Lookup[]) {
    this.#requests = lookups.map(({ apiKey, path }) =>
      Buffer.from(
        `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${apiKey}\r\n\r\n`,
        'latin1',
      ),
    );
  }

  next(): Buffer {
    const request = this.#requests[this.#turn];
    if (request === undefined) throw new Error('there is nothing to look up');
    this.#turn = (this.#turn + 1) % this.#requests.length;
    return request;
  }
}
