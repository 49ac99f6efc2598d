import type { Attacker } from '../attacker/attacker.ts';

/** The limits of an attack that differ from those of all others. */
export type AttackLimits = Readonly<{
  /** The share of answers that may be 503; 1: a refusal is the right answer to this attack. */
  shedShareMax: number;
  /** How much the database may grow, including the merchant's own payouts. */
  databaseGrowthMaxBytes: number;
  /** Database transactions per second, including the service's own. */
  transactionsPerSecondMax: number;
  logLinesMax: number;
}>;

export type Attack = Readonly<{
  /** The number of its family, and a letter: `--only 1` runs 1a, 1b and so on. */
  id: string;
  title: string;
  /** Nothing new begins after this time, in the long form. */
  timeMaxMs: number;
  limits?: Partial<AttackLimits>;
  /** Where it comes from. Left out: one of the usual addresses or all, as the seed decides. */
  addresses?: readonly [string, ...string[]];
  /** Runs in the attackers' process. */
  run: (attacker: Attacker) => Promise<void>;
}>;
