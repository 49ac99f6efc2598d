import { randomFillSync, randomUUID } from 'node:crypto';
import { setTimeout as waitMs } from 'node:timers/promises';
import type { Config } from './config.ts';
import { createDispatcher, giveToPerson } from './dispatcher/dispatcher.ts';
import { observeOutcome } from './dispatcher/observe-outcome.ts';
import { createPlaces, type Places } from './dispatcher/places.ts';
import { createRecipientResolver } from './dispatcher/recipient-resolver.ts';
import { createScanner } from './dispatcher/scanner.ts';
import { createUuidV7Source } from './domain/uuid.ts';
import { createServer, type HttpServer } from './http/create-server.ts';
import { listApiRoutes } from './http/list-api-routes.ts';
import { renderRefusalData } from './http/render-refusal-data.ts';
import { createKeyAuthenticator } from './merchants/authenticate-key.ts';
import type { Routes } from './operators/connector.ts';
import { createRoutes } from './operators/routes.ts';
import { createSandboxRoute } from './operators/sandbox/sandbox-route.ts';
import { answers, type Database, isDataFault, openDatabase } from './postgres/database.ts';
import { createGroupCommit, type GroupCommit } from './postgres/group-commit.ts';
import { countUnresolved } from './recipients/count-unresolved.ts';
import { StartRefused } from './start-refused.ts';
import type { Logger } from './telemetry/logger.ts';
import { createMetrics, type Metrics } from './telemetry/metrics.ts';
import { expireLeases } from './transfers/claim-due.ts';
import { commitTransfers } from './transfers/commit-transfers.ts';
import type { Decision } from './transfers/decide-in-order.ts';
import { type Move, moveTransfers } from './transfers/move-transfers.ts';
import type { PreparedTransfer } from './transfers/prepared-transfer.ts';
import { takeCensus } from './transfers/take-census.ts';

/** Connections of one process: writers commit groups, readers serve everything else. */
const WRITERS_MAX = 6;
const READERS_MAX = 8;
/** Past this the answer is 503, and the group's outcome is unknown. */
const COMMIT_DEADLINE_MS = 8_000;

const INITIATE_LANES = 1;
const MOVE_LANES = 1;
/** A whole bulk call fits into one. */
const GROUP_MAX = 1_024;
/** Requests that may wait for a commit: about half a second's worth. The rest is refused at once. */
const INITIATIONS_WAITING_MAX = 4_096;
/** More than there are places, so that an operator's answer is never turned away. */
const MOVES_WAITING_MAX = 100_000;
/** Transfers on their way to operators, in this process. */
const PLACES_MAX = 10_000;
/** What is on its way when the service stops may still arrive; the rest is left to its lease. */
const DISPATCH_DRAIN_MS = 2_000;

export type Service = Readonly<{
  /** Listens; resolves to the port. */
  start(): Promise<number>;
  /** Stops taking requests, finishes what is under way, lets go of the database. */
  stop(): Promise<void>;
}>;

export type ComposeOptions = Readonly<{
  config: Config;
  connectionString: string;
  logger: Logger;
  /** No other process can be using the database: leases that are held belong to the dead. */
  alone: boolean;
}>;

/** What everything else is built from. The real clock, randomness and timers come from here alone. */
type Ground = ComposeOptions &
  Readonly<{
    now: () => Date;
    monotonicMs: () => number;
    wait: (ms: number) => Promise<void>;
    newId: () => string;
    leaseOwner: string;
    metrics: Metrics;
    writes: Database;
    reads: Database;
    routes: Routes;
  }>;

type Lanes = Readonly<{
  initiations: GroupCommit<PreparedTransfer, Decision>;
  moves: GroupCommit<Move, boolean>;
}>;

/** Builds the whole service. Nothing is opened before `start`. */
export function composeService(options: ComposeOptions): Service {
  const ground = layGround(options);
  const lanes = openLanes(ground);
  const places = createPlaces(PLACES_MAX);
  const { dispatcher, scanner } = composeDispatcher(ground, lanes, places);
  const { reads, writes, routes, now, newId, logger, config } = ground;
  const resolver = createRecipientResolver({ database: writes, routes, now, logger });
  const groups = lanes.initiations;
  const newOperatorReference = () => randomUUID();
  const server = composeServer(ground, {
    initiate: { groups, routes, admission: dispatcher, newId, newOperatorReference, now },
    cancel: { database: reads, moves: lanes.moves },
    recipients: { database: reads, routes, newId, now },
    database: reads,
  });
  connectMetrics(ground, lanes, places);
  return {
    async start() {
      if (ground.alone) await expireLeases(writes);
      scanner.start();
      resolver.start();
      return listen(server, config);
    },
    async stop() {
      await server.drain();
      await Promise.all([scanner.stop(), resolver.stop()]);
      await Promise.race([dispatcher.idle(), waitMs(DISPATCH_DRAIN_MS, undefined, { ref: false })]);
      await Promise.all([lanes.initiations.idle(), lanes.moves.idle()]);
      await Promise.all([writes.close(), reads.close()]);
    },
  };
}

