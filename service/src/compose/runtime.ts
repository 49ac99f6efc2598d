import { randomFillSync, randomUUID } from 'node:crypto';
import { setTimeout as waitMs } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { createUuidV7Source } from '../domain/uuid.ts';
import { createCredentialKeepers } from '../operator-credentials/keep-credentials.ts';
import type { Conditions } from '../operators/contract/connector.ts';
import type { RouteConfig } from '../operators/route-file/read-routes.ts';
import { createLiveRoutes, type ReloadableRoutes } from '../operators/routes/live-routes.ts';
import type { Routes } from '../operators/routes/route.ts';
import { createRoutes } from '../operators/routes/routes.ts';
import { createStoppedRoutes, type StoppedRoutes } from '../operators/routes/stopped-routes.ts';
import { createSandboxRoute } from '../operators/sandbox/sandbox-route.ts';
import { createAdmission } from '../postgres/admit-connections.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../postgres/database.ts';
import { MAIN_CELL, searchPathOf } from '../schema/service-schema.ts';
import { sampleLogs } from '../telemetry/log-sampler.ts';
import type { Logger } from '../telemetry/logger.ts';
import { createMetrics, type Metrics } from '../telemetry/metrics.ts';
import type { Sealer } from '../webhooks/seal-secret.ts';

/** Connections of one process: writers commit groups, readers serve everything else. */
const WRITERS_MAX = 12;
/** One for each kind of group that moves money. */
const GROUP_WRITERS_MAX = 3;
const READERS_MAX = 8;
/**
 * How long a whole group waits for one locked wallet, and with it all commands behind the group. Far longer than other
 * processes normally keep a wallet locked.
 */
const GROUP_LOCK_TIMEOUT_MS = 1_000;
/** Past this deadline the response is 503, and the group's outcome is unknown. */
const COMMIT_DEADLINE_MS = 8_000;

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

/** What everything else is built from. The real clock, randomness and timers come only from here. */
export type Runtime = ComposeOptions &
  Readonly<{
    now: () => Date;
    monotonicMs: () => number;
    wait: (ms: number) => Promise<void>;
    newId: () => string;
    leaseOwner: string;
    metrics: Metrics;
    writes: Database;
    /** For groups of transfers: gives up soon when one of their wallets is locked. */
    groupWrites: Database;
    reads: Database;
    routes: Routes;
    live: ReloadableRoutes;
    stoppedRoutes: StoppedRoutes;
  }>;

export function createRuntime(options: ComposeOptions): Runtime {
  const { config, connectionString } = options;
  const now = () => new Date();
  const monotonicMs = () => performance.now();
  const wait = (ms: number) => waitMs(ms);
  const waitIdly = (ms: number) => waitMs(ms, undefined, { ref: false });
  const logger = sampleLogs({ logger: options.logger, monotonicMs, wait: waitIdly });
  const admission = createAdmission({
    allowUnsafe: config.allowUnsafeDatabase,
    onRefused: (error) => logger.error({ err: error }, 'a new database connection was refused'),
  });
  const open = (
    name: string,
    connectionsMax: number,
    options: Pick<DatabaseOptions, 'keepPlans' | 'lockTimeoutMs'>,
  ) =>
    openDatabase({
      connectionString,
      applicationName: `kafue ${name} ${process.pid}`,
      connectionsMax,
      ...options,
      admission,
      deadlineMs: COMMIT_DEADLINE_MS,
      searchPath: searchPathOf(MAIN_CELL),
      onError: (error) => logger.warn({ err: error }, 'a database connection was lost'),
    });
  const writes = open('writer', WRITERS_MAX, { keepPlans: true });
  const stoppedRoutes = createStoppedRoutes();
  const live = createLiveRoutes(
    {
      now,
      monotonicMs,
      wait,
      random: Math.random,
      newUuid: randomUUID,
      keepCredentials: createCredentialKeepers({
        database: writes,
        sealer: options.credentialSealer,
        wait: waitIdly,
        logger,
      }),
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
    writes,
    groupWrites: open('group writer', GROUP_WRITERS_MAX, {
      keepPlans: true,
      lockTimeoutMs: GROUP_LOCK_TIMEOUT_MS,
    }),
    reads: open('reader', READERS_MAX, {}),
    routes: createRoutes({
      sandbox: createSandboxRoute({ delayMs: config.sandboxDelayMs, now, wait }),
      live,
    }),
  };
}

function sayConditions(logger: Logger, route: string, conditions: Conditions): void {
  if (conditions.kind === 'unreachable') {
    logger.warn({ route }, 'an operator does not say whether it takes payouts');
  } else if (conditions.open) logger.info({ route }, 'an operator says that it takes payouts');
  else logger.warn({ route }, 'an operator says that it takes no payouts now');
}
