import type { Dispatcher } from 'undici';
import { codeOf } from './failure-code.ts';
import type { Link } from './link.ts';

const STATUS_MIN = 100;
/** A lower status announces an answer and is not one. */
const STATUS_FINAL_MIN = 200;

export type LineRequest = Readonly<{
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
  /** For everything together: waiting for a connection, connecting, the request and the answer. */
  timeoutMs: number;
  /** Asked right before the first byte is written. */
  mayStillSend?: () => boolean;
  /** False: the connection is closed after the answer. Default: true. */
  keepsConnection?: boolean;
  /** A longer answer is not read to its end. */
  readBytesMax: number;
  /** How much of the answer is kept in memory. Default: everything that is read. */
  keptBytesMax?: number;
}>;

type Head = Readonly<{ status: number; headers: Readonly<Record<string, string>> }>;
/** What arrived of an answer. */
export type Arrived = Readonly<{ head: Head; body: Buffer }>;

/**
 * How a request ended. `notSent` guarantees that no byte of the request was written. Every other request without a whole
 * answer is `lost`: it may have arrived.
 */
export type ExchangeEnd =
  | (Readonly<{ kind: 'answered' }> & Arrived)
  | Readonly<{ kind: 'notSent'; code: string; wasKept: boolean }>
  | Readonly<{
      kind: 'lost';
      code: string;
      /** An earlier request had used the connection. */
      wasKept: boolean;
      /** At least the first byte of an answer arrived. */
      wasAnswering: boolean;
      /** Undefined: not even a status. */
      arrived: Arrived | undefined;
    }>;

/** Thrown to undici instead of beginning a request: it then writes nothing, and the connection stays as it is. */
const NOT_BEGUN = new Error('the request was not begun');

/**
 * One request and its answer. It ends exactly once, by its deadline at the latest.
 *
 * undici calls `onRequestStart` in the same turn of the event loop in which it writes the first byte, on a connection
 * that is established. So a request that was not begun is not sent, and one that was begun may have been.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #request: LineRequest;
  readonly #end: (reply: ExchangeEnd) => void;
  readonly #deadline: NodeJS.Timeout;
  readonly #kept: Buffer[] = [];
  #hasEnded = false;
  #link: Link | undefined;
  /** Set once it has begun. */
  #controller: Dispatcher.DispatchController | undefined;
  #wasKept = false;
  #wasAnswering = false;
  #head: Head | undefined;
  #keptBytes = 0;
  #readBytes = 0;

  constructor(request: LineRequest, end: (reply: ExchangeEnd) => void) {
    this.#request = request;
    this.#end = end;
    this.#deadline = setTimeout(() => this.giveUp('DEADLINE'), request.timeoutMs);
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The connection that it will be sent on. */
  assign(link: Link): void {
    link.take(this);
    this.#link = link;
    this.#wasKept = link.wasUsed;
  }

  /** Closes the connection that it was answered on. */
  closeConnection(): void {
    this.#link?.closeAfter(this);
  }

  /** Ends the request and its connection now, at any stage: a late answer must not reach the next request. */
  giveUp(code: string): void {
    if (this.#hasEnded) return;
    this.#fail(code);
    if (this.#controller === undefined) this.#link?.abandon();
    else this.#controller.abort(new Error(code));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // It waited for a connection until its deadline.
    if (this.#hasEnded) throw NOT_BEGUN;
    const { mayStillSend } = this.#request;
    if (mayStillSend !== undefined && !mayStillSend()) {
      this.#fail('TOO_LATE');
      throw NOT_BEGUN;
    }
    // The connection may be another one than it was assigned to: a kept one that closed meanwhile was replaced.
    this.#wasKept = this.#link?.wasUsed ?? false;
    this.#link?.use();
    this.#controller = controller;
  }

  onResponseStarted(): void {
    this.#wasAnswering = true;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < STATUS_MIN) return this.giveUp('NO_STATUS');
    if (status >= STATUS_FINAL_MIN) this.#head = { status, headers: flatten(headers) };
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { readBytesMax, keptBytesMax = readBytesMax } = this.#request;
    this.#readBytes += chunk.length;
    const piece = chunk.subarray(0, Math.max(0, keptBytesMax - this.#keptBytes));
    if (piece.length > 0) this.#kept.push(piece);
    this.#keptBytes += piece.length;
    if (this.#readBytes > readBytesMax) this.giveUp('ANSWER_TOO_LONG');
  }

  onResponseEnd(): void {
    if (this.#hasEnded) return;
    // undici takes a reset for the end of an answer that has no length.
    if (this.#head === undefined || this.#link?.isBroken === true) return this.#fail('ECONNRESET');
    const reply: ExchangeEnd = { kind: 'answered', head: this.#head, body: this.#body() };
    this.#hasEnded = true;
    clearTimeout(this.#deadline);
    // undici frees the connection by an immediate that it requests after this call, and this one comes next. A request
    // that follows at once would not find the connection free and would open another.
    queueMicrotask(() => setImmediate(() => this.#end(reply)));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (!this.#hasEnded) this.#fail(codeOf(error, { wasAnswering: this.#wasAnswering }));
  }

  #fail(code: string): void {
    this.#hasEnded = true;
    clearTimeout(this.#deadline);
    const wasKept = this.#wasKept;
    if (this.#controller === undefined) return this.#end({ kind: 'notSent', code, wasKept });
    this.#end({
      kind: 'lost',
      code,
      wasKept,
      wasAnswering: this.#wasAnswering,
      arrived: this.#head && { head: this.#head, body: this.#body() },
    });
  }

  #body(): Buffer {
    const [first] = this.#kept;
    return this.#kept.length === 1 && first !== undefined ? first : Buffer.concat(this.#kept);
  }
}

function flatten(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const entries = Object.entries(headers);
  return Object.fromEntries(
    entries.map(([name, value = '']) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}
