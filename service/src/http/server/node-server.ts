import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { RefusalCode } from '../../domain/refusal.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import { ConnectionQueue } from './connection-queue.ts';
import type { Connections } from './connections.ts';
import { failConnection, failUnrouted } from './raw-error-response.ts';
import { RequestQueue } from './request-queue.ts';
import { HEADER_BYTES_MAX, HEADERS_MAX, type ServerLimits } from './server-limits.ts';
import type { UnreadAnswers } from './unread-answers.ts';

type NodeServerDeps = Readonly<{
  connections: Connections;
  connectionLimits: ConnectionLimits;
  unreadAnswers: UnreadAnswers;
  limits: ServerLimits;
  newRequestId: () => string;
  monotonicMs: () => number;
  /** Every request that is sound enough to be routed. */
  handle: (request: IncomingMessage, response: ServerResponse) => void;
}>;

/** Sockets and their limits: what must hold before anybody asks what a request wants. */
export function createNodeServer(deps: NodeServerDeps): Server {
  const { limits } = deps;
  const server = createHttpServer({
    maxHeaderSize: HEADER_BYTES_MAX,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: limits.checkIntervalMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    insecureHTTPParser: false,
    // Node would answer without our envelope: begin() below looks for the header itself.
    requireHostHeader: false,
    noDelay: true,
  });
  server.maxConnections = limits.connectionsMax;
  server.setTimeout(limits.inactivityTimeoutMs);
  // Beyond a maximum Node would pass over headers in silence: begin() counts them all instead.
  server.maxHeadersCount = 0;
  const queue = new RequestQueue(deps.connections, limits.queue, (request, response) =>
    begin(deps, request, response),
  );
  const listener = (request: IncomingMessage, response: ServerResponse) =>
    queue.accept(deps.connections.of(request.socket), request, response);
  const turns = new ConnectionQueue(deps.monotonicMs);
  server.on('connection', (socket: Socket) => {
    const connection = deps.connections.of(socket);
    deps.connections.openedAtMs = deps.monotonicMs();
    deps.connectionLimits.opened(connection);
    turns.opened(connection.address, socket);
    socket.once('close', () => {
      deps.connectionLimits.closed(connection);
      deps.unreadAnswers.forget(connection);
    });
  });
  server.on('request', listener);
  // The body reader asks for the body once the request has passed everything else.
  server.on('checkContinue', listener);
  // An expectation that we do not know is not met, and needs no answer of its own.
  server.on('checkExpectation', listener);
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    // Node has taken its own listeners off: without this one, a reset of the connection ends the process.
    socket.on('error', () => socket.destroy());
    fail(deps, socket, 'METHOD_NOT_ALLOWED', { allow: 'GET, HEAD, POST' });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    // The queue has stopped the parser, and ends the connection after the last answer.
    else if (deps.connections.of(socket).isFull) return;
    else fail(deps, socket, REFUSAL_BY_ERROR[error.code ?? ''] ?? 'BAD_REQUEST');
  });
  return server;
}

const REFUSAL_BY_ERROR: Readonly<Record<string, RefusalCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
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
 * What the parser lets through although a proxy in front of us may understand it in another way: no Host or
 * two of them, a body in another encoding than chunks, and HTTP/0.9, which has no headers.
 */
function isSound({ headers, rawHeaders, httpVersion }: IncomingMessage): boolean {
  const encoding = headers['transfer-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked') return false;
  // HTTP/1.0 knows no Host.
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

/** Proxies write the whole address, `GET http://host/path`; `OPTIONS *` names no path at all. */
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
