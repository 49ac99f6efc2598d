import { type BackgroundLoop, createBackgroundLoop } from '../background/background-loop.ts';
import { OPERATOR_PAIRS } from '../domain/operator.ts';
import { NO_ROUTE } from '../domain/transfer.ts';
import type { Routes } from '../operators/routes/route.ts';
import type { Queryable } from '../postgres/database.ts';
import type { Logger } from '../telemetry/logger.ts';
import { LEASE_MS } from '../transfers/move/lease.ts';
import { reassignRemovedRoutes } from '../transfers/move/reassign-removed-routes.ts';

export type RemovedRouteFinderDeps = Readonly<{
  database: Queryable;
  routes: Routes;
  logger: Pick<Logger, 'error' | 'warn'>;
  /** Time between two searches; what was leased at one of them is free at the next. */
  intervalMs?: number;
}>;

export type RemovedRouteFinder = BackgroundLoop &
  Readonly<{
    /** Searches once, now. */
    look(): Promise<void>;
  }>;

/**
 * Finds transfers whose route this process does not have. It searches repeatedly: at the start another process with an
 * older route file may still be running, and may queue transfers on a removed route or hold leases of some.
 */
export function createRemovedRouteFinder(deps: RemovedRouteFinderDeps): RemovedRouteFinder {
  const { intervalMs = LEASE_MS } = deps;
  let logged = new Map<string, number>();

  async function look(): Promise<void> {
    const found = await reassignRemovedRoutes(deps.database, describeRoutes(deps.routes));
    // A person who removes a route from the file must learn of the transfers sent by it. Logged once for each count.
    for (const { route, count } of found) {
      if (logged.get(route) === count) continue;
      deps.logger.error(
        { route, count },
        route === NO_ROUTE
          ? 'scheduled transfers are due, and the route file has no route for them'
          : 'transfers wait for a route that is no longer in the route file',
      );
    }
    logged = new Map(found.map(({ route, count }) => [route, count]));
  }

  const loop = createBackgroundLoop({
    round: () => look().then(() => intervalMs),
    what: 'looking for transfers without a route',
    logger: deps.logger,
    retryInMs: intervalMs,
    firstInMs: intervalMs,
  });
  return { ...loop, look };
}

function describeRoutes(routes: Routes): Parameters<typeof reassignRemovedRoutes>[1] {
  const replacements = OPERATOR_PAIRS.flatMap((pair) => {
    const [first] = routes.list({ mode: 'live', ...pair });
    return first === undefined ? [] : [{ ...pair, route: first.name }];
  });
  return { routes: routes.all().map(({ name }) => name), replacements };
}
