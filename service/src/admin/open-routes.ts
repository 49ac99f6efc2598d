import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { createLiveRoutes, type ReloadableRoutes } from '../operators/live-routes.ts';
import { loadRoutes } from '../operators/route-file/load-routes.ts';
import type { AdminDeps } from './add-command.ts';

/** The routes of ROUTES_FILE, none when it is not set. Whoever opens them closes them. */
export async function openRoutes(
  deps: Pick<AdminDeps, 'env' | 'now'>,
): Promise<Pick<ReloadableRoutes, 'named' | 'close'>> {
  const configs = await loadRoutes(deps.env['ROUTES_FILE'] || undefined, deps.env);
  return createLiveRoutes(
    {
      now: deps.now,
      monotonicMs: () => performance.now(),
      wait: (ms) => wait(ms),
      random: Math.random,
      newUuid: () => randomUUID(),
      onConditions: () => undefined,
    },
    configs,
  );
}
