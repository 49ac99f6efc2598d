import type { FleetPlan } from './load-fleet.ts';
import type { PhaseResult } from './load-phases.ts';

/** What the process that makes the load is told, and what it tells in the end. */
export type LoadPlan = FleetPlan &
  Readonly<{
    warmUpMs: number;
    measureMs: number;
    /** The rate of the open loop, as a share of what the closed loop reached; null is no open loop. */
    openLoopShare: number | null;
  }>;

export type LoadReport = Readonly<{
  closedLoop: PhaseResult;
  openLoop: (PhaseResult & Readonly<{ ratePerSecond: number }>) | null;
  /** Every answer of both loops, warm-up included. */
  statuses: Readonly<Record<string, number>>;
}>;
