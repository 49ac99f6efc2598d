import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import { REFUSALS } from '../../domain/refusal-codes.ts';
import type { LogFields, Logger } from '../../telemetry/logger.ts';
import type { OperationMetrics } from '../../telemetry/request-metrics.ts';
import type { BodyBudgets } from './body-budget.ts';
import type { CallQueues } from './call-queue.ts';
import type { Caller } from './caller.ts';
import type { AddressReader } from './client-address.ts';
import { ClientGone } from './collect-body.ts';
import type { ConcurrencyLimit } from './concurrency-limit.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import { type Connection, type Connections, closeAfterAnswer } from './connections.ts';
import { errorBody, errorHeaders, expectedRefusal } from './error-response.ts';
import type { DirectRequest } from './from-this-machine.ts';
import { HttpReply } from './http-reply.ts';
import type { LongRequests } from './long-requests.ts';
import type { OpenDownloads } from './open-downloads.ts';
import type { OpenStreams } from './open-streams.ts';
import { hasMuchUnread } from './read-body.ts';
import type { UnreadAnswers } from './unread-answers.ts';

/** Requests that take longer are logged even if they succeed. */
const SLOW_MS = 1_000;
/** The status in logs and metrics of a request whose client disconnected before the answer. */
const CLIENT_GONE_STATUS = 499;
const STREAM_STATUS = 200;

/** What requests of all operations need. */
export type ServerContext = Readonly<{
  connections: Connections;
  connectionLimits: ConnectionLimits;
  unreadAnswers: UnreadAnswers;
  streams: OpenStreams;
  downloads: OpenDownloads;
  addresses: AddressReader;
  concurrencyLimit: ConcurrencyLimit;
  bodyBudgets: BodyBudgets;
  longRequests: LongRequests;
  pageQueues: CallQueues;
  writeQueues: CallQueues;
  uploadQueues: CallQueues;
  logger: Logger;
  monotonicMs: () => number;
  newRequestId: () => string;
  lingerMs: number;
  isDraining: () => boolean;
  renderRefusalData: (data: Readonly<Record<string, unknown>>) => object;
}>;

/** The operation that a request calls: a name for metrics, a pattern for logs. */
export type ObservedOperation = Readonly<{ pattern: string; metrics: OperationMetrics }>;

/** One request and its answer: its id, its log line and metrics, and its error response. */
export class HttpExchange {
  readonly id: string;
  readonly request: IncomingMessage;
  readonly reply: HttpReply;
  readonly connection: Connection;
  readonly #serverContext: ServerContext;
  readonly #operation: ObservedOperation;
  readonly #startedMs: number;
  #error: unknown;
  /** The owner whose place it takes. */
  #placeOf: string | undefined;
  #releaseMemory: (() => void) | undefined;
  #isWorkedOn = false;
  #hasEnded = false;
  /** For the log, once it is known. */
  caller: Caller | undefined;

  constructor(
    serverContext: ServerContext,
    operation: ObservedOperation,
    { request, response }: Readonly<{ request: IncomingMessage; response: ServerResponse }>,
  ) {
    this.#serverContext = serverContext;
    this.#operation = operation;
    this.id = serverContext.newRequestId();
    this.request = request;
    this.reply = new HttpReply(response);
    this.caller = undefined;
    this.#placeOf = undefined;
    this.#releaseMemory = undefined;
    this.#startedMs = serverContext.monotonicMs();
    this.connection = serverContext.connections.of(request.socket);
    serverContext.connections.begin(this.connection, response);
    response.on('close', () => this.#close());
    this.reply.header('x-request-id', this.id);
    this.reply.header('x-content-type-options', 'nosniff');
  }

  /** The client's address, for limits, lists and logs. */
  get address(): string {
    const { addresses } = this.#serverContext;
    return addresses.read(this.connection.address, this.request.headers['x-forwarded-for']);
  }

  /** What the other end of the socket sent: the client, or a proxy. */
  get direct(): DirectRequest {
    const { headers, httpVersion, socket } = this.request;
    return {
      headers,
      httpVersion,
      localPort: socket.localPort,
      peer: this.connection.address,
      isFromProxy: this.#serverContext.addresses.isProxy(this.connection.address),
    };
  }

  /** The client has shown a valid key or token. */
  prove(): void {
    if (!this.connection.isProven) this.#serverContext.connectionLimits.proved(this.connection);
  }

  /** The client disconnected, or the connection was ended: there is no answer to give any more. */
  get isClosed(): boolean {
    return this.reply.raw.destroyed;
  }

  /**
   * The request is complete, and takes a place until it is over. Throws if the owner has too many. Not once it is
   * closed: nothing would take it off again.
   */
  takePlace(owner: string): void {
    this.#serverContext.concurrencyLimit.enter(owner);
    this.#placeOf = owner;
  }

  /** The request takes memory until it is over. */
  keepMemory(release: () => void): void {
    this.#releaseMemory = release;
    this.#giveBackIfOver();
  }

  /**
   * From now on the request is over only when its work has ended too. Otherwise a client that sends much and leaves,
   * again and again, would cause any amount of work at once.
   */
  beginWork(): void {
    this.#isWorkedOn = true;
  }

  endWork(): void {
    this.#isWorkedOn = false;
    this.#giveBackIfOver();
  }

  #giveBackIfOver(): void {
    if (!this.#hasEnded || this.#isWorkedOn) return;
    const release = this.#releaseMemory;
    const owner = this.#placeOf;
    this.#releaseMemory = undefined;
    this.#placeOf = undefined;
    release?.();
    if (owner !== undefined) this.#serverContext.concurrencyLimit.leave(owner);
  }

  /** Called before every answer: decides whether the connection stays open after it. */
  prepareAnswer(mustClose = false): void {
    const { reply, connection } = this;
    if (mustClose || hasMuchUnread(this.request)) {
      reply.header('connection', 'close');
      closeAfterAnswer(reply.raw, connection, this.#serverContext.lingerMs);
    } else if (this.#mayClose() && connection.unanswered + connection.waiting.length === 1) {
      reply.header('connection', 'close');
    }
  }

  /**
   * The answer stays open and is the last of its connection. From now on it counts neither as under way nor as
   * unanswered, so that it takes no other call's place and a server that stops does not wait for it.
   */
  beginStream(): void {
    this.reply.header('connection', 'close');
    this.connection.closing = true;
    if (!this.#end()) return;
    const elapsedMs = this.#serverContext.monotonicMs() - this.#startedMs;
    this.#operation.metrics.record(STREAM_STATUS, elapsedMs);
  }

  /** Writes a part of an answer that has begun. Resolves when most of it is sent, or the client is gone. */
  async writePart(part: Buffer): Promise<void> {
    const { raw } = this.reply;
    const hasRoom = raw.write(part);
    this.noteUnread();
    if (hasRoom || raw.destroyed) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        raw.off('drain', end).off('close', end);
        resolve();
      };
      raw.on('drain', end).on('close', end);
    });
    this.noteUnread();
  }

