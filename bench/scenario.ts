import type { BenchServer } from './database/bench-database.ts';
import type { LatencySummary, Moment } from './load/latencies.ts';
import type { Target } from './load/transfer-request.ts';
import type { Cost, RunningSide } from './sides/running-side.ts';
import type { SideSpec } from './sides/side-spec.ts';

/**
 * One thing that is measured. Each has a file in scenarios/ and a line in scenarios/list-scenarios.ts;
 * nothing else knows it by name but the rules of the ratios.
 */
export type Scenario = Readonly<{
  name: string;
  act: Act;
  /** Starts what it needs. What it returns then takes turns with the others of its act. */
  open(stage: Stage): Promise<readonly Runner[]>;
}>;

/** Scenarios of one act take turns, round by round; acts come one after the other. */
export type Act = 'side by side' | 'history' | 'overload' | 'backlog';

/** What a scenario is given. */
export type Stage = Readonly<{
  say: (line: string) => void;
  signal: AbortSignal;
  /** How long one turn is measured. */
  measureMs: number;
  server: BenchServer;
  /** Wallets with keys, each in a book of its own. */
  targets: readonly Target[];
  /** The running side of that name, started when it is first asked for; it lives as long as the act. */
  side(spec: SideSpec): Promise<RunningSide>;
  /** To be done when the act is over, however it ended. */
  afterwards(tidyUp: () => Promise<void>): void;
}>;

/** What takes turns: a line of the table. */
export type Runner = Readonly<{
  /** That of its scenario, or begins with it. */
  name: string;
  /** What a person reads in the table. */
  what: string;
  connections: number;
  /** Once, for the compiler and the caches. */
  warmUp(): Promise<void>;
  /** How much it can do. */
  run(): Promise<Turn>;
  /** How long things take at a fixed rate, given what was reached; after all runs of the round. */
  runPaced?(perSecond: number): Promise<PacedTurn>;
}>;

export type Turn = Readonly<{
  /** Transfers or answers of success. */
  perSecond: number;
  latencyMs: LatencySummary;
  timeline: readonly Moment[];
  /** What the process that makes the load used of a core. */
  loadCpuShare: number;
  cost: Cost | undefined;
  /** What only this scenario shows. */
  figures?: Readonly<Record<string, number>>;
  /** What only this scenario shows over time: columns of equal length, the first in milliseconds. */
  course?: Course;
}>;

export type Course = Readonly<{
  atMs: readonly number[];
  series: readonly Readonly<{ name: string; unit: string; values: readonly number[] }>[];
}>;

export type PacedTurn = Turn & Readonly<{ ratePerSecond: number }>;
