import { type LatencySummary, median } from './latencies.ts';
import type { Turn } from './run-bench.ts';
import type { Scenario } from './scenarios.ts';

type Percentiles = Omit<LatencySummary, 'count'>;

/** What a scenario showed: medians over its turns. */
export type ScenarioSummary = Readonly<{
  what: string;
  connections: number;
  wallets: number;
  /** Closed loop. */
  perSecond: number;
  perSecondByRound: readonly number[];
  /** Open loop at `ratePerSecond`; of the closed loop where there is no open one. */
  latencyMs: Percentiles;
  ratePerSecond: number | null;
  /** The most that the process which makes the load used of a core. */
  loadCpuShare: number;
}>;

export function summarize(scenario: Scenario, turns: readonly Turn[]): ScenarioSummary {
  const perSecondByRound = turns.map(({ closedLoop }) => Math.round(closedLoop.perSecond));
  const rates = turns.flatMap(({ openLoop }) => openLoop?.ratePerSecond ?? []);
  const loops = turns.flatMap(({ closedLoop, openLoop }) =>
    openLoop === null ? [closedLoop] : [closedLoop, openLoop],
  );
  return {
    what: scenario.what,
    connections: scenario.connections,
    wallets: scenario.wallets,
    perSecond: median(perSecondByRound),
    perSecondByRound,
    latencyMs: medianLatencies(turns),
    ratePerSecond: rates.length === 0 ? null : median(rates),
    loadCpuShare: rounded(Math.max(...loops.map(({ cpuShare }) => cpuShare))),
  };
}

function medianLatencies(turns: readonly Turn[]): Percentiles {
  const summaries = turns.map(({ closedLoop, openLoop }) => (openLoop ?? closedLoop).latencyMs);
  const middle = (pick: (latencies: Percentiles) => number) => rounded(median(summaries.map(pick)));
  return {
    p50: middle(({ p50 }) => p50),
    p90: middle(({ p90 }) => p90),
    p99: middle(({ p99 }) => p99),
    max: middle(({ max }) => max),
  };
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
