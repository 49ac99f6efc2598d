import { type LatencySummary, median } from './latencies.ts';
import type { PhaseResult } from './load-phases.ts';
import type { LoadReport } from './load-plan.ts';
import type { Scenario } from './scenarios.ts';

type Percentiles = Omit<LatencySummary, 'count'>;

/** What a scenario showed: medians over its rounds. */
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
  answers: Readonly<Record<string, number>>;
}>;

export function summarize(scenario: Scenario, reports: readonly LoadReport[]): ScenarioSummary {
  const perSecondByRound = reports.map(({ closedLoop }) => Math.round(closedLoop.perSecond));
  const rates = reports.flatMap(({ openLoop }) => openLoop?.ratePerSecond ?? []);
  const phases = reports.flatMap(({ closedLoop, openLoop }) =>
    openLoop === null ? [closedLoop] : [closedLoop, openLoop],
  );
  return {
    what: scenario.what,
    connections: scenario.connections,
    wallets: scenario.wallets,
    perSecond: median(perSecondByRound),
    perSecondByRound,
    latencyMs: medianLatencies(reports.map(({ closedLoop, openLoop }) => openLoop ?? closedLoop)),
    ratePerSecond: rates.length === 0 ? null : median(rates),
    loadCpuShare: rounded(Math.max(...phases.map(({ cpuShare }) => cpuShare))),
    answers: sumAnswers(reports),
  };
}

function medianLatencies(phases: readonly PhaseResult[]): Percentiles {
  const middle = (pick: (latencies: Percentiles) => number) =>
    rounded(median(phases.map(({ latencyMs }) => pick(latencyMs))));
  return {
    p50: middle(({ p50 }) => p50),
    p90: middle(({ p90 }) => p90),
    p99: middle(({ p99 }) => p99),
    max: middle(({ max }) => max),
  };
}

function sumAnswers(reports: readonly LoadReport[]): Record<string, number> {
  const answers: Record<string, number> = {};
  for (const { statuses } of reports) {
    for (const [status, count] of Object.entries(statuses)) {
      answers[status] = (answers[status] ?? 0) + count;
    }
  }
  return answers;
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
