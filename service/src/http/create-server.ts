import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createBackgroundLoop } from '../background/background-loop.ts';
import { refuse } from '../domain/refusal.ts';
import type { KeyAuthenticator } from '../merchants/authenticated-key.ts';
import type { BookReader } from '../merchants/read-book.ts';
import type { SessionFinder } from '../people/session.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { CONSOLE_PATH, type ConsoleFiles } from './console/console-files.ts';
import { consolePages } from './console/console-pages.ts';
import { guardOperations, type Operations } from './guard-operations.ts';
import { readApiDocuments } from './server/api-documents.ts';
import { ApiKeyGuard } from './server/api-key-guard.ts';
import { type BodyBudgets, type BudgetLimits, createBodyBudgets } from './server/body-budget.ts';
import { CallQueues, PAGES, UPLOADS, WRITES } from './server/call-queue.ts';
import { createAddressReader } from './server/client-address.ts';
import {
  ConcurrencyLimit,
  REQUESTS_OF_OWNER_MAX,
  REQUESTS_UNDER_WAY_MAX,
} from './server/concurrency-limit.ts';
import { ConnectionLimits } from './server/connection-limits.ts';
import { Connections } from './server/connections.ts';
import { drainServer } from './server/drain-server.ts';
import { HttpExchange, type ServerContext } from './server/http-exchange.ts';
import { LongRequests } from './server/long-requests.ts';
import { MemoryMonitor, type ProcessMemory } from './server/memory-monitor.ts';
import { createNodeServer } from './server/node-server.ts';
import { OpenDownloads } from './server/open-downloads.ts';
import { OpenStreams } from './server/open-streams.ts';
import { failUnrouted } from './server/raw-error-response.ts';
import { Router } from './server/router.ts';
import { type CallbackReceiver, serveCallbacks } from './server/serve-callbacks.ts';
import { serveOperation } from './server/serve-operation.ts';
import { servePages } from './server/serve-pages.ts';
import { SERVER_LIMITS, type ServerLimits } from './server/server-limits.ts';
import { type ServicePage, servicePages } from './server/service-pages.ts';
import { UnreadAnswers } from './server/unread-answers.ts';

export type HttpServerDeps = Readonly<{
  operations: Operations;
  /** Undefined: the server takes no key. */
  authenticator: KeyAuthenticator | undefined;
  /** Undefined: the server takes no session, and has no operations for people. */
  findSession: SessionFinder | undefined;
  /** Undefined: as findSession. */
  readBook: BookReader | undefined;
  now: () => Date;
  metrics: Pick<Metrics, 'operation' | 'render'>;
  logger: Logger;
  monotonicMs: () => number;
  newRequestId: () => string;
  /** For the readiness probe. A rejection or a late answer means "not ready". */
  databaseAnswers: () => Promise<boolean>;
  /** For readiness: rejects while nothing can be stored. */
  databaseWrites: () => Promise<void>;
  /** For readiness: the names of the cells that do not answer, where there are several. */
  cellsDown?: () => readonly string[];
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
  requestsOfOwnerMax?: number;
  limits?: Partial<ServerLimits>;
  bodyBudgets?: Partial<Record<keyof BodyBudgets, BudgetLimits>>;
}>;

