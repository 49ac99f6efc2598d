import type { PhaseResult } from './phase.ts';
import type { Lookup } from './read-request.ts';
import type { Target } from './transfer-request.ts';

/** What is sent. Wallets and lookups are dealt out to the connections. */
export type Workload =
  | Readonly<{ kind: 'transfers'; targets: readonly Target[]; phone: string }>
  | Readonly<{ kind: 'bulk'; targets: readonly Target[]; phone: string; transfersPerCall: number }>
  | Readonly<{ kind: 'lookups'; lookups: readonly Lookup[] }>;

/** The plan for the process that makes the load. */
export type LoadPlan = Readonly<{
  port: number;
  connections: number;
  /** An open loop may open this many more, one whenever none is free. */
  connectionsMax?: number;
  workload: Workload;
  /** The number before that of the first reference, so that no reference is used twice. */
  sequenceBefore: number;
  warmUpMs: number;
  measureMs: number;
  /** The rate of an open loop; null means a closed loop. */
  ratePerSecond: number | null;
  /** A closed loop ends after this many requests, even if there is time left. */
  requestsMax?: number;
}>;

/** Its final report. */
export type LoadReport = Readonly<{
  result: PhaseResult;
  /** Every answer, warm-up included. */
  statuses: Readonly<Record<string, number>>;
  /** Refusals without Retry-After. */
  withoutRetryAfter: number;
  sequenceAfter: number;
  /** When the first request was sent and the last answer arrived, by the wall clock. */
  startedAtMs: number;
  endedAtMs: number;
}>;
