import { type Figures, machineKind, type Past } from './history.ts';
import { isLessBetter } from './ratios.ts';

/** Runs of the same code differ by a few percent. */
const SLOWER_SHARE_MAX = 0.1;

export type Comparison = Readonly<{
  /** What became slower by more than a tenth, in words. */
  slower: readonly string[];
  /** Whether figures in microseconds and per second were compared too, and not only ratios. */
  sameKind: boolean;
}>;

/** Compares figures that both runs measured. Between different kinds of machines only ratios can be compared. */
export function findSlower(before: Past, after: Past): Comparison {
  const sameKind = machineKind(before.machine) === machineKind(after.machine);
  const ratios = Object.entries(after.ratios).flatMap(([key, value]) =>
    compare(key, before.ratios[key], value, { lessIsBetter: isLessBetter(key) }),
  );
  const figures = Object.entries(after.scenarios).flatMap(([name, now]) => {
    const then = before.scenarios[name];
    return then === undefined ? [] : compareFigures(name, then, now);
  });
  return { slower: sameKind ? [...ratios, ...figures] : ratios, sameKind };
}

function compareFigures(name: string, then: Figures, now: Figures): readonly string[] {
  return [
    ...compare(`${name}, per second`, then.perSecond, now.perSecond, { lessIsBetter: false }),
    ...compare(`${name}, µs in the server`, then.serverUs, now.serverUs, { lessIsBetter: true }),
    ...compare(`${name}, µs in PostgreSQL`, then.postgresUs, now.postgresUs, {
      lessIsBetter: true,
    }),
  ];
}

function compare(
  what: string,
  then: number | null | undefined,
  now: number | null,
  { lessIsBetter }: Readonly<{ lessIsBetter: boolean }>,
): readonly string[] {
  if (then === null || then === undefined || now === null || then <= 0 || now <= 0) return [];
  const timesSlower = lessIsBetter ? now / then : then / now;
  if (timesSlower <= 1 + SLOWER_SHARE_MAX) return [];
  const percent = Math.round(100 * (timesSlower - 1));
  return [`${what}: ${then} before, ${now} now, slower by ${percent} %`];
}
