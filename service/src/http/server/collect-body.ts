import type { IncomingMessage } from 'node:http';
import { refuse } from '../../domain/refusal.ts';
import type { BodyBudget, BodyShare } from './body-budget.ts';
import { BodyScanner } from './body-scanner.ts';
import type { JsonLimits } from './json-limits.ts';

/** The client disconnected while sending, or before its turn came: the request gets no answer. */
export class ClientGone extends Error {
  constructor() {
    super('the client closed the connection before its request was worked on');
    this.name = 'ClientGone';
  }
}

/** A body of at most this size that arrives in one piece is parsed at once and not counted. */
const UNCOUNTED_BYTES_MAX = 16 * 1_024;
const CAPACITY_MIN = 4 * 1_024;

export type CollectOptions = Readonly<{
  bytesMax: number;
  budget: BodyBudget;
  /** Whose share of the budget the body takes: of a caller (caller.ts), or of an operator's route. */
  owner: string;
  /** The limits to check a JSON body against while it arrives. */
  json: JsonLimits | undefined;
}>;

export type CollectedBody = Readonly<{
  bytes: Buffer;
  /** Its share of the budget, until it is closed. Undefined if it arrived in one small piece. */
  share: BodyShare | undefined;
  /** At least the number of its values, if it was scanned. */
  values: number;
}>;

/**
 * Reads the bytes of a body within the budget. A refused body is read to its end and dropped, so that the refusal can
 * still be sent. Calls back once; the caller closes the share.
 */
export function collectBody(
  request: IncomingMessage,
  options: CollectOptions,
  done: (error: unknown, body: CollectedBody | undefined) => void,
): void {
  new BodyCollector(request, options, done).begin();
}

class BodyCollector {
  readonly #request: IncomingMessage;
  readonly #options: CollectOptions;
  readonly #done: (error: unknown, body: CollectedBody | undefined) => void;
  readonly #expected: number;
  #share: BodyShare | undefined;
  #scanner: BodyScanner | undefined;
  /** The only piece so far, as it arrived. */
  #first: Buffer | undefined;
  /** Several pieces, copied together: keeping a piece of one byte costs hundreds of bytes. */
  #joined: Buffer | undefined;
  #length = 0;
  #isDone = false;

  constructor(
    request: IncomingMessage,
    options: CollectOptions,
    done: (error: unknown, body: CollectedBody | undefined) => void,
  ) {
    this.#request = request;
    this.#options = options;
    this.#done = done;
    this.#expected = Number(request.headers['content-length'] ?? Number.NaN);
    this.#share = undefined;
    this.#scanner = undefined;
    this.#first = undefined;
    this.#joined = undefined;
  }

  begin(): void {
    this.#request.on('data', (chunk: Buffer) => {
      if (this.#isDone) return;
      try {
        this.#add(chunk);
      } catch (error) {
        this.#finish(error);
      }
    });
    this.#request.on('end', () => this.#finish(undefined));
    this.#request.on('error', () => this.#finish(new ClientGone()));
  }

  #add(chunk: Buffer): void {
    this.#length += chunk.length;
    if (this.#length > this.#options.bytesMax) throw refuse('BODY_TOO_LARGE');
    if (this.#length === this.#expected && this.#share === undefined) {
      // The usual case: a small body in one piece.
      if (chunk.length <= UNCOUNTED_BYTES_MAX) {
        this.#first = chunk;
        return;
      }
    }
    this.#share ??= this.#open();
    this.#share.receive(chunk.length);
    this.#scanner?.scan(chunk);
    this.#join(chunk, this.#share);
    if (this.#length === this.#expected) this.#share.arrived();
  }

  #open(): BodyShare {
    const { budget, owner, json } = this.#options;
    if (json !== undefined) this.#scanner = new BodyScanner(json);
    return budget.open(owner, () => this.#finish(refuse('REQUEST_TIMEOUT')));
  }

  /** Memory grows with what has arrived, never with the announced length. */
  #join(chunk: Buffer, share: BodyShare): void {
    const before = this.#length - chunk.length;
    const old = this.#joined;
    if (old === undefined || old.length < this.#length) {
      const most = this.#expected > 0 ? this.#expected : this.#options.bytesMax;
      const capacity = Math.min(Math.max(2 * this.#length, CAPACITY_MIN), most);
      share.take(capacity);
      this.#joined = Buffer.allocUnsafeSlow(capacity);
      if (old !== undefined) {
        old.copy(this.#joined, 0, 0, before);
        share.give(old.length);
      }
    }
    if (this.#joined !== undefined) chunk.copy(this.#joined, before);
  }

  #finish(error: unknown): void {
    if (this.#isDone) return;
    this.#isDone = true;
    const bytes = this.#first ?? this.#joined?.subarray(0, this.#length) ?? EMPTY;
    const share = this.#share;
    share?.arrived();
    this.#first = undefined;
    this.#joined = undefined;
    if (error === undefined) {
      this.#done(undefined, { bytes, share, values: this.#scanner?.values ?? 0 });
      return;
    }
    share?.close();
    this.#done(error, undefined);
  }
}

const EMPTY = Buffer.alloc(0);
