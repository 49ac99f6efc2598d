import { median } from './latencies.ts';
import type { Turn } from './run-bench.ts';
import type { ScenarioName } from './scenarios.ts';

type Figure = 'perSecond' | 'p50';

type RatioRule = Readonly<{
  key: string;
  what: string;
  of: ScenarioName;
  to: ScenarioName;
  figure: Figure;
  /** Throughput should be at least this share, a latency at most. */
  bar: number;
}>;

const RATIO_RULES: readonly RatioRule[] = [
  {
    key: 'hot_ceiling',
    what: 'initiate-hot ÷ ceiling',
    of: 'initiate-hot',
    to: 'ceiling',
    figure: 'perSecond',
    bar: 0.35,
  },
  {
    key: 'hot_per_request',
    what: 'initiate-hot ÷ per-request',
    of: 'initiate-hot',
    to: 'per-request',
    figure: 'perSecond',
    bar: 5,
  },
  {
    key: 'spread_ceiling',
    what: 'initiate-spread ÷ ceiling',
    of: 'initiate-spread',
    to: 'ceiling',
    figure: 'perSecond',
    bar: 0.25,
  },
  {
    key: 'low_latency',
    what: 'initiate-low p50 ÷ per-request-low p50',
    of: 'initiate-low',
    to: 'per-request-low',
    figure: 'p50',
    bar: 1.2,
  },
];

export type Ratio = Readonly<{
  key: string;
  what: string;
  value: number;
  bar: string;
  reached: boolean;
}>;

/**
 * Every ratio whose two scenarios were both measured. The two are held against each other round by
 * round, when the machine was as busy for the one as for the other, and the figure is the median.
 */
export function ratiosOf(
  turns: ReadonlyMap<ScenarioName, readonly Pick<Turn, 'closedLoop'>[]>,
): readonly Ratio[] {
  return RATIO_RULES.flatMap(({ key, what, of, to, figure, bar }) => {
    const above = turns.get(of)?.map((turn) => figureOf(turn, figure)) ?? [];
    const below = turns.get(to)?.map((turn) => figureOf(turn, figure)) ?? [];
    if (above.length === 0 || below.length === 0) return [];
    const byRound = above.map((value, round) => value / (below[round] ?? Number.NaN));
    const value = median(byRound);
    const isThroughput = figure === 'perSecond';
    return [
      {
        key,
        what,
        value,
        bar: `${isThroughput ? '≥' : '≤'} ${bar}`,
        reached: isThroughput ? value >= bar : value <= bar,
      },
    ];
  });
}

function figureOf({ closedLoop }: Pick<Turn, 'closedLoop'>, figure: Figure): number {
  return figure === 'perSecond' ? closedLoop.perSecond : closedLoop.latencyMs.p50;
}
