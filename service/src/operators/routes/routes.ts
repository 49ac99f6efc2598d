import type { Route, Routes } from './route.ts';

/** The live routes, which a reload may change while transfers are under way. */
export interface LiveRoutes {
  list(pair: Parameters<Routes['list']>[0]): readonly Route[];
  beside(route: Route): readonly Route[];
  named(name: string): Route | undefined;
  all(): readonly Route[];
  /** Null: there is no such route, or it accepts no callbacks. */
  callbackTokenOf(name: string): string | null;
}

export const NO_LIVE_ROUTES: LiveRoutes = {
  list: () => [],
  beside: () => [],
  named: () => undefined,
  all: () => [],
  callbackTokenOf: () => null,
};

/** Test books always use the sandbox and live books never do: the type allows nothing else. */
export function createRoutes({
  sandbox,
  live,
}: Readonly<{ sandbox: Route; live: LiveRoutes }>): Routes {
  const sandboxOnly = [sandbox];
  return {
    list: (pair) => (pair.mode === 'test' ? sandboxOnly : live.list(pair)),
    beside: (route) => (route === sandbox ? [] : live.beside(route)),
    named: (name) => (name === sandbox.name ? sandbox : live.named(name)),
    all: () => [sandbox, ...live.all()],
    callbackTokenOf: (name) => live.callbackTokenOf(name),
  };
}
