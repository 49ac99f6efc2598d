import type { RouteRules } from '../../domain/describe-doubt.ts';
import type { Routes } from '../../operators/routes/route.ts';

/** What a route of this process allows; null: it is not here. */
export function rulesOf(routes: Pick<Routes, 'named'>): (route: string) => RouteRules | null {
  return (name) => {
    const route = routes.named(name);
    return route === undefined
      ? null
      : { ...route.connector.abilities, timeScale: route.timeScale };
  };
}
