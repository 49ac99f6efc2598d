export type StoppedRoute = Readonly<{ route: string; effect: 'held' | 'closed' }>;

/** The routes that people hold or closed, as last read from the database. */
export type StoppedRoutes = Readonly<{
  isHeld(route: string): boolean;
  isClosed(route: string): boolean;
  /** Takes in what the database says now; returns what is stopped since, and the routes that no longer are. */
  replace(
    stops: readonly StoppedRoute[],
  ): Readonly<{ stopped: readonly StoppedRoute[]; started: readonly string[] }>;
}>;

export function createStoppedRoutes(): StoppedRoutes {
  let known: ReadonlyMap<string, StoppedRoute['effect']> = new Map();
  return {
    isHeld: (route) => known.get(route) === 'held',
    isClosed: (route) => known.get(route) === 'closed',
    replace(stops) {
      const before = known;
      known = new Map(stops.map(({ route, effect }) => [route, effect]));
      return {
        stopped: stops.filter(({ route, effect }) => before.get(route) !== effect),
        started: [...before.keys()].filter((route) => !known.has(route)),
      };
    },
  };
}
