import type { Focus, PlanSize } from '../plan/plan-size.ts';

/** One place in the tree, and what a careless hand makes of it. */
export type Edit = Readonly<{
  /** From the root of the project. */
  file: string;
  /** Must be there exactly once. */
  old: string;
  new: string;
}>;

/** A bug as somebody could really write it, which the checker must find. */
export type PlantedBug = SeededBug | TestedBug;

type Bug = Readonly<{ name: string; edits: readonly Edit[] }>;

export type SeededBug = Bug &
  Readonly<{
    /** The promises that it breaks; the checker must name one of them. */
    breaks: readonly string[];
    /** What to do much of, so that few seeds are enough. */
    size: PlanSize;
  }>;

/** One that no seed can be expected to show: a test must find it. */
export type TestedBug = Bug & Readonly<{ test: string }>;

/** A short run about one thing. */
export function about(focus: Focus, size: Partial<PlanSize> = {}): PlanSize {
  return {
    clientsMin: 4,
    clientsMax: 4,
    ordersPerClient: 12,
    faultsMin: 0,
    faultsMax: 0,
    windowMs: 1_500,
    paydaysPerMille: 0,
    ...size,
    focus: { database: 'own', failpoints: null, flawedPerMille: 0, calm: null, ...focus },
  };
}

/** All orders go to one operator. */
export function payThrough(
  operator: NonNullable<Focus['operators']>[number],
  mix: Readonly<Record<string, number>>,
): Focus {
  return { operators: [operator], livePerMille: 1_000, mix };
}