async function listen(server: HttpServer, { host, port }: Config): Promise<number> {
  try {
    return await server.listen({ host, port });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (error.code === 'EADDRINUSE') {
      throw new StartRefused(
        `Port ${port} is taken by another program. Stop that, or set PORT to another.`,
        error,
      );
    }
    if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND' || error.code === 'EACCES') {
      throw new StartRefused(
        `Cannot listen at ${host}:${port} (${error.code}). Set HOST to an address of this machine and PORT to one you may use.`,
        error,
      );
    }
    throw error;
  }
}

function layGround(options: ComposeOptions): Ground {
  const { config, logger, connectionString } = options;
  const now = () => new Date();
  const monotonicMs = () => performance.now();
  const wait = (ms: number) => waitMs(ms);
  const open = (name: string, connectionsMax: number, keepPlans: boolean) =>
    openDatabase({
      connectionString,
      applicationName: `kafue ${name} ${process.pid}`,
      connectionsMax,
      keepPlans,
      deadlineMs: COMMIT_DEADLINE_MS,
      onError: (error) => logger.warn({ err: error }, 'a database connection was lost'),
    });
  return {
    ...options,
    now,
    monotonicMs,
    wait,
    newId: createUuidV7Source(Date.now, randomFillSync),
    leaseOwner: randomUUID(),
    metrics: createMetrics({ monotonicMs }),
    writes: open('writer', WRITERS_MAX, true),
    reads: open('reader', READERS_MAX, false),
    routes: createRoutes({
      sandbox: createSandboxRoute({ delayMs: config.sandboxDelayMs, now, wait }),
      live: new Map(),
    }),
  };
}

function openLanes({ writes, leaseOwner, now, monotonicMs, metrics }: Ground): Lanes {
  return {
    initiations: createGroupCommit<PreparedTransfer, Decision>({
      ownerOf: ({ book }) => book.id,
      lanes: INITIATE_LANES,
      groupMax: GROUP_MAX,
      waitingMax: INITIATIONS_WAITING_MAX,
      commit: (group) => commitTransfers({ database: writes, leaseOwner, now }, group),
      mayBeOneCommandsFault: isDataFault,
      observe: metrics.groupCommit('initiate'),
      monotonicMs,
    }),
    moves: createGroupCommit<Move, boolean>({
      ownerOf: ({ transfer }) => transfer.bookId,
      lanes: MOVE_LANES,
      groupMax: GROUP_MAX,
      waitingMax: MOVES_WAITING_MAX,
      commit: (moves) => moveTransfers(writes, { moves, mover: leaseOwner, at: now() }),
      mayBeOneCommandsFault: isDataFault,
      observe: metrics.groupCommit('move'),
      monotonicMs,
    }),
  };
}

function composeDispatcher(ground: Ground, { moves }: Lanes, places: Places) {
  const { reads, writes, now, routes, logger, monotonicMs, wait, leaseOwner, metrics } = ground;
  const deps = {
    database: reads,
    moves,
    now,
    routes,
    places,
    logger,
    monotonicMs,
    wait,
    observe: observeOutcome({ metrics, logger }),
  };
  const dispatcher = createDispatcher(deps);
  const scanner = createScanner({
    database: writes,
    moves,
    dispatcher,
    giveToPerson: (transfer) => giveToPerson(deps, transfer),
    routes,
    places,
    leaseOwner,
    logger,
  });
  return { dispatcher, scanner };
}

function composeServer(ground: Ground, api: Parameters<typeof listApiRoutes>[0]) {
  const { reads, now, monotonicMs, metrics, logger, config } = ground;
  const authenticator = createKeyAuthenticator({
    database: reads,
    now,
    monotonicMs,
    onError: (error) => logger.warn({ err: error }, 'reading a key in the background failed'),
  });
  return createServer(
    {
      routes: listApiRoutes(api),
      authenticator,
      metrics,
      logger,
      monotonicMs,
      newRequestId: () => randomUUID(),
      databaseAnswers: () => answers(reads),
      renderRefusalData,
    },
    { rateLimitPerSecond: config.rateLimitPerSecond, metricsToken: config.metricsToken },
  );
}

function connectMetrics({ metrics, reads }: Ground, lanes: Lanes, places: Places): void {
  metrics.connectSources({
    groupCommitsWaiting: () => ({
      initiate: lanes.initiations.waiting(),
      move: lanes.moves.waiting(),
    }),
    dispatcherPlacesUsed: () => places.used(),
    async takeCensus() {
      const census = await takeCensus(reads);
      return {
        inState: census,
        oldest: census,
        recipientsUnresolved: await countUnresolved(reads),
      };
    },
  });
}
