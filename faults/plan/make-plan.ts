import { createHash } from 'node:crypto';
import { makeCellFaults, makeCells } from './make-cells.ts';
import { makeControls } from './make-controls.ts';
import { makeCalmFaults, makeFaults, makeFurtherFaults } from './make-faults.ts';
import { makeOppositeOrders } from './make-opposite-orders.ts';
import { makeOrders } from './make-orders.ts';
import { makePayroll } from './make-payroll.ts';
import { addControlFailpoints, makeSystem } from './make-system.ts';
import type { ClientPlan, Plan, SystemPlan } from './plan.ts';
import type { Calm, Focus, PlanSize } from './plan-size.ts';
import { createRandom, type Random } from './random.ts';

export const SEED_MAX = 2 ** 32 - 1;
const DIGEST_LENGTH = 16;
const LIVE_PER_MILLE = 500;
const LIMITED_PER_MILLE = 200;
const CALM_PER_MILLE = 60;
const CONTROLLED_PER_MILLE = 500;
/** A few orders stay below this limit, many exceed it. */
const DAILY_LIMIT_MIN_MINOR = 100_000;
const DAILY_LIMIT_MAX_MINOR = 400_000;
const BULK_AMOUNT_MAX_MINOR = 5_000;
const BULK_CALLS = 4;
const BULK_SIZE_MIN = 2;
const BULK_SIZE_MAX = 6;

/** Makes all decisions of a seed before anything runs. */
export function makePlan(seed: number, size: PlanSize, cellCount = 1): Plan {
  const plan = makeWithoutCells(seed, size);
  const cells = makeCells(seed, { cells: cellCount, size, system: plan.system });
  if (cells === null) return plan;
  const further = plan.calm ? [] : makeCellFaults(seed, size);
  const faults = [...plan.faults, ...further].sort((one, other) => one.atMs - other.atMs);
  return { ...plan, faults, cells };
}

function makeWithoutCells(seed: number, size: PlanSize): Plan {
  const random = createRandom(seed, 'fees and clients');
  const focus = size.focus ?? {};
  const fees = random.pick([
    { fixedMinor: 0, basisPoints: 0 },
    { fixedMinor: 50, basisPoints: 0 },
    { fixedMinor: 0, basisPoints: 175 },
    { fixedMinor: 25, basisPoints: 33 },
  ]);
  // Large amounts empty the wallets during the run, so that orders compete for the rest.
  const amountMaxMinor = random.pick([50_000, 50_000, 6_000_000]);
  const limits = createRandom(seed, 'limits');
  const dailyLimitMinor = limits.chance(focus.limitedPerMille ?? LIMITED_PER_MILLE)
    ? limits.between(DAILY_LIMIT_MIN_MINOR, DAILY_LIMIT_MAX_MINOR)
    : null;
  const calm = focus.calm === undefined ? drawCalm(createRandom(seed, 'calm')) : focus.calm;
  const drawnControls = createRandom(seed, 'controls');
  const isControlled =
    drawnControls.chance(focus.controlledPerMille ?? CONTROLLED_PER_MILLE) && calm === null;
  const drawn = makeSystem(createRandom(seed, 'world'), seed, focus);
  const failpoints =
    isControlled && focus.failpoints === undefined
      ? addControlFailpoints(drawn.failpoints, seed)
      : drawn.failpoints;
  const system = calm === null ? { ...drawn, failpoints } : { ...drawn, ...CALM_SYSTEM };
  const clients: ClientPlan[] = Array.from(
    { length: random.between(size.clientsMin, size.clientsMax) },
    (_, index) => {
      const name = `client-${index + 1}`;
      const orders = makeOrders(createRandom(seed, name), {
        prefix: `s${seed}.${name}`,
        count: size.ordersPerClient,
        amountMaxMinor: focus.amountMaxMinor ?? amountMaxMinor,
        pauseMaxMs: Math.ceil(size.windowMs / size.ordersPerClient),
        livePerMille: focus.livePerMille ?? LIVE_PER_MILLE,
        specialPerMille: focus.specialPerMille,
        flawedPerMille: focus.flawedPerMille,
        operators: system.operators.map((operator) => operator.name),
      });
      return { name, orders, bulkSize: null };
    },
  );
  clients.push(makeBulkClient(seed, { size, system, focus }));
  if (calm !== null) {
    if (calm === 'opposite orders') clients.push(...makeOppositeOrders(seed));
    const faults = makeCalmFaults(createRandom(seed, 'calm faults'), calm);
    return { seed, fees, dailyLimitMinor, system, clients, faults, calm: true, controls: null };
  }
  const faults = [
    ...makeFaults(createRandom(seed, 'faults'), size, system),
    ...makeFurtherFaults(createRandom(seed, 'further faults'), size, system),
  ].sort((one, other) => one.atMs - other.atMs);
  const controls = isControlled
    ? makeControls(drawnControls, {
        seed,
        system,
        windowMs: size.windowMs,
        focus: focus.controls ?? {},
      })
    : null;
  const payday = createRandom(seed, 'payday');
  if (!payday.chance(size.paydaysPerMille)) {
    return { seed, fees, dailyLimitMinor, system, clients, faults, calm: false, controls };
  }
  const payroll = makePayroll(payday, { seed, system });
  return {
    seed,
    fees,
    dailyLimitMinor,
    system,
    clients: [...clients, ...payroll.clients],
    faults: [...payroll.faults, ...faults],
    calm: false,
    controls,
  };
}

/** Null: a normal seed with faults. */
function drawCalm(random: Random): Calm | null {
  if (!random.chance(CALM_PER_MILLE)) return null;
  return random.pick(['locked wallet', 'opposite orders']);
}

/** Two processes without kills or pauses. */
const CALM_SYSTEM = {
  database: 'shared',
  services: 2,
  smallDisk: false,
  failpoints: null,
} as const satisfies Partial<SystemPlan>;

type BulkOptions = Readonly<{ size: PlanSize; system: SystemPlan; focus: Focus }>;

/** A client with bulk calls, whose results must be in the order of the request. */
function makeBulkClient(seed: number, { size, system, focus }: BulkOptions): ClientPlan {
  const name = 'bulk-1';
  const random = createRandom(seed, name);
  const orders = makeOrders(random, {
    prefix: `s${seed}.${name}`,
    count: size.ordersPerClient,
    amountMaxMinor: BULK_AMOUNT_MAX_MINOR,
    pauseMaxMs: Math.ceil(size.windowMs / BULK_CALLS),
    livePerMille: focus.livePerMille ?? LIVE_PER_MILLE,
    specialPerMille: focus.specialPerMille,
    flawedPerMille: 0,
    operators: system.operators.map((operator) => operator.name),
  });
  // A key belongs to one book, so all orders of a call are of the same mode.
  const mode = random.chance(focus.livePerMille ?? LIVE_PER_MILLE) ? 'live' : 'test';
  return {
    name,
    orders: orders.filter((order) => order.mode === mode),
    bulkSize: random.between(BULK_SIZE_MIN, BULK_SIZE_MAX),
  };
}

/** A short hash of the plan: the same digest means the same decisions. */
export function digestPlan(plan: Plan): string {
  return createHash('sha256').update(JSON.stringify(plan)).digest('hex').slice(0, DIGEST_LENGTH);
}
