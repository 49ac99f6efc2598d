import type { Route, Routes } from './connector.ts';

/** Test books always go to the sandbox and live books never do: the type has no third way. */
export function createRoutes(
  routes: Readonly<{ sandbox: Route; live: ReadonlyMap<string, Route> }>,
): Routes {
  return {
    find({ mode, operator, country }) {
      return mode === 'test' ? routes.sandbox : routes.live.get(`${operator}:${country}`);
    },
  };
}
