import type { ServerResponse } from 'node:http';

const NOT_MODIFIED = 304;

/**
 * The answer to one request. Headers are kept as a flat list, which Node writes unchanged: its own table of headers
 * costs twice as much.
 */
export class HttpReply {
  readonly raw: ServerResponse;
  sent = false;
  #status = 200;
  readonly #headers: string[] = [];

  constructor(raw: ServerResponse) {
    this.raw = raw;
  }

  code(status: number): this {
    this.#status = status;
    return this;
  }

  /** Names must be in lower case. A header that is set twice keeps the later value. */
  header(name: string, value: string): this {
    const headers = this.#headers;
    for (let at = 0; at < headers.length; at += 2) {
      if (headers[at] !== name) continue;
      headers[at + 1] = value;
      return this;
    }
    headers.push(name, value);
    return this;
  }

  headers(headers: Readonly<Record<string, string>>): this {
    for (const name in headers) this.header(name, headers[name] ?? '');
    return this;
  }

  /** A Buffer is written without copying it for every answer. */
  send(text: string | Buffer): void {
    this.sent = true;
    // With 304 it would be the length of what the client has, and not 0.
    if (this.#status !== NOT_MODIFIED) {
      this.#headers.push('content-length', String(Buffer.byteLength(text)));
    }
    this.raw.writeHead(this.#status, this.#headers).end(text);
  }

  /** Sends the head of an answer that stays open. */
  begin(): void {
    this.sent = true;
    this.raw.writeHead(this.#status, this.#headers).flushHeaders();
  }

  /** Ends the connection without an answer, or in the middle of one. */
  drop(): void {
    this.sent = true;
    this.raw.destroy();
  }
}
