import { median } from '../load/latencies.ts';
import type { Turn } from '../scenario.ts';
import type { Cost } from '../sides/running-side.ts';
import type { Turns } from './measured.ts';

type RatioRule = Readonly<{
  key: string;
  what: string;
  better: 'more' | 'less';
  /** The bar that it must reach, and the goal. */
  bar: number;
  goal: number;
  /** Whose CPU is shown beside it. */
  runner: string;
  /** Empty if it was not measured. */
  byRound: (turns: Turns) => readonly number[];
}>;

const perSecond = (turn: Turn) => turn.perSecond;
const p50 = (turn: Turn) => turn.latencyMs.p50;
/** Not a number where the system does not tell it. */
const cpuUs = ({ cost }: Turn) => (cost === undefined ? Number.NaN : totalUs(cost));
const p99 = (turn: Turn) => turn.latencyMs.p99;

const RATIO_RULES: readonly RatioRule[] = [
  {
    key: 'hot_ceiling',
    what: 'initiate-hot ÷ ceiling',
    better: 'more',
    bar: 0.35,
    goal: 0.6,
    runner: 'initiate-hot',
    byRound: quotient(perSecond, 'initiate-hot', 'ceiling'),
  },
  {
    key: 'hot_per_request',
    what: 'initiate-hot ÷ per-request',
    better: 'more',
    bar: 8,
    goal: 20,
    runner: 'initiate-hot',
    byRound: quotient(perSecond, 'initiate-hot', 'per-request'),
  },
  {
    key: 'policy_none',
    what: 'a policy of 200 simple rules ÷ none',
    better: 'more',
    bar: 0.9,
    goal: 1,
    runner: 'policy-rules',
    byRound: quotient(perSecond, 'policy-rules', 'policy-none'),
  },
  {
    key: 'spread_ceiling',
    what: 'initiate-spread ÷ ceiling',
    better: 'more',
    bar: 0.25,
    goal: 0.5,
    runner: 'initiate-spread',
    byRound: quotient(perSecond, 'initiate-spread', 'ceiling'),
  },
  {
    key: 'cells_one',
    what: 'CPU of a transfer in 8 cells ÷ in one',
    better: 'less',
    bar: 1.25,
    goal: 1.1,
    runner: 'cells-8',
    byRound: quotient(cpuUs, 'cells-8', 'cells-1'),
  },
  {
    key: 'cells_two_servers',
    what: 'CPU of a transfer in 8 cells of two servers ÷ in one',
    better: 'less',
    bar: 1.25,
    goal: 1.1,
    runner: 'cells-two-servers',
    byRound: quotient(cpuUs, 'cells-two-servers', 'cells-1'),
  },
  {
    key: 'low_latency',
    what: 'initiate-low p50 ÷ per-request-low p50',
    better: 'less',
    bar: 1.2,
    goal: 1,
    runner: 'initiate-low',
    byRound: quotient(p50, 'initiate-low', 'per-request-low'),
  },
  {
    key: 'bulk_hot',
    what: 'bulk, transfers/s ÷ initiate-hot',
    better: 'more',
    bar: 2,
    goal: 5,
    runner: 'bulk',
    byRound: quotient(perSecond, 'bulk', 'initiate-hot'),
  },
  {
    key: 'settle_ceiling',
    what: 'settle, transfers/s ÷ ceiling',
    better: 'more',
    bar: 0.15,
    goal: 0.4,
    runner: 'settle',
    byRound: quotient(perSecond, 'settle', 'ceiling'),
  },
  {
    key: 'settle_among_many',
    what: 'settle-among-many ÷ settle',
    better: 'more',
    bar: 0.8,
    goal: 1,
    runner: 'settle-among-many',
    byRound: quotient(perSecond, 'settle-among-many', 'settle'),
  },
  {
    key: 'end_to_end_ceiling',
    what: 'end-to-end, transfers/s ÷ ceiling',
    better: 'more',
    bar: 0.06,
    goal: 0.15,
    runner: 'end-to-end',
    byRound: quotient(perSecond, 'end-to-end', 'ceiling'),
  },
  {
    key: 'growth',
    what: '2,000,000 finished transfers ÷ empty',
    better: 'more',
    bar: 0.85,
    goal: 1,
    runner: 'growth-full',
    byRound: quotient(perSecond, 'growth-full', 'growth-empty'),
  },
  {
    key: 'overload',
    what: 'stored at twice the limit ÷ best',
    better: 'more',
    bar: 0.9,
    goal: 1,
    runner: 'overload-twice',
    byRound: quotient(perSecond, 'overload-twice', 'overload-best'),
  },
  {
    key: 'backlog_latency',
    what: "others' p99 during the drain ÷ idle",
    better: 'less',
    bar: 5,
    goal: 2,
    runner: 'backlog-drain',
    byRound: quotient(p99, 'backlog-drain', 'backlog-idle'),
  },
  {
    key: 'backlog_memory_mb',
    what: 'service memory at 100,000 in the backlog, MB',
    better: 'less',
    bar: 400,
    goal: 250,
    runner: 'backlog-drain',
    byRound: figure('backlog-drain', 'memoryMb'),
  },
  {
    key: 'payout_file_seconds',
    what: 'a payout file of 50,000 rows, until checked, seconds',
    better: 'less',
    bar: 10,
    goal: 5,
    runner: 'payout-file',
    byRound: figure('payout-file', 'checkedAfterSeconds'),
  },
];

