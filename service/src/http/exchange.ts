import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { REFUSALS, type Refusal, refuse } from '../domain/refusal.ts';
import type { AuthenticatedKey } from '../merchants/authenticated-key.ts';
import type { LogFields, Logger } from '../telemetry/logger.ts';
import type { OperationMetrics } from '../telemetry/request-metrics.ts';
import type { BodyBudgets } from './body-budget.ts';
import type { AddressReader } from './client-address.ts';
import { ClientGone } from './collect-body.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import { type Connection, type Connections, closeAfterAnswer } from './connections.ts';
import type { Crowd } from './crowd.ts';
import { expectedRefusal, failureBody, failureHeaders } from './failure.ts';
import type { PageTurns } from './page-turns.ts';
import { hasMuchUnread } from './read-body.ts';
import type { UnreadAnswers } from './unread-answers.ts';

/** Requests that take longer are worth a line even when they succeed. */
const SLOW_MS = 1_000;
/** The status in logs and metrics of a request whose client did not wait for the answer. */
const CLIENT_GONE_STATUS = 499;

/** What every request has to do with, whatever it asks for. */
export type Surroundings = Readonly<{
  connections: Connections;
  connectionLimits: ConnectionLimits;
  unreadAnswers: UnreadAnswers;
  addresses: AddressReader;
  crowd: Crowd;
  bodyBudgets: BodyBudgets;
  pageTurns: PageTurns;
  logger: Logger;
  monotonicMs: () => number;
  lingerMs: number;
  isDraining: () => boolean;
  renderRefusalData: (data: Readonly<Record<string, unknown>>) => object;
}>;

/** What the request turned out to ask for: a name for metrics, a pattern for logs. */
export type Operation = Readonly<{ pattern: string; metrics: OperationMetrics }>;

/** What is needed of a request; the framework's has it. */
export type ExchangeRequest = Readonly<{
  id: string;
  raw: IncomingMessage;
  headers: IncomingHttpHeaders;
  method: string;
}>;

/** What is needed of a reply; the framework's has it. */
export interface ExchangeReply {
  readonly raw: ServerResponse;
  readonly sent: boolean;
  code(status: number): ExchangeReply;
  header(name: string, value: string): ExchangeReply;
  headers(headers: Readonly<Record<string, string>>): ExchangeReply;
  send(text: string | Buffer): unknown;
  hijack(): unknown;
}

/** One request and its answer: its id, its place in logs and metrics, and how it fails. */
export class Exchange {
  readonly request: ExchangeRequest;
  readonly reply: ExchangeReply;
  readonly connection: Connection;
  readonly #surroundings: Surroundings;
  readonly #operation: Operation;
  readonly #startedMs: number;
  #error: unknown;
  #workedOnFor: string | undefined;
  /** For the log, once it is known. */
  key: AuthenticatedKey | undefined;

  constructor(
    surroundings: Surroundings,
    operation: Operation,
    { request, reply }: Readonly<{ request: ExchangeRequest; reply: ExchangeReply }>,
  ) {
    this.#surroundings = surroundings;
    this.#operation = operation;
    this.request = request;
    this.reply = reply;
    this.key = undefined;
    this.#workedOnFor = undefined;
    this.#startedMs = surroundings.monotonicMs();
    this.connection = surroundings.connections.of(request.raw.socket);
    surroundings.connections.begin(this.connection, reply.raw);
    reply.raw.on('close', () => this.#close());
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
  }

  /** The client's address, for limits and lists. */
  get address(): string {
    const { addresses } = this.#surroundings;
    return addresses.read(this.connection.address, this.request.headers['x-forwarded-for']);
  }

  /** The client has shown a valid key or token. */
  prove(): void {
    if (!this.connection.isProven) this.#surroundings.connectionLimits.proved(this.connection);
  }

  /** The request is complete, and counts until its answer. Throws when there are too many of the key. */
  beginWork(keyId: string): void {
    this.#surroundings.crowd.enter(keyId);
    this.#workedOnFor = keyId;
  }

  /** Before every answer: whether the connection lives on after it. */
  prepareAnswer(mustClose = false): void {
    const { reply, connection } = this;
    if (mustClose || hasMuchUnread(this.request.raw)) {
      reply.header('connection', 'close');
      closeAfterAnswer(reply.raw, connection, this.#surroundings.lingerMs);
    } else if (this.#mayClose() && connection.unanswered + connection.waiting.length === 1) {
      reply.header('connection', 'close');
    }
  }

  /** After every answer: what the client has not taken yet must not become too much. */
  noteUnread(): void {
    this.#surroundings.unreadAnswers.note(this.connection);
  }

  #mayClose(): boolean {
    const { isDraining, connectionLimits } = this.#surroundings;
    return isDraining() || connectionLimits.isCrowded;
  }

  fail(error: unknown): void {
    const { reply } = this;
    if (error instanceof ClientGone || reply.sent || reply.raw.headersSent) {
      // There is nobody to answer, or no way to take back what was answered.
      this.#error ??= error;
      reply.hijack();
      reply.raw.destroy();
      return;
    }
    const refusal = expectedRefusal(error);
    if (refusal === undefined || refusal !== error) this.#error = error;
    this.#answerFailure(refusal ?? refuse('INTERNAL_ERROR'));
  }

  #answerFailure(refusal: Refusal): void {
    const { data } = refusal.detail;
    const furtherData = data === undefined ? undefined : this.#surroundings.renderRefusalData(data);
    // Waiting for the rest of what came too slowly would hold the connection as before.
    this.prepareAnswer(refusal.code === 'REQUEST_TIMEOUT');
    this.reply
      .code(REFUSALS[refusal.code].status)
      .headers(failureHeaders(refusal))
      .send(JSON.stringify(failureBody(refusal, this.request.id, furtherData)));
    this.noteUnread();
  }

  #close(): void {
    const { connections, crowd, monotonicMs, unreadAnswers } = this.#surroundings;
    connections.end(this.connection);
    unreadAnswers.forget(this.connection);
    if (this.#workedOnFor !== undefined) crowd.leave(this.#workedOnFor);
    const elapsedMs = monotonicMs() - this.#startedMs;
    const { raw } = this.reply;
    const status = raw.writableFinished ? raw.statusCode : CLIENT_GONE_STATUS;
    this.#operation.metrics.record(status, elapsedMs);
    if (status >= 400 || elapsedMs > SLOW_MS || this.#surroundings.logger.writesDebug) {
      this.#log(status, elapsedMs);
    }
  }

  #log(status: number, elapsedMs: number): void {
    const { logger } = this.#surroundings;
    const fields: LogFields = {
      requestId: this.request.id,
      method: this.request.method,
      route: this.#operation.pattern,
      status,
      elapsedMs: Math.round(elapsedMs),
      bookId: this.key?.book.id,
      keyId: this.key?.id,
      err: this.#error,
    };
    if (status >= 500) logger.error(fields, 'request failed');
    else if (elapsedMs > SLOW_MS) logger.warn(fields, 'request was slow');
    else if (status < 400 || status === CLIENT_GONE_STATUS) logger.debug(fields, 'request served');
    // telemetry/log-kind.ts lets few of these lines through where the request has no valid key.
    else logger.info(fields, 'request refused');
  }
}
