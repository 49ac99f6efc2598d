import type { Focus, PlanSize } from '../plan/plan-size.ts';

/** A text replacement in one file of the tree. */
export type Edit = Readonly<{
  /** From the root of the project. */
  file: string;
  /** Must occur exactly once in the file. */
  old: string;
  new: string;
}>;

/** A realistic bug that the checker must find. */
export type PlantedBug = SeededBug | TestedBug;

type Bug = Readonly<{ name: string; edits: readonly Edit[] }>;

export type SeededBug = Bug &
  Readonly<{
    /** The invariants that it violates; the checker must report one of them. */
    breaks: readonly string[];
    /** The plan's size and focus, so that few seeds are enough. */
    size: PlanSize;
    /** How many cells there are; absent: one. */
    cells?: number;
  }>;

/** A bug that seeds cannot be expected to find: a test file must find it. */
export type TestedBug = Bug & Readonly<{ test: string }>;

/** A short run with one focus. */
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
    focus: {
      database: 'own',
      failpoints: null,
      flawedPerMille: 0,
      calm: null,
      controlledPerMille: 0,
      ...focus,
    },
  };
}

/** Sends all orders to one operator. */
export function payThrough(
  operator: NonNullable<Focus['operators']>[number],
  mix: Readonly<Record<string, number>>,
): Focus {
  return { operators: [operator], livePerMille: 1_000, mix };
}
