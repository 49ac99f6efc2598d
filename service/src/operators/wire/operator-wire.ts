import type { ExchangeEnd, LineRequest } from '../../wire/exchange.ts';
import { createHttpLine, type HttpLine } from '../../wire/http-line.ts';
import { type ExactJson, readExactJson } from './exact-json.ts';
import { readOperatorRetryAfter } from './retry-after.ts';
import type { SendWindow } from './send-window.ts';
import { keepAnswer, type WireRecord } from './wire-record.ts';

/** Operators' answers are small; a larger one is not accepted. */
const ANSWER_BYTES_MAX = 256 * 1_024;
/** Shorter than any operator's own idle limit, so that a kept connection is rarely closed already. */
const KEEP_ALIVE_MS = 4_000;

export type WireRequest = SendWindow &
  Readonly<{
    method: 'GET' | 'POST' | 'PUT';
    /** Relative to the operator's base URL, with its query. */
    path: string;
    headers: Readonly<Record<string, string>>;
    body: string | null;
    timeoutMs: number;
  }>;

/**
 * The result of a request. `notSent` guarantees that no byte of the request was written. Every other request without an
 * answer is `lost`: it may have arrived.
 */
export type WireAnswer =
  | Readonly<{
      kind: 'answered';
      status: number;
      headers: Readonly<Record<string, string>>;
      text: string;
      /** Undefined if the body is not JSON. */
      json: ExactJson | undefined;
      /** For 429 and 503 only: how long the operator asks to wait. Absent if it does not say. */
      retryInMs?: number;
      record: WireRecord;
    }>
  | Readonly<{ kind: 'notSent'; cause: string; record: WireRecord }>
  | Readonly<{ kind: 'lost'; cause: string; record: WireRecord }>;

export interface OperatorWire {
  send(request: WireRequest): Promise<WireAnswer>;
  close(): void;
}

export type WireOptions = Readonly<{
  /** Scheme, host, port and a path prefix. */
  baseUrl: string;
  connectionsMax: number;
  /** What must never be recorded of an answer; read for each request, because tokens change. */
  secrets: () => readonly string[];
  monotonicMs: () => number;
  /** False: each request has its own connection. Default: true. */
  keepsConnections?: boolean;
}>;

/**
 * HTTP to one operator over kept connections: no redirects, bounded answers, and an exact statement of whether anything
 * was sent.
 */
export function createOperatorWire(options: WireOptions): OperatorWire {
  const base = new URL(options.baseUrl);
  const line = createHttpLine({
    origin: base.origin,
    connectionsMax: options.connectionsMax,
    keepAliveMs: KEEP_ALIVE_MS,
  });
  const prefix = base.pathname.replace(/\/$/, '');
  return {
    send: (request) => exchange(options, request, { line, prefix }),
    close: () => line.close(),
  };
}

async function exchange(
  { secrets, monotonicMs, keepsConnections = true }: WireOptions,
  request: WireRequest,
  { line, prefix }: Readonly<{ line: HttpLine; prefix: string }>,
): Promise<WireAnswer> {
  const startedMs = monotonicMs();
  const record = (httpStatus: number | null, answer: string): WireRecord => ({
    request: `${request.method} ${request.path.split('?', 1)[0] ?? ''}`,
    httpStatus,
    answer: keepAnswer(answer, secrets()),
    elapsedMs: Math.round(monotonicMs() - startedMs),
  });
  const order: LineRequest = {
    ...request,
    path: prefix + request.path,
    keepsConnection: keepsConnections,
    readBytesMax: ANSWER_BYTES_MAX,
  };
  // Asked before a connection is made too: none is needed for what may not be sent.
  const reply = isTooLate(request) ? TOO_LATE : await line.send(order);
  if (reply.kind !== 'answered') {
    const cause = describeCode(reply.code, request);
    return { kind: reply.kind, cause, record: record(null, cause) };
  }
  const { status, headers } = reply.head;
  const text = reply.body.toString('utf8');
  const retryMs = DEFERRING_STATUSES.includes(status) ? readOperatorRetryAfter(headers) : null;
  return {
    kind: 'answered',
    status,
    headers,
    text,
    ...(retryMs === null ? {} : { retryInMs: retryMs }),
    json: readExactJson(text),
    record: record(status, text),
  };
}

/** Too many requests, and unavailable: with other statuses Retry-After has other meanings. */
const DEFERRING_STATUSES: readonly number[] = [429, 503];

const TOO_LATE: ExchangeEnd = { kind: 'notSent', code: 'TOO_LATE', wasKept: false };

function isTooLate({ mayStillSend }: WireRequest): boolean {
  return mayStillSend !== undefined && !mayStillSend();
}

/** A code of the system, such as ECONNREFUSED, is recorded as it is. */
function describeCode(code: string, { timeoutMs }: WireRequest): string {
  switch (code) {
    case 'DEADLINE':
      return `no answer within ${timeoutMs} ms`;
    case 'TOO_LATE':
      return 'the time to send it was over';
    case 'INVALID_REQUEST':
      return 'the request has a character that HTTP does not allow';
    case 'NOT_HTTP':
      return 'the answer is not HTTP';
    case 'NO_STATUS':
      return 'the answer has no status';
    case 'ANSWER_TOO_LONG':
      return `the answer is over ${ANSWER_BYTES_MAX} bytes`;
    case 'CUT_OFF':
      return 'the answer was cut off';
    default:
      return code;
  }
}
