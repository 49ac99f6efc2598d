import Fastify, { type FastifyInstance } from 'fastify';
import { refuse } from '../domain/refusal.ts';
import type { KeyAuthenticator } from '../merchants/authenticated-key.ts';
import type { SessionFinder } from '../people/session.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { CONSOLE_PATH, type ConsoleFiles } from './console/console-files.ts';
import { consolePages } from './console/console-pages.ts';
import { guardOperations, type Operations } from './guard-operations.ts';
import { readApiDocuments } from './server/api-documents.ts';
import { ApiKeyGuard } from './server/api-key-guard.ts';
import { type BodyBudgets, type BudgetLimits, createBodyBudgets } from './server/body-budget.ts';
import { createAddressReader } from './server/client-address.ts';
import {
  ConcurrencyLimit,
  REQUESTS_OF_KEY_MAX,
  REQUESTS_UNDER_WAY_MAX,
} from './server/concurrency-limit.ts';
import { ConnectionLimits } from './server/connection-limits.ts';
import { Connections } from './server/connections.ts';
import { drainApp } from './server/drain-app.ts';
import { FastPathReply, FastPaths } from './server/fast-path.ts';
import {
  HttpExchange,
  type ObservedOperation,
  type ServerContext,
} from './server/http-exchange.ts';
import { LongRequests } from './server/long-requests.ts';
import { MemoryMonitor, type ProcessMemory } from './server/memory-monitor.ts';
import { createNodeServer } from './server/node-server.ts';
import { OpenStreams } from './server/open-streams.ts';
import { PAGES_AT_ONCE_MAX, PageQueue } from './server/page-queue.ts';
import { failUnrouted } from './server/raw-error-response.ts';
import {
  CALLBACK_METHODS,
  CALLBACK_PATH,
  type CallbackReceiver,
  serveCallbacks,
} from './server/serve-callbacks.ts';
import { serveOperation } from './server/serve-operation.ts';
import { serveEverythingElse, servePages } from './server/serve-pages.ts';
import {
  PATH_PARAMETER_LENGTH_MAX,
  SERVER_LIMITS,
  type ServerLimits,
} from './server/server-limits.ts';
import { type ServicePage, servicePages } from './server/service-pages.ts';
import { UnreadAnswers } from './server/unread-answers.ts';

export type HttpServerDeps = Readonly<{
  operations: Operations;
  /** Undefined: the server takes no key. */
  authenticator: KeyAuthenticator | undefined;
  /** Undefined: the server takes no session, and has no operations for people. */
  findSession: SessionFinder | undefined;
  now: () => Date;
  metrics: Pick<Metrics, 'operation' | 'render'>;
  logger: Logger;
  monotonicMs: () => number;
  newRequestId: () => string;
  /** For the readiness probe. A rejection or a late answer means "not ready". */
  databaseAnswers: () => Promise<boolean>;
  /** For readiness: rejects while nothing can be stored. */
  databaseWrites: () => Promise<void>;
  /** What the process has of memory; tests have their own. */
  memory: ProcessMemory;
  /** Receives operators' callbacks. Undefined: there is no path for them. */
  callbacks: CallbackReceiver | undefined;
  /** Undefined: there is no console. */
  consoleFiles: ConsoleFiles | undefined;
  /** Renders what use cases put into `data` of a refusal, such as a domain transfer, as JSON. */
  renderRefusalData?: (data: Readonly<Record<string, unknown>>) => object;
}>;

export type HttpServerOptions = Readonly<{
  /** Requests per second for each key; 0 means no limit. */
  rateLimitPerSecond: number;
  metricsToken?: string | undefined;
  /** CIDR ranges of the proxies whose X-Forwarded-For is trusted. */
  trustedProxies?: readonly string[];
  requestsUnderWayMax?: number;
  requestsOfKeyMax?: number;
  limits?: Partial<ServerLimits>;
  bodyBudgets?: Partial<Record<keyof BodyBudgets, BudgetLimits>>;
}>;

export type HttpServer = Readonly<{
  app: FastifyInstance;
  /** Resolves with the port, which the system chooses if 0 is given. */
  listen(place: Readonly<{ host: string; port: number }>): Promise<number>;
  /**
   * Stops the server: requests under way finish, new ones get 503, then every connection is closed. Always ends by the
   * deadline.
   */
  drain(): Promise<void>;
}>;

