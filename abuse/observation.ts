import type { AttackAnswer } from './attacker/start-attackers.ts';
import type { ServiceEnd } from './target/start-service.ts';

/** What was observed while an attack ran, and shortly after. */
export type Observation = Readonly<{
  elapsedMs: number;
  attackers: AttackAnswer;
  /** How the service ended; undefined: it still runs, under the same process id. */
  end: ServiceEnd | undefined;
  /** The last output of the service, if it ended. */
  lastOutput: string;
  merchant: Readonly<{
    sent: number;
    created: number;
    /** 0 means no answer, or none in time. */
    byStatus: Readonly<Record<string, number>>;
    p95Ms: number;
    worstMs: number;
  }>;
  health: Readonly<{
    asked: number;
    failed: number;
    worstMs: number;
  }>;
  /** How long after the attack everything was as before; undefined: not within the waiting time. */
  recoveredAfterMs: number | undefined;
  /** Undefined if the system does not report it. */
  rssPeakBytes: number | undefined;
  logLines: number;
  /** Undefined if the database could not be queried, before or after. */
  database: Readonly<{ growthBytes: number; transactionsPerSecond: number }> | undefined;
}>;

/** The promises that an attack can break. */
export type Guarantee =
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

export type Problem = Readonly<{ guarantee: Guarantee; says: string }>;
