import type { ScenarioName } from './scenarios.ts';

/** The medians of a scenario that ratios are made of. */
export type Medians = Readonly<{ perSecond: number; p50Ms: number }>;

type RatioRule = Readonly<{
  key: string;
  what: string;
  of: ScenarioName;
  to: ScenarioName;
  figure: keyof Medians;
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
    figure: 'p50Ms',
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

/** Every ratio whose two scenarios were both measured. */
export function ratiosOf(medians: ReadonlyMap<ScenarioName, Medians>): readonly Ratio[] {
  return RATIO_RULES.flatMap(({ key, what, of, to, figure, bar }) => {
    const [above, below] = [medians.get(of), medians.get(to)];
    if (above === undefined || below === undefined) return [];
    const value = above[figure] / below[figure];
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
