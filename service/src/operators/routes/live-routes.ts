import type { RouteConfig } from '../route-file/read-routes.ts';
import { createLiveRoute, type LiveRoute, type LiveRouteDeps } from './live-route.ts';
import type { Route } from './route.ts';
import type { LiveRoutes } from './routes.ts';

export type ReloadableRoutes = LiveRoutes &
  Readonly<{
    /** Replaces the list of routes; routes that are no longer in it accept nothing new. */
    reload(configs: readonly RouteConfig[]): readonly string[];
    start(): void;
    close(): void;
  }>;

export function createLiveRoutes(
  deps: LiveRouteDeps,
  configs: readonly RouteConfig[],
): ReloadableRoutes {
  const routes = new Map<string, LiveRoute>();
  const pairs = new Map<string, readonly LiveRoute[]>();
  let started = false;
  take(configs);

  function take(wanted: readonly RouteConfig[]): void {
    for (const config of wanted) {
      const known = routes.get(config.name);
      if (known !== undefined) {
        known.change(config);
        continue;
      }
      const route = createLiveRoute(deps, config);
      routes.set(config.name, route);
      if (started) route.start();
    }
    pairs.clear();
    const names = new Set(wanted.map(({ name }) => name));
    for (const route of routes.values()) if (!names.has(route.name)) route.retire();
  }

  /** Computed once for each list, because every transfer needs it. */
  function ofPair(operator: string, country: string): readonly LiveRoute[] {
    const key = `${operator} ${country}`;
    let found = pairs.get(key);
    if (found === undefined) {
      found = [...routes.values()]
        .filter((route) => !route.isRetired())
        .filter(({ config }) => config().operator === operator && config().country === country)
        .sort((a, b) => a.config().priority - b.config().priority);
      pairs.set(key, found);
    }
    return found;
  }

  return {
    list: ({ operator, country }) => ofPair(operator, country),
    beside(route: Route) {
      const config = routes.get(route.name)?.config();
      if (config === undefined) return [];
      return ofPair(config.operator, config.country).filter((other) => other !== route);
    },
    named: (name) => routes.get(name),
    all: () => [...routes.values()],
    reload(wanted) {
      const problems = findMovedRoutes(routes, wanted);
      if (problems.length === 0) take(wanted);
      return problems;
    },
    callbackTokenOf: (name) => routes.get(name)?.config().callbackToken ?? null,
    start() {
      started = true;
      for (const route of routes.values()) route.start();
    },
    close() {
      for (const route of routes.values()) route.close();
    },
  };
}

/** Transfers store a route by its name, so a name must keep its operator and country. */
function findMovedRoutes(
  routes: ReadonlyMap<string, LiveRoute>,
  wanted: readonly RouteConfig[],
): string[] {
  return wanted.flatMap(({ name, operator, country, kind }) => {
    const known = routes.get(name)?.config();
    const moved =
      known !== undefined &&
      (known.operator !== operator || known.country !== country || known.kind !== kind);
    return moved ? [`${name}: leads elsewhere than before; give the new route a new name.`] : [];
  });
}
