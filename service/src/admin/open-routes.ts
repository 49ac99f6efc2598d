import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { NOTHING_KEPT } from '../operators/credentials/credential-store.ts';
import { loadRoutes } from '../operators/route-file/load-routes.ts';
import type { RouteConfig } from '../operators/route-file/read-routes.ts';
import { createLiveRoutes, type ReloadableRoutes } from '../operators/routes/live-routes.ts';
import type { AdminDeps } from './add-command.ts';
import { CommandRefused } from './command-refused.ts';

/** The routes of ROUTES_FILE, none when it is not set. Who opens them closes them. */
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
      keepCredentials: () => NOTHING_KEPT,
      logger: { warn: () => undefined },
      onConditions: () => undefined,
      isHeld: () => false,
      isClosed: () => false,
    },
    configs,
  );
}

/** What ROUTES_FILE says, for commands that are about routes: without the file they have no subject. */
export async function loadNamedRoutes({
  env,
}: Pick<AdminDeps, 'env'>): Promise<readonly RouteConfig[]> {
  const path = env['ROUTES_FILE'];
  if (path === undefined || path === '') {
    throw new CommandRefused(
      'ROUTES_FILE is not set, so there are no routes.',
      'Set it to the route file.',
    );
  }
  return loadRoutes(path, env);
}
