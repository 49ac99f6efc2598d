import { createHash } from 'node:crypto';
import { makeFaults } from './make-faults.ts';
import { makeOrders } from './make-orders.ts';
import type { Plan } from './plan.ts';
import { createRandom } from './random.ts';

export const SEED_MAX = 2 ** 32 - 1;
const DIGEST_LENGTH = 16;

/** How much a seed does; a test wants less than a long run. */
export type PlanSize = Readonly<{
  clientsMin: number;
  clientsMax: number;
  ordersPerClient: number;
  faultsMin: number;
  faultsMax: number;
  /** Faults happen in the first so many milliseconds. */
  windowMs: number;
}>;

export const FULL_SIZE: PlanSize = {
  clientsMin: 4,
  clientsMax: 8,
  ordersPerClient: 20,
  faultsMin: 2,
  faultsMax: 5,
  windowMs: 5_000,
};

/** Everything that follows from a seed, decided before anything runs. */
export function makePlan(seed: number, size: PlanSize): Plan {
  const random = createRandom(seed, 'fees and clients');
  const fees = random.pick([
    { fixedMinor: 0, basisPoints: 0 },
    { fixedMinor: 50, basisPoints: 0 },
    { fixedMinor: 0, basisPoints: 175 },
    { fixedMinor: 25, basisPoints: 33 },
  ]);
  // Large amounts empty the wallets halfway, so that orders compete for the rest.
  const amountMaxMinor = random.pick([50_000, 50_000, 6_000_000]);
  const clients = Array.from(
    { length: random.between(size.clientsMin, size.clientsMax) },
    (_, index) => {
      const name = `client-${index + 1}`;
      const orders = makeOrders(createRandom(seed, name), {
        prefix: `s${seed}.${name}`,
        count: size.ordersPerClient,
        amountMaxMinor,
        pauseMaxMs: Math.ceil(size.windowMs / size.ordersPerClient),
      });
      return { name, orders };
    },
  );
  return { seed, fees, clients, faults: makeFaults(createRandom(seed, 'faults'), size) };
}

/** Short enough to compare by eye: the same digest means the same decisions. */
export function digestPlan(plan: Plan): string {
  return createHash('sha256').update(JSON.stringify(plan)).digest('hex').slice(0, DIGEST_LENGTH);
}
