import type { FleetPlan } from './load-fleet.ts';
import type { PhaseResult } from './load-phases.ts';

/** What the process that makes the load is told. */
export type LoadPlan = FleetPlan &
  Readonly<{
    warmUpMs: number;
    measureMs: number;
    /** The rate of an open loop; null is a closed loop. */
    ratePerSecond: number | null;
  }>;

/** What it tells in the end. */
export type LoadReport = Readonly<{
  result: PhaseResult;
  /** Every answer, warm-up included. */
  statuses: Readonly<Record<string, number>>;
}>;
