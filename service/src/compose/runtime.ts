import { randomFillSync, randomUUID } from 'node:crypto';
import { setTimeout as waitMs } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { createUuidV7Source } from '../domain/uuid.ts';
import { createCredentialKeepers } from '../operator-credentials/keep-credentials.ts';
import type { OperatorConditions } from '../operators/contract/connector.ts';
import type { RouteConfig } from '../operators/route-file/read-routes.ts';
import { createLiveRoutes, type ReloadableRoutes } from '../operators/routes/live-routes.ts';
import type { Routes } from '../operators/routes/route.ts';
import { createRoutes } from '../operators/routes/routes.ts';
import { createStoppedRoutes, type StoppedRoutes } from '../operators/routes/stopped-routes.ts';
import { createSandboxRoute } from '../operators/sandbox/sandbox-route.ts';
import { type CheckPlaces, createCheckPlaces } from '../payout-files/check-places.ts';
import type { ReplayTurn } from '../policies/replay/replay-draft.ts';
import type { ConnectionAdmission } from '../postgres/admit-connections.ts';
import type { Database } from '../postgres/database.ts';
import { sampleLogs } from '../telemetry/log-sampler.ts';
import type { Logger } from '../telemetry/logger.ts';
import { createMetrics, type Metrics } from '../telemetry/metrics.ts';
import type { Sealer } from '../webhooks/seal-secret.ts';
import { createServerAdmission, openDirectory } from './databases.ts';

export type ComposeOptions = Readonly<{
  config: Config;
  /** Where the database is now. */
  connectionString: () => string;
  logger: Logger;
  /** The routes to real operators. */
  liveRoutes: readonly RouteConfig[];
  /** Seals the secrets of webhook endpoints. */
  sealer: Sealer;
  /** Seals the tokens and sessions of operators. */
  credentialSealer: Sealer;
  /** No other process can be using the database, so existing leases belong to processes that died. */
  alone: boolean;
}>;

/** What all cells share. The real clock, randomness and timers come only from here. */
export type Runtime = ComposeOptions &
  Readonly<{
    now: () => Date;
    monotonicMs: () => number;
    wait: (ms: number) => Promise<void>;
    newId: () => string;
    leaseOwner: string;
    metrics: Metrics;
    /** Decides about new connections to the server of the directory. */
    admission: ConnectionAdmission;
    /** People, keys, routes and what else is not of one book. */
    directory: Database;
    /** Called when this process has written to the directory. */
    directoryListeners: Set<() => void>;
    routes: Routes;
    live: ReloadableRoutes;
    stoppedRoutes: StoppedRoutes;
    checkPlaces: CheckPlaces;
    replayTurn: ReplayTurn;
  }>;

export function createRuntime(options: ComposeOptions): Runtime {
  const { config, connectionString } = options;
  const now = () => new Date();
  const monotonicMs = () => performance.now();
  const wait = (ms: number) => waitMs(ms);
  const waitIdly = (ms: number) => waitMs(ms, undefined, { ref: false });
  const logger = sampleLogs({ logger: options.logger, monotonicMs, wait: waitIdly });
  const admission = createServerAdmission({ config, logger });
  const directoryListeners = new Set<() => void>();
  const directory = tellOfTransactions(
    openDirectory({ config, logger }, { connectionString, admission }),
    directoryListeners,
  );
  const stoppedRoutes = createStoppedRoutes();
  const live = createLiveRoutes(
    {
      now,
      monotonicMs,
      wait,
      random: Math.random,
      newUuid: randomUUID,
      keepCredentials: createCredentialKeepers({
        directory,
        sealer: options.credentialSealer,
        wait: waitIdly,
        logger,
      }),
      logger,
      onConditions: (route, conditions) => sayConditions(logger, route, conditions),
      isHeld: stoppedRoutes.isHeld,
      isClosed: stoppedRoutes.isClosed,
    },
    options.liveRoutes,
  );
  return {
    ...options,
    logger,
    live,
    stoppedRoutes,
    now,
    monotonicMs,
    wait,
    newId: createUuidV7Source(Date.now, randomFillSync),
    leaseOwner: randomUUID(),
    metrics: createMetrics({ monotonicMs }),
    admission,
    directory,
    directoryListeners,
    checkPlaces: createCheckPlaces(),
    replayTurn: { isTaken: false },
    routes: createRoutes({
      sandbox: createSandboxRoute({ delayMs: config.sandboxDelayMs, now, wait }),
      live,
    }),
  };
}

function tellOfTransactions(database: Database, listeners: ReadonlySet<() => void>): Database {
  return {
    ...database,
    async transaction(work) {
      const result = await database.transaction(work);
      for (const tell of listeners) tell();
      return result;
    },
  };
}

function sayConditions(logger: Logger, route: string, conditions: OperatorConditions): void {
  if (conditions.kind === 'unreachable') {
    logger.warn({ route }, 'an operator does not say whether it takes payouts');
  } else if (conditions.open) logger.info({ route }, 'an operator says that it takes payouts');
  else logger.warn({ route }, 'an operator says that it takes no payouts now');
}
