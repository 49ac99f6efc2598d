import type { Form } from './attacker/attacker.ts';
import type { Attack } from './attacks/attack.ts';
import type { Observation, Problem } from './observation.ts';

type Times = Readonly<{
  warmUpMs: number;
  /** Far beyond what counts as served: a late answer only helps to find the cause. */
  payoutTimeoutMs: number;
  healthTimeoutMs: number;
  /** Each attack is observed at least this long, so that there are payouts to check. */
  windowMinMs: number;
  /** After this time, checks and payouts must be answered as before. */
  recoveryMaxMs: number;
  /** When memory is measured after the last attack. */
  growthAfterMs: number;
  /** Attacks are cut short after this share of their time. */
  timeShare: number;
}>;

export const TIMES: Readonly<Record<Form, Times>> = {
  long: {
    warmUpMs: 5_000,
    payoutTimeoutMs: 10_000,
    healthTimeoutMs: 5_000,
    windowMinMs: 5_000,
    recoveryMaxMs: 20_000,
    growthAfterMs: 60_000,
    timeShare: 1,
  },
  short: {
    warmUpMs: 300,
    // Only answers are checked, so a machine that is busy with something else does not matter.
    payoutTimeoutMs: 20_000,
    healthTimeoutMs: 20_000,
    windowMinMs: 300,
    recoveryMaxMs: 60_000,
    growthAfterMs: 500,
    timeShare: 0.2,
  },
};

export type AbuseOptions = Readonly<{
  tree: string;
  form: Form;
  seed: number;
  attacks: readonly Attack[];
  /** Whether to wait and measure how much memory is returned after the last attack. */
  checksGrowth: boolean;
  signal: AbortSignal;
  onPhase: (phase: string) => void;
  onRow: (row: Row) => void;
}>;

export type Row = Readonly<{
  id: string;
  title: string;
  /** Undefined: it was skipped; `skipped` has the reason. */
  observed: Observation | undefined;
  skipped: string | undefined;
  problems: readonly Problem[];
}>;

export type IdleTimes = Readonly<{ merchantP95Ms: number; healthWorstMs: number }>;

export type AbuseResult = Readonly<{
  seed: number;
  form: Form;
  rows: readonly Row[];
  /** Measured before the first attack, because a busy machine makes everything slow. */
  idle: IdleTimes | undefined;
  rssBeforeBytes: number | undefined;
  rssAfterBytes: number | undefined;
  /** Of all attacks together: memory that stays, and the books. */
  problems: readonly Problem[];
}>;
