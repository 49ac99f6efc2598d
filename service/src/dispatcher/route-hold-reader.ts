import { setTimeout as wait } from 'node:timers/promises';
import type { HeldRoutes } from '../operators/routes/held-routes.ts';
import type { Queryable } from '../postgres/database.ts';
import { readHeldRoutes } from '../resolutions/list-route-holds.ts';
import type { Logger } from '../telemetry/logger.ts';

/** The command to hold a route promises that every process knows of it within a second. */
const READ_INTERVAL_MS = 500;

export type RouteHoldReaderDeps = Readonly<{
  database: Queryable;
  heldRoutes: HeldRoutes;
  logger: Pick<Logger, 'info' | 'warn'>;
}>;

export type RouteHoldReader = Readonly<{
  /** Resolves when the holds were read once: nothing may be sent before that. */
  start(): Promise<void>;
  stop(): Promise<void>;
}>;

/** Keeps this process informed of held routes. */
export function createRouteHoldReader(deps: RouteHoldReaderDeps): RouteHoldReader {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | undefined;

  async function read(): Promise<void> {
    const names = await readHeldRoutes(deps.database);
    const { held, released } = deps.heldRoutes.replace(names);
    for (const route of held) deps.logger.warn({ route }, 'route held: its transfers wait');
    for (const route of released) deps.logger.info({ route }, 'route released');
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      // An aborted wait rejects, and the next line then ends the loop.
      await wait(READ_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await read().catch((error: unknown) =>
        // Held routes stay held. Transfers of other routes can be claimed only from the same database, which fails too.
        deps.logger.warn({ err: error }, 'reading the held routes failed, trying again'),
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
