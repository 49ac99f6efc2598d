import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import type { RefusalCode } from '../domain/refusal.ts';
import type { Connections } from './connections.ts';
import { failConnection, failUnrouted } from './raw-failure.ts';
import { HEADER_BYTES_MAX, HEADERS_MAX, type ServerLimits } from './server-limits.ts';

type NodeServerDeps = Readonly<{
  connections: Connections;
  limits: ServerLimits;
  newRequestId: () => string;
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
    // Node would answer without our envelope: accept() below looks for the header itself.
    requireHostHeader: false,
    noDelay: true,
  });
  server.maxConnections = limits.connectionsMax;
  server.setTimeout(limits.inactivityTimeoutMs);
  // Beyond a maximum Node would pass over headers in silence: accept() counts them all instead.
  server.maxHeadersCount = 0;
  const listener = (request: IncomingMessage, response: ServerResponse) =>
    accept(deps, request, response);
  server.on('request', listener);
  // The body reader asks for the body once the request has passed everything else.
  server.on('checkContinue', listener);
  // An expectation that we do not know is not met, and needs no answer of its own.
  server.on('checkExpectation', listener);
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    fail(deps, socket, 'METHOD_NOT_ALLOWED', { allow: 'GET, HEAD, POST' });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else fail(deps, socket, REFUSAL_BY_ERROR[error.code ?? ''] ?? 'BAD_REQUEST');
  });
  return server;
}

const REFUSAL_BY_ERROR: Readonly<Record<string, RefusalCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'BODY_TOO_LARGE',
};

function accept(deps: NodeServerDeps, request: IncomingMessage, response: ServerResponse): void {
  if (deps.connections.of(request.socket).closing) return;
  // HTTP/1.0 knows no Host.
  const lacksHost = request.headers.host === undefined && request.httpVersion === '1.1';
  if (lacksHost || request.rawHeaders.length > 2 * HEADERS_MAX) {
    failUnrouted(deps.connections, response, {
      code: lacksHost ? 'BAD_REQUEST' : 'HEADERS_TOO_LARGE',
      requestId: deps.newRequestId(),
      lingerMs: deps.limits.lingerMs,
    });
    return;
  }
  const { url = '/' } = request;
  if (!url.startsWith('/')) request.url = originForm(url);
  deps.handle(request, response);
}

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
