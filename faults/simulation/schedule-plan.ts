import type { Random } from '../plan/random.ts';
import type { ControlsPlan } from './controls-plan.ts';
import type { Extreme } from './extremes.ts';
import { drawOperators, type OperatorPlan } from './operator-plan.ts';
import type { Operator } from './service-core.ts';
import { drawWindows, type Window } from './windows.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ORDERS_WITHIN_MS = 20 * MINUTE_MS;
const HEALS_AT_MS = 3 * HOUR_MS;
/** Long enough for two inquiries, which are half an hour apart on the first day. */
const CALM_MS = 1.5 * HOUR_MS;
/** Longer than the schedule of inquiries, which ends after 72 hours. */
const LONG_CALM_MS = 80 * HOUR_MS;
const BURSTS_MAX = 4;
const BURST_MS = 3_000;

export type OrderPlan = Readonly<{
  reference: string;
  bookId: string;
  walletId: string;
  amountMinor: bigint;
  phone: string;
  operator: Operator;
  key: string | null;
  atMs: number;
  /** How often the merchant sends the order when no answer comes. */
  triesMax: number;
  /** The merchant uses the reference again, for the same or another amount. */
  againAtMs: number | null;
  againMinor: bigint;
  cancelAtMs: number | null;
}>;

export type SchedulePlan = Readonly<{
  machines: number;
  wallets: readonly Readonly<{ bookId: string; id: string; fundedMinor: bigint }>[];
  fee: Readonly<{ fixedMinor: bigint; basisPoints: number }>;
  operators: readonly OperatorPlan[];
  orders: readonly OrderPlan[];
  databaseOutages: readonly Window[];
  /** Of 1,000 steps of a process, how often it dies or is paused. */
  faultsPerMille: number;
  /** Of 1,000 commits, how many have a fault. */
  lostCommitsPerMille: number;
  /** Only in some worlds, even where it is allowed, because most bugs show best without it. */
  wallClocksJump: boolean;
  extremes: ReadonlySet<Extreme>;
  /** Null: every payout leaves at once, and no person decides. */
  controls: ControlsPlan | null;
  forgedCallbacks: number;
  healsAtMs: number;
  endsAtMs: number;
}>;

/** Draws all properties of a world before anything runs. */
export function drawSchedulePlan(random: Random, extremes: ReadonlySet<Extreme>): SchedulePlan {
  const operators = drawOperators(random, HEALS_AT_MS);
  const wallets = drawWallets(random);
  const isRough = random.chance(850);
  return {
    machines: random.between(1, 4),
    wallets,
    fee: { fixedMinor: BigInt(random.pick([0, 25])), basisPoints: random.pick([0, 150]) },
    operators,
    orders: drawOrders(random, { operators, wallets }),
    databaseOutages: drawWindows(random, {
      countMax: isRough ? 2 : 0,
      lengthMaxMs: 5 * MINUTE_MS,
      healsAtMs: 2 * ORDERS_WITHIN_MS,
    }),
    faultsPerMille: isRough ? random.between(0, 12) : 0,
    lostCommitsPerMille: isRough ? random.pick([10, 50, 120, 300]) : 0,
    wallClocksJump: isRough && random.chance(500) && extremes.has('wall clocks'),
    extremes,
    controls: null,
    forgedCallbacks: random.between(0, 10),
    healsAtMs: HEALS_AT_MS,
    endsAtMs: HEALS_AT_MS + (random.chance(30) ? LONG_CALM_MS : CALM_MS),
  };
}

function drawWallets(random: Random): SchedulePlan['wallets'] {
  return Array.from({ length: random.between(1, 3) }, (_, index) => ({
    bookId: `book-${(index % 2) + 1}`,
    id: `wallet-${index + 1}`,
    // Some wallets have too little money for all orders.
    fundedMinor: BigInt(random.pick([20_000, 200_000, 2_000_000])),
  }));
}

type Among = Pick<SchedulePlan, 'operators' | 'wallets'>;

function drawOrders(random: Random, among: Among): readonly OrderPlan[] {
  const burstsAtMs = Array.from({ length: random.between(1, BURSTS_MAX) }, () =>
    random.between(0, ORDERS_WITHIN_MS),
  );
  return Array.from({ length: random.between(20, 60) }, (_, index) => {
    const burstAtMs = burstsAtMs[index % burstsAtMs.length] ?? 0;
    return drawOrder(random, among, { index, atMs: burstAtMs + random.between(0, BURST_MS) });
  });
}

function drawOrder(
  random: Random,
  { operators, wallets }: Among,
  { index, atMs }: Readonly<{ index: number; atMs: number }>,
): OrderPlan {
  const wallet = wallets[random.between(0, wallets.length - 1)];
  const operator = operators[random.between(0, operators.length - 1)];
  if (wallet === undefined || operator === undefined) throw new Error('an empty world');
  const amountMinor = BigInt(random.between(1, 10_000));
  const waitMs = random.between(0, random.pick([500, 30_000, 30 * MINUTE_MS]));
  return {
    reference: `order-${index + 1}`,
    bookId: wallet.bookId,
    walletId: wallet.id,
    amountMinor,
    phone: `+2609700${String(index).padStart(5, '0')}`,
    operator: operator.operator,
    key: random.chance(300) ? `key-${index + 1}` : null,
    atMs,
    triesMax: random.between(1, 4),
    againAtMs: random.chance(150) ? atMs + waitMs : null,
    againMinor: random.chance(500) ? amountMinor : amountMinor + 1n,
    cancelAtMs: random.chance(250) ? atMs + random.between(0, waitMs) : null,
  };
}
