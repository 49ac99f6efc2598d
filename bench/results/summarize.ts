import { type LatencySummary, median } from '../load/latencies.ts';
import type { Runner, Turn } from '../scenario.ts';
import type { Round } from './measured.ts';

type Percentiles = Omit<LatencySummary, 'count'>;

/** What a runner showed: medians over its rounds. */
export type RunnerSummary = Readonly<{
  what: string;
  connections: number;
  /** Transfers or successful answers at full speed. */
  perSecond: number;
  perSecondByRound: readonly number[];
  /** At `ratePerSecond`; at full speed if there is no rate. */
  latencyMs: Percentiles;
  ratePerSecond: number | null;
  /** CPU time for one transfer or answer at full speed; null if the system does not report it. */
  serverUs: number | null;
  postgresUs: number | null;
  /** The largest share of a core that the process that makes the load used. */
  loadCpuShare: number;
  /** Figures that only this runner has. */
  figures: Readonly<Record<string, number>>;
}>;

export function summarize({ what, connections }: Runner, rounds: readonly Round[]): RunnerSummary {
  const perSecondByRound = rounds.map(({ full }) => Math.round(full.perSecond));
  const rates = rounds.flatMap(({ paced }) => paced?.ratePerSecond ?? []);
  const all = rounds.flatMap(({ full, paced }) => (paced === null ? [full] : [full, paced]));
  return {
    what,
    connections,
    perSecond: median(perSecondByRound),
    perSecondByRound,
    latencyMs: medianLatencies(rounds.map(({ full, paced }) => paced ?? full)),
    ratePerSecond: rates.length === 0 ? null : median(rates),
    serverUs: medianOf(rounds.flatMap(({ full }) => full.cost?.serverUs ?? [])),
    postgresUs: medianOf(rounds.flatMap(({ full }) => full.cost?.postgresUs ?? [])),
    loadCpuShare: rounded(Math.max(...all.map(({ loadCpuShare }) => loadCpuShare))),
    figures: medianFigures(rounds),
  };
}

function medianLatencies(turns: readonly Turn[]): Percentiles {
  const middle = (pick: (latencies: Percentiles) => number) =>
    rounded(median(turns.map(({ latencyMs }) => pick(latencyMs))));
  return {
    p50: middle(({ p50 }) => p50),
    p90: middle(({ p90 }) => p90),
    p99: middle(({ p99 }) => p99),
    max: middle(({ max }) => max),
  };
}

function medianFigures(rounds: readonly Round[]): Readonly<Record<string, number>> {
  const names = new Set(rounds.flatMap(({ full }) => Object.keys(full.figures ?? {})));
  const entries = [...names].map((name) => {
    const values = rounds.flatMap(({ full }) => full.figures?.[name] ?? []);
    return [name, rounded(median(values))] as const;
  });
  return Object.fromEntries(entries);
}

function medianOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : rounded(median(values));
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
