/** The names of the routes that people hold, as last read from the database. */
export type HeldRoutes = Readonly<{
  isHeld(route: string): boolean;
  /** Replaces the names by those of the database; returns which are newly held, and which are released. */
  replace(names: readonly string[]): Readonly<{ held: string[]; released: string[] }>;
}>;

export function createHeldRoutes(): HeldRoutes {
  let known: ReadonlySet<string> = new Set();
  return {
    isHeld: (route) => known.has(route),
    replace(names) {
      const before = known;
      known = new Set(names);
      return {
        held: names.filter((name) => !before.has(name)),
        released: [...before].filter((name) => !known.has(name)),
      };
    },
  };
}
