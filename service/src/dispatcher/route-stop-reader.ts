import { setTimeout as wait } from 'node:timers/promises';
import type { StoppedRoutes } from '../operators/routes/stopped-routes.ts';
import type { Queryable } from '../postgres/database.ts';
import { readStoppedRoutes } from '../resolutions/list-route-stops.ts';
import type { Logger } from '../telemetry/logger.ts';

/** A person who holds or closes a route is told that every process knows of it within a second. */
const READ_INTERVAL_MS = 500;

export type RouteStopReaderDeps = Readonly<{
  database: Queryable;
  stoppedRoutes: StoppedRoutes;
  logger: Pick<Logger, 'info' | 'warn'>;
}>;

export type RouteStopReader = Readonly<{
  /** Resolves when the stops were read once: before that, nothing may be sent. */
  start(): Promise<void>;
  stop(): Promise<void>;
}>;

/** Keeps this process informed of the routes that people hold or closed. */
export function createRouteStopReader(deps: RouteStopReaderDeps): RouteStopReader {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | undefined;

  async function read(): Promise<void> {
    const { stopped, started } = deps.stoppedRoutes.replace(await readStoppedRoutes(deps.database));
    for (const { route, effect } of stopped)
      deps.logger.warn({ route }, `route ${effect} by a person`);
    for (const route of started) deps.logger.info({ route }, 'route started by a person');
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      // An aborted wait rejects, and the loop's condition says the rest.
      await wait(READ_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await read().catch((error: unknown) =>
        // What was stopped stays stopped; the rest can be claimed only from the same database.
        deps.logger.warn({ err: error }, 'reading the stopped routes failed, trying again'),
      );
    }
  }

  return {
    async start() {
      await read();
      running ??= run();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
