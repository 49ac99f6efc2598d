import type { PacedTurn, Runner, Turn } from '../scenario.ts';

/** One round of a runner. */
export type Round = Readonly<{
  /** At full speed. */
  full: Turn;
  /** At a fixed rate; null if there is only full speed. */
  paced: PacedTurn | null;
}>;

/** The rounds of each runner, by its name. */
export type Turns = ReadonlyMap<string, readonly Round[]>;

export type Measured = Readonly<{
  runners: readonly Runner[];
  turns: Turns;
  /** What else was using the machine before each round. */
  othersCpuShares: readonly number[];
  /** A run with any of these is no result. */
  problems: readonly string[];
  elapsedMs: number;
}>;