export type HttpServer = Readonly<{
  nodeServer: Server;
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
  const isOpening = () => deps.monotonicMs() - connections.openedAtMs < OPENING_MS;
  let draining: Promise<void> | undefined;
  const serverContext: ServerContext = {
    connections,
    connectionLimits: new ConnectionLimits(limits.counts, addresses.isProxy),
    unreadAnswers: new UnreadAnswers(limits.unreadBytesMax),
    streams: new OpenStreams(limits.streams),
    downloads: new OpenDownloads(limits.downloads),
    addresses,
    bodyBudgets: createBodyBudgets(deps.monotonicMs, options.bodyBudgets),
    longRequests: new LongRequests(limits),
    pageQueues: new CallQueues(PAGES, isOpening),
    writeQueues: new CallQueues(WRITES, isOpening),
    uploadQueues: new CallQueues(UPLOADS, isOpening),
    concurrencyLimit: new ConcurrencyLimit(
      options.requestsUnderWayMax ?? REQUESTS_UNDER_WAY_MAX,
      options.requestsOfOwnerMax ?? REQUESTS_OF_OWNER_MAX,
    ),
    logger: deps.logger,
    monotonicMs: deps.monotonicMs,
    newRequestId: deps.newRequestId,
    lingerMs: limits.lingerMs,
    isDraining: () => draining !== undefined,
    renderRefusalData: deps.renderRefusalData ?? ((data) => data),
  };
  const memory = new MemoryMonitor({
    ...deps.memory,
    callsBegun: () => serverContext.concurrencyLimit.entered,
    monotonicMs: deps.monotonicMs,
  });
  const checks = createBackgroundLoop({
    async round() {
      memory.check();
      for (const budget of Object.values(serverContext.bodyBudgets)) budget.endSlow();
      return limits.checkIntervalMs;
    },
    what: 'checking memory and slow bodies',
    logger: deps.logger,
    retryInMs: limits.checkIntervalMs,
    firstInMs: limits.checkIntervalMs,
  });
  async function drainAndStop(): Promise<void> {
    await drainServer(nodeServer, connections, limits);
    await checks.stop();
  }
  const router = createRouter(deps, serverContext);
  const nodeServer = createNodeServer({
    ...serverContext,
    limits,
    isOpening,
    handle: admitTo(router, deps, { serverContext, memory }),
  });
  const { authenticator, callbacks } = deps;
  const { rateLimitPerSecond } = options;
  const keys =
    authenticator === undefined
      ? undefined
      : new ApiKeyGuard({ ...deps, authenticator, rateLimitPerSecond });
  guardOperations(deps.operations, { ...deps, keys }, (operation) => {
    serveOperation(router, { serverContext, metrics: deps.metrics }, operation);
  });
  const serving = { serverContext, metrics: deps.metrics };
  servePages(router, serving, listPages(deps, serverContext, options));
  if (callbacks !== undefined) serveCallbacks(router, serving, callbacks);
  return {
    nodeServer,
    async listen(place) {
      checks.start();
      nodeServer.listen({ ...place, backlog: limits.backlog });
      await once(nodeServer, 'listening');
      const address = nodeServer.address();
      return typeof address === 'object' && address !== null ? address.port : place.port;
    },
    drain() {
      if (draining !== undefined) return draining;
      draining = drainAndStop();
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
  const isForPeople = deps.findSession !== undefined;
  return [
    ...servicePages({ ...deps, isDraining, metricsToken, documents, startPath, isForPeople }),
    ...(files === undefined ? [] : consolePages({ files, monotonicMs })),
  ];
}

function createRouter({ metrics }: HttpServerDeps, serverContext: ServerContext): Router {
  const unreadable = { pattern: '(unreadable)', metrics: metrics.operation('unreadable') };
  const unknown = { pattern: '(unknown)', metrics: metrics.operation('unknown') };
  const router = new Router({
    // Neither an unknown path nor a method that a path does not take requires a key.
    unknown(request, response) {
      const exchange = new HttpExchange(serverContext, unknown, { request, response });
      const methods = router.methodsAt(request.url ?? '/');
      if (methods.length > 0) exchange.reply.header('allow', methods.join(', '));
      exchange.fail(refuse(methods.length > 0 ? 'METHOD_NOT_ALLOWED' : 'NOT_FOUND'));
    },
    undecodable(request, response) {
      const exchange = new HttpExchange(serverContext, unreadable, { request, response });
      exchange.fail(refuse('BAD_REQUEST'));
    },
    overlong(request, response) {
      const exchange = new HttpExchange(serverContext, unreadable, { request, response });
      exchange.fail(refuse('NOT_FOUND'));
    },
  });
  return router;
}

/** Refuses what is too much for the process before it is routed. */
function admitTo(
  router: Router,
  { metrics, newRequestId }: HttpServerDeps,
  { serverContext, memory }: Readonly<{ serverContext: ServerContext; memory: MemoryMonitor }>,
): (request: IncomingMessage, response: ServerResponse) => void {
  const { concurrencyLimit, connections, lingerMs } = serverContext;
  const refused = metrics.operation('refusedOnArrival');
  return (request, response) => {
    if (memory.isHigh && !isForOperation(request.url)) {
      const requestId = newRequestId();
      failUnrouted(connections, response, { code: 'UNAVAILABLE', requestId, lingerMs });
      refused.record(response.statusCode, 0);
      return;
    }
    if (concurrencyLimit.mustRefuse(request)) {
      concurrencyLimit.refuse(response, newRequestId());
      refused.record(response.statusCode, 0);
      return;
    }
    router.route(request, response);
  };
}

/** Health and metrics are answered even when everything else is refused. */
function isForOperation(url = ''): boolean {
  return url.startsWith('/health/') || url === '/metrics';
}

/** A connection opened less than this long ago may be one of many that open together. */
const OPENING_MS = 5;