  /** Called after every answer: bounds the bytes that the client has not read yet. */
  noteUnread(): void {
    this.#serverContext.unreadAnswers.note(this.connection);
  }

  #mayClose(): boolean {
    const { isDraining, connectionLimits } = this.#serverContext;
    return isDraining() || connectionLimits.isBusy;
  }

  fail(error: unknown): void {
    const { reply } = this;
    if (error instanceof ClientGone || reply.sent || reply.raw.headersSent) {
      // The client is gone, or an answer was already sent and cannot be taken back.
      this.#error ??= error;
      reply.drop();
      return;
    }
    const refusal = expectedRefusal(error);
    this.#error = refusal !== undefined && refusal === error ? refusal.cause : error;
    this.#answerFailure(refusal ?? refuse('INTERNAL_ERROR'));
  }

  #answerFailure(refusal: Refusal): void {
    const { data } = refusal.detail;
    const furtherData =
      data === undefined ? undefined : this.#serverContext.renderRefusalData(data);
    // Waiting for the rest of a slow request would keep the connection busy.
    this.prepareAnswer(refusal.code === 'REQUEST_TIMEOUT');
    this.reply
      .code(REFUSALS[refusal.code].status)
      .headers(errorHeaders(refusal))
      .send(JSON.stringify(errorBody(refusal, this.id, furtherData)));
    this.noteUnread();
  }

  /** The answer is given or not wanted. Returns false if that was said before: each request is taken off once. */
  #end(): boolean {
    if (this.#hasEnded) return false;
    this.#hasEnded = true;
    this.#serverContext.connections.end(this.connection);
    this.#giveBackIfOver();
    return true;
  }

  #close(): void {
    if (!this.#end()) return;
    const { monotonicMs, unreadAnswers } = this.#serverContext;
    unreadAnswers.forget(this.connection);
    const elapsedMs = monotonicMs() - this.#startedMs;
    const { raw } = this.reply;
    const status = raw.writableFinished ? raw.statusCode : CLIENT_GONE_STATUS;
    this.#operation.metrics.record(status, elapsedMs);
    if (status >= 400 || elapsedMs > SLOW_MS || this.#serverContext.logger.writesDebug) {
      this.#log(status, elapsedMs);
    }
  }

  #log(status: number, elapsedMs: number): void {
    const { logger } = this.#serverContext;
    const actor = this.caller?.actor;
    const fields: LogFields = {
      requestId: this.id,
      method: this.request.method,
      route: this.#operation.pattern,
      status,
      elapsedMs: Math.round(elapsedMs),
      address: this.address,
      bookId: this.caller?.book?.id,
      keyId: actor?.kind === 'key' ? actor.id : undefined,
      personId: actor?.kind === 'person' ? actor.id : undefined,
      err: this.#error,
    };
    if (status >= 500) logger.error(fields, 'request failed');
    else if (elapsedMs > SLOW_MS) logger.warn(fields, 'request was slow');
    else if (status < 400 || status === CLIENT_GONE_STATUS) logger.debug(fields, 'request served');
    // telemetry/log-kind.ts logs only a few of these lines for requests without a valid key.
    else logger.info(fields, 'request refused');
  }
}
