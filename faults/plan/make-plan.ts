import { createHash } from 'node:crypto';
import { makeFaults } from './make-faults.ts';
import { makeOrders } from './make-orders.ts';
import { makePayroll } from './make-payroll.ts';
import { makeWorld } from './make-world.ts';
import type { Plan } from './plan.ts';
import type { PlanSize } from './plan-size.ts';
import { createRandom } from './random.ts';

export const SEED_MAX = 2 ** 32 - 1;
const DIGEST_LENGTH = 16;
const LIVE_PER_MILLE = 500;

/** Everything that follows from a seed, decided before anything runs. */
export function makePlan(seed: number, size: PlanSize): Plan {
  const random = createRandom(seed, 'fees and clients');
  const focus = size.focus ?? {};
  const fees = random.pick([
    { fixedMinor: 0, basisPoints: 0 },
    { fixedMinor: 50, basisPoints: 0 },
    { fixedMinor: 0, basisPoints: 175 },
    { fixedMinor: 25, basisPoints: 33 },
  ]);
  // Large amounts empty the wallets halfway, so that orders compete for the rest.
  const amountMaxMinor = random.pick([50_000, 50_000, 6_000_000]);
  const world = makeWorld(createRandom(seed, 'world'), seed, focus);
  const clients = Array.from(
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
        operators: world.operators.map((operator) => operator.name),
      });
      return { name, orders };
    },
  );
  const faults = makeFaults(createRandom(seed, 'faults'), size, world);
  const payday = createRandom(seed, 'payday');
  if (!payday.chance(size.paydaysPerMille)) return { seed, fees, world, clients, faults };
  const payroll = makePayroll(payday, { seed, world });
  return {
    seed,
    fees,
    world,
    clients: [...clients, ...payroll.clients],
    faults: [...payroll.faults, ...faults],
  };
}

/** Short enough to compare by eye: the same digest means the same decisions. */
export function digestPlan(plan: Plan): string {
  return createHash('sha256').update(JSON.stringify(plan)).digest('hex').slice(0, DIGEST_LENGTH);
}
