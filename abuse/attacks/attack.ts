import type { Attacker } from '../attacker/attacker.ts';

/** What an attack may cost, where it differs from what holds for all of them. */
export type AttackLimits = Readonly<{
  /** Share of answers that may be 503; 1: refusing is the right answer to this attack. */
  shedShareMax: number;
  /** What the database may grow by, the merchant's own payouts included. */
  databaseGrowthMaxBytes: number;
  /** Transactions of the database in a second, the service's own included. */
  transactionsPerSecondMax: number;
  logLinesMax: number;
}>;

export type Attack = Readonly<{
  /** The number of its family, and a letter: `--only 1` takes 1a, 1b and so on. */
  id: string;
  title: string;
  /** Nothing new is begun after so long, in the long form. */
  timeMaxMs: number;
  limits?: Partial<AttackLimits>;
  /** Runs in the attackers' process. */
  run: (attacker: Attacker) => Promise<void>;
}>;
