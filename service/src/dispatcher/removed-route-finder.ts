import { setTimeout as wait } from 'node:timers/promises';
import { OPERATOR_PAIRS } from '../domain/operator.ts';
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

export type RemovedRouteFinder = Readonly<{
  /** Searches once, now. */
  look(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}>;

/**
 * Finds transfers whose route this process does not have. It searches repeatedly: at the start another process with an
 * older route file may still be running, and may queue transfers on a removed route or hold leases of some.
 */
export function createRemovedRouteFinder(deps: RemovedRouteFinderDeps): RemovedRouteFinder {
  const { intervalMs = LEASE_MS } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | undefined;
  let logged = new Map<string, number>();

  async function look(): Promise<void> {
    const found = await reassignRemovedRoutes(deps.database, describeRoutes(deps.routes));
    // A person who removes a route from the file must learn of the transfers sent by it. Logged once for each count.
    for (const { route, count } of found) {
      if (logged.get(route) === count) continue;
      deps.logger.error(
        { route, count },
        'transfers wait for a route that is no longer in the route file',
      );
    }
    logged = new Map(found.map(({ route, count }) => [route, count]));
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      // An aborted wait rejects, and the next line then ends the loop.
      await wait(intervalMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await look().catch((error: unknown) =>
        deps.logger.warn({ err: error }, 'looking for transfers without a route failed'),
      );
    }
  }

  return {
    look,
    start() {
      running ??= run();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

function describeRoutes(routes: Routes): Parameters<typeof reassignRemovedRoutes>[1] {
  const replacements = OPERATOR_PAIRS.flatMap((pair) => {
    const [first] = routes.list({ mode: 'live', ...pair });
    return first === undefined ? [] : [{ ...pair, route: first.name }];
  });
  return { routes: routes.all().map(({ name }) => name), replacements };
}
