import {
  ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as sendHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as sendHttps } from 'node:https';
import type { Socket } from 'node:net';
import { type ExactJson, readExactJson } from './exact-json.ts';
import { readRetryAfter } from './retry-after.ts';
import type { SendWindow } from './send-window.ts';
import { keepAnswer, type WireRecord } from './wire-record.ts';

/** Operators' answers are small; a larger one is not accepted. */
const ANSWER_BYTES_MAX = 256 * 1_024;
const STATUS_MIN = 100;
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
 * The result of a request. `notSent` is a promise: the connection was never established, so no byte of the request left
 * this machine. Every other request without an answer is `lost`: it may have arrived.
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
 *
 * It uses node:http rather than fetch: only its sockets tell whether the connection was established before it failed.
 */
export function createOperatorWire(options: WireOptions): OperatorWire {
  const base = new URL(options.baseUrl);
  const secure = base.protocol === 'https:';
  const agentOptions = {
    keepAlive: true,
    maxSockets: options.connectionsMax,
    timeout: KEEP_ALIVE_MS,
    scheduling: 'lifo',
  } as const;
  // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment has no effect.
  const agent = secure
    ? new HttpsAgent({ ...agentOptions, rejectUnauthorized: true })
    : new HttpAgent(agentOptions);
  const prefix = base.pathname.replace(/\/$/, '');
  return {
    send: (request) =>
      exchange(options, request, {
        agent,
        base,
        prefix,
        secure,
        keeps: options.keepsConnections ?? true,
      }),
    close() {
      // A socket in use may still receive its answer; it closes after its idle time.
      for (const idle of Object.values(agent.freeSockets))
        idle?.forEach((socket) => socket.destroy());
    },
  };
}

type Line = Readonly<{
  agent: HttpAgent | HttpsAgent;
  base: URL;
  prefix: string;
  secure: boolean;
  keeps: boolean;
}>;

async function exchange(
  { secrets, monotonicMs }: WireOptions,
  request: WireRequest,
  line: Line,
): Promise<WireAnswer> {
  const startedMs = monotonicMs();
  const record = (httpStatus: number | null, answer: string): WireRecord => ({
    request: `${request.method} ${request.path.split('?', 1)[0] ?? ''}`,
    httpStatus,
    answer: keepAnswer(answer, secrets()),
    elapsedMs: Math.round(monotonicMs() - startedMs),
  });
  const ended = isTooLate(request) ? TOO_LATE : await transmit(request, line);
  if (ended.kind !== 'answered') return { ...ended, record: record(null, ended.cause) };
  const { status, text } = ended;
  const retryMs = DEFERRING_STATUSES.includes(status) ? readRetryAfter(ended.headers) : null;
  return {
    ...ended,
    ...(retryMs === null ? {} : { retryInMs: retryMs }),
    json: readExactJson(text),
    record: record(status, text),
  };
}

/** Too many requests, and unavailable: with other statuses Retry-After has other meanings. */
const DEFERRING_STATUSES: readonly number[] = [429, 503];

const TOO_LATE: Ended = { kind: 'notSent', cause: 'the time to send it was over' };

function isTooLate({ mayStillSend }: WireRequest): boolean {
  return mayStillSend !== undefined && !mayStillSend();
}

type Ended =
  | Readonly<{
      kind: 'answered';
      status: number;
      headers: Readonly<Record<string, string>>;
      text: string;
    }>
  | Readonly<{ kind: 'notSent' | 'lost'; cause: string }>;

/** Sends one request. It ends exactly once, by its deadline at the latest. */
function transmit(request: WireRequest, line: Line): Promise<Ended> {
  return new Promise((resolve) => {
    let written = false;
    let answering = false;
    const outgoing = open(request, line);
    if (!(outgoing instanceof ClientRequest)) return resolve({ kind: 'notSent', cause: outgoing });
    // Also keeps the agent from giving the connection to a waiting request.
    if (!line.keeps) outgoing.shouldKeepAlive = false;
    const end = (ended: Ended): void => {
      clearTimeout(deadline);
      resolve(ended);
    };
    const fail = (cause: string): void => end({ kind: written ? 'lost' : 'notSent', cause });
    const deadline = setTimeout(() => {
      fail(`no answer within ${request.timeoutMs} ms`);
      outgoing.destroy();
    }, request.timeoutMs);
    outgoing.on('error', (error) => fail(causeOf(error)));
    outgoing.on('close', () => {
      // The socket also closes after a whole answer, just before the last of it has been read.
      if (!answering) fail('the connection ended before the answer did');
    });
    // Not before the connection is established, which may take long: otherwise Node would buffer the bytes and write
    // them later. So no time passes between the check of the window and the write.
    const write = (): void => {
      if (isTooLate(request)) {
        end(TOO_LATE);
        outgoing.destroy();
        return;
      }
      written = true;
      outgoing.end(request.body ?? undefined);
    };
    outgoing.on('socket', (socket: Socket) => {
      // A socket from the pool is already connected; a new one emits an event once it is.
      if (!socket.connecting) write();
      else socket.once(line.secure ? 'secureConnect' : 'connect', write);
    });
    outgoing.on('response', (response) => {
      answering = true;
      readAnswer(response).then(end, (error: unknown) => {
        fail(error instanceof Error ? causeOf(error) : 'the answer could not be read');
        outgoing.destroy();
      });
    });
  });
}

/** The request before anything of it is sent, or the reason why it is invalid. */
function open(request: WireRequest, { agent, base, prefix, secure }: Line): ClientRequest | string {
  try {
    return (secure ? sendHttps : sendHttp)({
      agent,
      // A URL has brackets around an IPv6 address; a socket needs it without.
      host: base.hostname.replace(/^\[|\]$/g, ''),
      port: base.port,
      method: request.method,
      path: prefix + request.path,
      headers: withLength(request),
    });
  } catch (error) {
    // A character that is not allowed in a header or path: Node refuses it before it connects.
    return error instanceof Error ? causeOf(error) : 'the request cannot be written';
  }
}

/** Some gateways refuse a POST without a length, even one without a body. */
function withLength({ method, headers, body }: WireRequest): Record<string, string> {
  if (method === 'GET' && body === null) return { ...headers };
  return { ...headers, 'content-length': String(Buffer.byteLength(body ?? '')) };
}

/** By events: an iterator over a stream costs more than everything else of a small answer. */
function readAnswer(response: IncomingMessage): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const { statusCode: status = 0 } = response;
    // Node accepts any three digits; no valid status begins with a zero.
    if (status < STATUS_MIN) return reject(new Error('the answer has no status'));
    const chunks: Buffer[] = [];
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= ANSWER_BYTES_MAX) chunks.push(chunk);
      else reject(new Error(`the answer is over ${ANSWER_BYTES_MAX} bytes`));
    });
    const cutOff = () => reject(new Error('the answer was cut off'));
    response.on('end', () => {
      if (!response.complete) return cutOff();
      const text = Buffer.concat(chunks).toString('utf8');
      resolve({ kind: 'answered', status, headers: flatHeaders(response), text });
    });
    response.on('error', reject);
    response.on('close', cutOff);
  });
}

function flatHeaders(response: IncomingMessage): Record<string, string> {
  const entries = Object.entries(response.headersDistinct);
  return Object.fromEntries(entries.map(([name, values]) => [name, (values ?? []).join(', ')]));
}

/** Codes such as ECONNREFUSED; never a message, which could contain what was sent. */
function causeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
