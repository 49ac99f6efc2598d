import { makeOrders } from './make-orders.ts';
import type { ClientPlan, FaultPlan, SystemPlan } from './plan.ts';
import type { Random } from './random.ts';

const CLERKS = 4;
const PEOPLE_PER_CLERK = 75;
const WAGE_MAX_MINOR = 50_000;
/** Earlier than the first order. */
const AWAY_FROM_MS = 50;
/** Longer than all orders take to arrive. */
const AWAY_MIN_MS = 3_000;
const AWAY_MAX_MS = 5_000;

export type Payroll = Readonly<{ clients: readonly ClientPlan[]; faults: readonly FaultPlan[] }>;

/** Hundreds of payouts are ordered while an operator is down, and wait for it when it comes back. */
export function makePayroll(
  random: Random,
  { seed, system }: Readonly<{ seed: number; system: SystemPlan }>,
): Payroll {
  const { name: operator } = system.operators[random.between(0, system.operators.length - 1)] ?? {};
  if (operator === undefined) return { clients: [], faults: [] };
  const clients = Array.from({ length: CLERKS }, (_, index) => {
    const name = `clerk-${index + 1}`;
    const orders = makeOrders(random, {
      prefix: `s${seed}.${name}`,
      count: PEOPLE_PER_CLERK,
      amountMaxMinor: WAGE_MAX_MINOR,
      pauseMaxMs: 0,
      livePerMille: 1_000,
      specialPerMille: 0,
      flawedPerMille: 0,
      operators: [operator],
    });
    // These clients send quickly and have no connection faults.
    const plain = { copies: 1, fates: [], unanswered: 'again', afterwards: [] } as const;
    const paid = orders.map((order) => ({ ...order, ...plain }));
    return { name, orders: paid, bulkSize: null };
  });
  const forMs = random.between(AWAY_MIN_MS, AWAY_MAX_MS);
  const away: FaultPlan = {
    kind: 'operator link',
    atMs: AWAY_FROM_MS,
    operator,
    condition: 'refuse',
    forMs,
  };
  return { clients, faults: [away] };
}
