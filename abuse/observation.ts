import type { AttackAnswer } from './attacker/start-attackers.ts';
import type { ServiceEnd } from './target/start-service.ts';

/** What was seen while an attack ran, and shortly after. */
export type Observation = Readonly<{
  elapsedMs: number;
  attackers: AttackAnswer;
  /** How the service ended; undefined: it runs on, under the same process id. */
  end: ServiceEnd | undefined;
  /** The last that the service wrote, when it ended. */
  lastWords: string;
  merchant: Readonly<{
    sent: number;
    created: number;
    /** 0 stands for no answer, or none in time. */
    byStatus: Readonly<Record<string, number>>;
    p95Ms: number;
    worstMs: number;
  }>;
  health: Readonly<{
    asked: number;
    failed: number;
    worstMs: number;
  }>;
  /** How long after the attack all was as before; undefined: not within the time to wait for it. */
  recoveredAfterMs: number | undefined;
  /** Undefined where the system does not tell. */
  rssPeakBytes: number | undefined;
  logLines: number;
  /** Undefined when the database could not be asked, before or after. */
  database: Readonly<{ growthBytes: number; transactionsPerSecond: number }> | undefined;
}>;

/** The promises that an attack can break. */
export type Promised =
  | 'survival'
  | 'recovery'
  | 'memory'
  | 'growth'
  | 'health'
  | 'merchant'
  | 'answers'
  | 'stored'
  | 'log'
  | 'database'
  | 'attack';

export type Problem = Readonly<{ promise: Promised; says: string }>;
