import { type BackgroundLoop, createBackgroundLoop } from '../background/background-loop.ts';
import type { StoppedRoutes } from '../operators/routes/stopped-routes.ts';
import type { Queryable } from '../postgres/database.ts';
import type { Logger } from '../telemetry/logger.ts';
import { readStoppedRoutes } from './list-route-stops.ts';

/** A person who holds or closes a route is told that every process knows of it within a second. */
const READ_INTERVAL_MS = 500;

export type RouteStopReaderDeps = Readonly<{
  directory: Queryable;
  stoppedRoutes: StoppedRoutes;
  logger: Pick<Logger, 'info' | 'warn'>;
}>;

export type RouteStopReader = BackgroundLoop &
  Readonly<{
    /** Reads the stops once, now. Before that, nothing may be sent. */
    read(): Promise<void>;
  }>;

/** Keeps this process informed of the routes that people hold or closed. */
export function createRouteStopReader(deps: RouteStopReaderDeps): RouteStopReader {
  async function read(): Promise<void> {
    const { stopped, started } = deps.stoppedRoutes.replace(
      await readStoppedRoutes(deps.directory),
    );
    for (const { route, effect } of stopped)
      deps.logger.warn({ route }, `route ${effect} by a person`);
    for (const route of started) deps.logger.info({ route }, 'route started by a person');
  }

  const loop = createBackgroundLoop({
    round: () => read().then(() => READ_INTERVAL_MS),
    // What was stopped stays stopped; the rest can be claimed only from the same directory.
    what: 'reading the stopped routes',
    logger: deps.logger,
    retryInMs: READ_INTERVAL_MS,
    firstInMs: READ_INTERVAL_MS,
  });
  return { ...loop, read };
}
