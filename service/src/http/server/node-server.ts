import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { RefusalCode } from '../../domain/refusal-codes.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import { ConnectionQueue } from './connection-queue.ts';
import { type Connections, isWorkedOn } from './connections.ts';
import type { LongRequests } from './long-requests.ts';
import { failConnection, failUnrouted } from './raw-error-response.ts';
import { RequestQueue } from './request-queue.ts';
import { HEADER_BYTES_MAX, HEADERS_MAX, type ServerLimits } from './server-limits.ts';
import type { UnreadAnswers } from './unread-answers.ts';

type NodeServerDeps = Readonly<{
  connections: Connections;
  connectionLimits: ConnectionLimits;
  unreadAnswers: UnreadAnswers;
  longRequests: LongRequests;
  limits: ServerLimits;
  newRequestId: () => string;
  monotonicMs: () => number;
  /** Whether a connection was opened within the last milliseconds. */
  isOpening: () => boolean;
  /** Called for every request that is sound enough to be routed. */
  handle: (request: IncomingMessage, response: ServerResponse) => void;
}>;

/** Creates the Node server with the limits on sockets and headers that apply before routing. */
export function createNodeServer(deps: NodeServerDeps): Server {
  const { limits } = deps;
  const server = createHttpServer({
    maxHeaderSize: HEADER_BYTES_MAX,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: limits.checkIntervalMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    insecureHTTPParser: false,
    // Node would answer without our envelope: begin() below checks the header itself.
    requireHostHeader: false,
    noDelay: true,
  });
  server.maxConnections = limits.connectionsMax;
  server.setTimeout(limits.inactivityTimeoutMs, (socket) => closeIfSilent(socket, deps));
  // Above a maximum Node would silently ignore headers: begin() counts them all instead.
  server.maxHeadersCount = 0;
  const queue = new RequestQueue(deps.connections, limits.queue, {
    begin: (request, response) => begin(deps, request, response),
    isOpening: deps.isOpening,
  });
  const listener = (request: IncomingMessage, response: ServerResponse) =>
    queue.accept(deps.connections.of(request.socket), request, response);
  const turns = new ConnectionQueue(deps.monotonicMs);
  server.on('connection', (socket: Socket) => {
    const connection = deps.connections.of(socket);
    deps.connections.openedAtMs = deps.monotonicMs();
    turns.opened(connection);
    deps.connectionLimits.opened(connection);
    socket.once('close', () => {
      deps.connectionLimits.closed(connection);
      deps.unreadAnswers.forget(connection);
    });
  });
  server.on('request', listener);
  // The body reader sends 100 Continue once the request has passed all other checks.
  server.on('checkContinue', listener);
  // An unknown expectation is ignored; the request gets its usual answer.
  server.on('checkExpectation', listener);
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    // Node has removed its own listeners: without this one, a reset of the connection would end the process.
    socket.on('error', () => socket.destroy());
    fail(deps, socket, 'METHOD_NOT_ALLOWED', { allow: 'GET, HEAD, POST' });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    // The queue has stopped the parser, and ends the connection after the last answer.
    else if (deps.connections.of(socket).isFull) return;
    else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
      const end = () => fail(deps, socket, 'REQUEST_TIMEOUT');
      deps.longRequests.endLate({ socket, end });
    } else fail(deps, socket, REFUSAL_BY_ERROR[error.code ?? ''] ?? 'BAD_REQUEST');
  });
  return server;
}

/**
 * Timers run before sockets are read: after a pause of the process the client's next request may have arrived in time
 * and wait in the kernel. To close such a connection would lose it without an answer.
 */
function closeIfSilent(socket: Socket, { connections }: NodeServerDeps): void {
  const { bytesRead } = socket;
  setImmediate(() => {
    // What writes the answer starts the timer again.
    if (socket.bytesRead === bytesRead && !isWorkedOn(connections.of(socket))) socket.destroy();
  });
}

const REFUSAL_BY_ERROR: Readonly<Record<string, RefusalCode>> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'BODY_TOO_LARGE',
};

function begin(deps: NodeServerDeps, request: IncomingMessage, response: ServerResponse): void {
  if (deps.connections.of(request.socket).closing) return;
  const isTooLarge = request.rawHeaders.length > 2 * HEADERS_MAX;
  if (isTooLarge || !isSound(request)) {
    failUnrouted(deps.connections, response, {
      code: isTooLarge ? 'HEADERS_TOO_LARGE' : 'BAD_REQUEST',
      requestId: deps.newRequestId(),
      lingerMs: deps.limits.lingerMs,
    });
    return;
  }
  const { url = '/' } = request;
  if (!url.startsWith('/')) request.url = originForm(url);
  deps.handle(request, response);
}

/**
 * Refuses what the parser accepts although a proxy in front of us may interpret it differently: no Host or two of them,
 * a transfer encoding other than chunked, and HTTP/0.9, which has no headers.
 */
function isSound({ headers, rawHeaders, httpVersion }: IncomingMessage): boolean {
  const encoding = headers['transfer-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked') return false;
  // HTTP/1.0 does not require Host.
  if (headers.host === undefined) return httpVersion === '1.0';
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return false;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === HOST_LENGTH && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1;
}

const HOST_LENGTH = 4;

/** Proxies send the whole URL, `GET http://host/path`; `OPTIONS *` has no path at all. */
function originForm(target: string): string {
  const path = /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1];
  if (path === undefined) return `/${target}`;
  return path.startsWith('/') ? path : `/${path}`;
}

function fail(
  deps: NodeServerDeps,
  socket: Duplex,
  code: RefusalCode,
  headers: Readonly<Record<string, string>> = {},
): void {
  failConnection(deps.connections, socket, {
    code,
    headers,
    requestId: deps.newRequestId(),
    lingerMs: deps.limits.lingerMs,
  });
}
