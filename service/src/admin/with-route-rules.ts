import type { RouteRules } from '../domain/describe-doubt.ts';
import { BadRouteFile } from '../operators/route-file/load-routes.ts';
import type { AdminDeps } from './add-command.ts';
import { openRoutes } from './open-routes.ts';

/**
 * What the routes of ROUTES_FILE allow. A route file that is not here, or is wrong, must not keep a person on call
 * from looking at doubts: then none are known, which is null.
 */
export async function withRouteRules<Result>(
  deps: Pick<AdminDeps, 'env' | 'now'>,
  work: (rulesOf: (route: string) => RouteRules | null) => Promise<Result>,
): Promise<Result> {
  const routes = await openRoutes(deps).catch((error: unknown) => {
    if (error instanceof BadRouteFile) return undefined;
    throw error;
  });
  try {
    return await work((name) => {
      const route = routes?.named(name);
      return route === undefined
        ? null
        : { ...route.connector.abilities, timeScale: route.timeScale };
    });
  } finally {
    routes?.close();
  }
}
