import type { PhaseResult } from './phase.ts';
import type { Lookup } from './read-request.ts';
import type { Target } from './transfer-request.ts';

/** What is sent. Wallets and lookups are dealt out to the connections. */
export type Workload =
  | Readonly<{ kind: 'transfers'; targets: readonly Target[]; phone: string }>
  | Readonly<{ kind: 'bulk'; targets: readonly Target[]; phone: string; transfersPerCall: number }>
  | Readonly<{ kind: 'lookups'; lookups: readonly Lookup[] }>;

/** What the process that makes the load is told. */
export type LoadPlan = Readonly<{
  port: number;
  connections: number;
  /** An open loop may open so many more, one whenever none is free. */
  connectionsMax?: number;
  workload: Workload;
  /** The number before that of the first reference, so that no reference is used twice. */
  sequenceBefore: number;
  warmUpMs: number;
  measureMs: number;
  /** The rate of an open loop; null is a closed loop. */
  ratePerSecond: number | null;
  /** A closed loop ends after so many requests, even when there is time left. */
  requestsMax?: number;
}>;

/** What it tells in the end. */
export type LoadReport = Readonly<{
  result: PhaseResult;
  /** Every answer, warm-up included. */
  statuses: Readonly<Record<string, number>>;
  /** Refusals that did not say when to come again. */
  withoutRetryAfter: number;
  sequenceAfter: number;
  /** When the first request left and the last answer came, by the wall clock. */
  startedAtMs: number;
  endedAtMs: number;
}>;