export function createServer(deps: HttpServerDeps, options: HttpServerOptions): HttpServer {
  const limits = { ...SERVER_LIMITS, ...options.limits };
  const connections = new Connections();
  const addresses = createAddressReader(options.trustedProxies ?? []);
  let draining: Promise<void> | undefined;
  let checks: NodeJS.Timeout | undefined;
  const serverContext: ServerContext = {
    connections,
    connectionLimits: new ConnectionLimits(limits.counts, addresses.isProxy),
    unreadAnswers: new UnreadAnswers(limits.unreadBytesMax),
    streams: new OpenStreams(limits.streams),
    addresses,
    bodyBudgets: createBodyBudgets(deps.monotonicMs, options.bodyBudgets),
    longRequests: new LongRequests(limits),
    pageQueue: new PageQueue(
      PAGES_AT_ONCE_MAX,
      () => deps.monotonicMs() - connections.openedAtMs < OPENING_MS,
    ),
    concurrencyLimit: new ConcurrencyLimit(
      options.requestsUnderWayMax ?? REQUESTS_UNDER_WAY_MAX,
      options.requestsOfKeyMax ?? REQUESTS_OF_KEY_MAX,
    ),
    logger: deps.logger,
    monotonicMs: deps.monotonicMs,
    lingerMs: limits.lingerMs,
    isDraining: () => draining !== undefined,
    renderRefusalData: deps.renderRefusalData ?? ((data) => data),
  };
  const fastPaths = new FastPaths();
  const memory = new MemoryMonitor({
    ...deps.memory,
    callsBegun: () => serverContext.concurrencyLimit.entered,
    monotonicMs: deps.monotonicMs,
  });
  const app = createApp(deps, serverContext, { limits, fastPaths, memory });
  serverContext.longRequests.attach(app.server);
  const { authenticator, callbacks } = deps;
  const { rateLimitPerSecond } = options;
  const keys =
    authenticator === undefined
      ? undefined
      : new ApiKeyGuard({ ...deps, authenticator, rateLimitPerSecond });
  const served: { method: string; path: string }[] = [];
  guardOperations(deps.operations, { ...deps, keys }, (operation) => {
    serveOperation(app, { ...deps, serverContext, fastPaths }, operation);
    served.push({ method: operation.route.method, path: operation.pattern });
  });
  const pages = listPages(deps, serverContext, options);
  const serving = { serverContext, metrics: deps.metrics };
  servePages(app, serving, pages);
  served.push(...pages.map(({ path }) => ({ method: 'GET', path })));
  if (callbacks !== undefined) {
    serveCallbacks(app, serving, callbacks);
    served.push(...CALLBACK_METHODS.map((method) => ({ method, path: CALLBACK_PATH })));
  }
  serveEverythingElse(app, serving, served);
  return {
    app,
    async listen(place) {
      checks = setInterval(() => {
        memory.check();
        for (const budget of Object.values(serverContext.bodyBudgets)) budget.endSlow();
      }, limits.checkIntervalMs).unref();
      await app.listen({ ...place, backlog: limits.backlog });
      const address = app.server.address();
      return typeof address === 'object' && address !== null ? address.port : place.port;
    },
    drain() {
      if (draining !== undefined) return draining;
      draining = drainApp(app, connections, limits).finally(() => clearInterval(checks));
      serverContext.streams.close();
      return draining;
    },
  };
}

function listPages(
  deps: HttpServerDeps,
  { isDraining }: ServerContext,
  { metricsToken }: HttpServerOptions,
): readonly ServicePage[] {
  const { consoleFiles: files, authenticator, monotonicMs } = deps;
  // Where there are no keys there are only people.
  const startPath = authenticator === undefined ? CONSOLE_PATH : '/docs';
  const documents = readApiDocuments();
  return [
    ...servicePages({ ...deps, isDraining, metricsToken, documents, startPath }),
    ...(files === undefined ? [] : consolePages({ files, monotonicMs })),
  ];
}

function createApp(
  deps: HttpServerDeps,
  serverContext: ServerContext,
  {
    limits,
    fastPaths,
    memory,
  }: Readonly<{ limits: ServerLimits; fastPaths: FastPaths; memory: MemoryMonitor }>,
): FastifyInstance {
  const { concurrencyLimit } = serverContext;
  const refused = deps.metrics.operation('refusedOnArrival');
  const unreadable: ObservedOperation = {
    pattern: '(unreadable)',
    metrics: deps.metrics.operation('unreadable'),
  };
  const app = Fastify({
    logger: false,
    genReqId: deps.newRequestId,
    // While draining, our own 503 carries the envelope; Fastify's would not.
    return503OnClosing: false,
    routerOptions: {
      maxParamLength: PATH_PARAMETER_LENGTH_MAX,
      // Operations read the query themselves, from the URL.
      querystringParser: () => NO_QUERY,
    },
    frameworkErrors(error, request, reply) {
      const short = new FastPathReply(reply.hijack().raw);
      const exchange = new HttpExchange(serverContext, unreadable, { request, reply: short });
      exchange.fail(refuse(error.code === 'FST_ERR_BAD_URL' ? 'BAD_REQUEST' : 'NOT_FOUND'));
    },
    clientErrorHandler: () => undefined,
    serverFactory: (route) =>
      createNodeServer({
        ...serverContext,
        limits,
        newRequestId: deps.newRequestId,
        monotonicMs: deps.monotonicMs,
        handle(request, response) {
          if (memory.isHigh && !isForOperation(request.url)) {
            const { connections } = serverContext;
            const requestId = deps.newRequestId();
            failUnrouted(connections, response, { ...limits, code: 'UNAVAILABLE', requestId });
            refused.record(response.statusCode, 0);
            return;
          }
          if (concurrencyLimit.mustRefuse(request)) {
            concurrencyLimit.refuse(response, deps.newRequestId());
            refused.record(response.statusCode, 0);
            return;
          }
          const listener = fastPaths.find(request) ?? route;
          listener(request, response);
        },
      }),
  });
  app.setErrorHandler((error, request, reply) => {
    new HttpExchange(serverContext, unreadable, { request, reply }).fail(error);
  });
  // The framework must not touch bodies: read-body.ts reads them, after the key was checked.
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY']) {
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }
  return app;
}

/** Health and metrics are answered even when everything else is refused. */
function isForOperation(url = ''): boolean {
  return url.startsWith('/health/') || url === '/metrics';
}

const NO_QUERY = Object.freeze({});
/** A connection opened less than this long ago may be one of many that open together. */
const OPENING_MS = 5;