/** Whether a ratio is better when it is small, such as one of latencies or memory. */
export function isLessBetter(key: string): boolean {
  return RATIO_RULES.find((rule) => rule.key === key)?.better === 'less';
}

export type Ratio = Readonly<{
  key: string;
  what: string;
  value: number;
  /** CPU of the measured side for one transfer or answer, server and PostgreSQL together; null if unknown. */
  cpuUs: number | null;
  bar: string;
  goal: string;
  reached: boolean;
  goalReached: boolean;
}>;

/**
 * Every ratio whose scenarios were measured. The two are compared round by round, when the machine was equally busy for
 * both, and the figure is the median.
 */
export function ratiosOf(turns: Turns): readonly Ratio[] {
  return RATIO_RULES.flatMap(({ key, what, better, bar, goal, runner, byRound }) => {
    const rounds = byRound(turns);
    if (rounds.length === 0) return [];
    const value = median(rounds);
    const costs = (turns.get(runner) ?? []).flatMap(({ full }) => full.cost ?? []);
    const reaches = (wanted: number) => (better === 'more' ? value >= wanted : value <= wanted);
    const sign = better === 'more' ? '≥' : '≤';
    return [
      {
        key,
        what,
        value,
        cpuUs: costs.length === 0 ? null : median(costs.map(totalUs)),
        bar: `${sign} ${bar}`,
        goal: `${sign} ${goal}`,
        reached: reaches(bar),
        goalReached: reaches(goal),
      },
    ];
  });
}

function totalUs({ serverUs, postgresUs }: Cost): number {
  return serverUs + postgresUs;
}

function quotient(of: (turn: Turn) => number, above: string, below: string) {
  return (turns: Turns): readonly number[] => {
    const divisors = turns.get(below) ?? [];
    const dividends = turns.get(above) ?? [];
    return dividends.flatMap(({ full }, round) => {
      const divisor = divisors[round]?.full;
      const ratio = divisor === undefined ? Number.NaN : of(full) / of(divisor);
      return Number.isNaN(ratio) ? [] : [ratio];
    });
  };
}

function figure(runner: string, name: string) {
  return (turns: Turns): readonly number[] =>
    (turns.get(runner) ?? []).flatMap(({ full }) => {
      const value = full.figures?.[name] ?? Number.NaN;
      return Number.isNaN(value) ? [] : [value];
    });
}
