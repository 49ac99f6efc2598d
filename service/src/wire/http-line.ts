import type { LookupFunction } from 'node:net';
import buildConnector from 'undici/lib/core/connect.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import { Exchange, type ExchangeEnd, type LineRequest } from './exchange.ts';
import { type Connect, Link, type OpenCount } from './link.ts';
import { PooledClient } from './pooled-client.ts';

const HEADER_BYTES_MAX = 16 * 1_024;

export type LineOptions = Readonly<{
  /** Scheme, host and port. */
  origin: string;
  /** Further requests wait for a free connection. Null: there is no limit. */
  connectionsMax: number | null;
  /** Connections that are kept although no request uses them. Default: all. */
  keptMax?: number;
  /** How long an unused connection is kept; a server's Keep-Alive can only shorten it. */
  keepAliveMs: number;
  /** Resolves the host. Default: as the system does. */
  lookup?: LookupFunction;
  /** Certificates to trust instead of the public ones. */
  ca?: string;
}>;

export interface HttpLine {
  /** It never rejects: every failure is a reply. */
  send(request: LineRequest): Promise<ExchangeEnd>;
  /** Requests that have not ended. */
  underWay(): number;
  /** Closes unused connections now, and the others after their answers. Requests can still be sent. */
  close(): void;
  /** Ends everything. Requests under way have no answer then. */
  destroy(): void;
}

/**
 * HTTP/1.1 to one server, over connections that are kept. Each request is written at most once and is never repeated,
 * a redirect is an answer like any other, and no proxy is used.
 *
 * Over HTTP/2, undici would send a request again if the server ends the session; so HTTP/2 is not offered. A
 * second request is not written before the first is answered, since a reset would leave both in doubt.
 */
export function createHttpLine(options: LineOptions): HttpLine {
  const underWay = new Set<Exchange>();
  const { keptMax = Number.POSITIVE_INFINITY } = options;
  const count: OpenCount = { open: 0 };
  let isClosed = false;
  let pool = openPool(options, count);

  return {
    send: (request) =>
      new Promise((resolve) => {
        const exchange: Exchange = new Exchange(request, (reply) => {
          underWay.delete(exchange);
          const unused = count.open - underWay.size;
          if (reply.kind === 'answered' && unused > keptMax) exchange.closeConnection();
          resolve(reply);
        });
        underWay.add(exchange);
        const { method, path, headers, body, keepsConnection = true } = request;
        const order = { method, path, headers, body };
        const keeps = keepsConnection && !isClosed;
        pool.dispatch(keeps ? order : { ...order, reset: true }, exchange);
      }),
    underWay: () => underWay.size,
    close() {
      isClosed = true;
      const left = pool;
      pool = openPool(options, count);
      // It rejects only if everything was destroyed before.
      left.close().catch(() => undefined);
    },
    destroy() {
      isClosed = true;
      for (const exchange of underWay) exchange.giveUp('ECONNRESET');
      void pool.destroy();
    },
  };
}

function openPool(options: LineOptions, count: OpenCount): Pool {
  const { origin, connectionsMax, keepAliveMs, lookup, ca } = options;
  const connect = buildConnector({
    allowH2: false,
    // Each exchange has its own deadline, which ends connecting too.
    timeout: 0,
    // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment has no effect.
    rejectUnauthorized: true,
    ...(lookup === undefined ? {} : { lookup }),
    ...(ca === undefined ? {} : { ca }),
    // It returns the socket, which its type does not say.
  }) as unknown as Connect;
  const clientOptions = {
    allowH2: false,
    pipelining: 1,
    useMilo: false,
    maxHeaderSize: HEADER_BYTES_MAX,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
  } as const;
  return new Pool(origin, {
    ...clientOptions,
    connections: connectionsMax,
    factory: () => new PooledClient(origin, clientOptions, new Link(connect, count)),
  });
}
