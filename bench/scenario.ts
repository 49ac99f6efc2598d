import type { BenchServer } from './database/bench-database.ts';
import type { LatencySummary } from './load/latencies.ts';
import type { Target } from './load/transfer-request.ts';
import type { Cost, RunningSide } from './sides/running-side.ts';
import type { SideSpec } from './sides/side-spec.ts';

/**
 * One thing that is measured. Each has a file in scenarios/ and a line in scenarios/list-scenarios.ts; only the rules
 * of the ratios also use its name.
 */
export type Scenario = Readonly<{
  name: string;
  group: ScenarioGroup;
  /** Starts what it needs. The returned runners take turns with the others of its group. */
  open(context: ScenarioContext): Promise<readonly Runner[]>;
}>;

/** Scenarios of one group take turns, round by round; groups run one after the other. */
export type ScenarioGroup = 'side by side' | 'history' | 'overload' | 'backlog';

/** What a scenario is given. */
export type ScenarioContext = Readonly<{
  say: (line: string) => void;
  signal: AbortSignal;
  /** How long one turn is measured. */
  measureMs: number;
  server: BenchServer;
  /** Wallets with keys, each in its own book. */
  targets: readonly Target[];
  /** The running side of that name, started on first use; it lives as long as the group. */
  side(spec: SideSpec): Promise<RunningSide>;
  /** Registers what to do when the group is over, however it ended. */
  afterwards(tidyUp: () => Promise<void>): void;
}>;

/** A measured part of a scenario, which takes turns with others: one line of the table. */
export type Runner = Readonly<{
  /** The name of its scenario, or begins with it. */
  name: string;
  /** Its description in the table. */
  what: string;
  connections: number;
  /** Runs once, for the compiler and the caches. */
  warmUp(): Promise<void>;
  /** Measures its capacity. */
  run(): Promise<Turn>;
  /** Measures latencies at a fixed rate, given the capacity; after all runs of the round. */
  runPaced?(perSecond: number): Promise<PacedTurn>;
}>;

export type Turn = Readonly<{
  /** Transfers or successful answers. */
  perSecond: number;
  latencyMs: LatencySummary;
  /** The share of a core that the process that makes the load used. */
  loadCpuShare: number;
  cost: Cost | undefined;
  /** Figures that only this scenario has. */
  figures?: Readonly<Record<string, number>>;
}>;

export type PacedTurn = Turn & Readonly<{ ratePerSecond: number }>;
