import { makeOrders } from './make-orders.ts';
import type { ClientPlan, Order } from './plan.ts';
import { createRandom } from './random.ts';

/** The pause before each call, after which both clients wait for each other. */
const PAUSES_MS = [300, 300] as const;
/** Enough orders that storing them takes until the two calls overlap. */
const REFERENCES_PER_CALL = 400;
const AMOUNT_MAX_MINOR = 200;

/**
 * Two clients that order under the same references at once, one from the first to the last and the other from the
 * last to the first. They use different wallets, so that no wallet lock serialises them. Each reference becomes one
 * transfer, and the second client gets 409.
 */
export function makeOppositeOrders(seed: number): readonly ClientPlan[] {
  const orders = makeOrders(createRandom(seed, 'mirrors'), {
    prefix: `s${seed}.mirror`,
    count: PAUSES_MS.length * REFERENCES_PER_CALL,
    amountMaxMinor: AMOUNT_MAX_MINOR,
    pauseMaxMs: 0,
    livePerMille: 0,
    specialPerMille: 0,
    flawedPerMille: 0,
    operators: [],
  });
  const plain = { copies: 1, fates: [], unanswered: 'again', idempotencyKey: null } as const;
  const calls = PAUSES_MS.map((pauseMs, index) =>
    orders
      .slice(index * REFERENCES_PER_CALL, (index + 1) * REFERENCES_PER_CALL)
      .map((order): Order => ({ ...order, ...plain, ...IN_ZAMBIA, afterwards: [], pauseMs })),
  );
  const turned = calls.map((call) => call.toReversed().map(fromOtherWallet));
  return [
    { name: 'mirror-1', orders: calls.flat(), bulkSize: REFERENCES_PER_CALL, meets: true },
    { name: 'mirror-2', orders: turned.flat(), bulkSize: REFERENCES_PER_CALL, meets: true },
  ];
}

/** Another country means another wallet. */
function fromOtherWallet(order: Order): Order {
  return { ...order, ...IN_NIGERIA };
}

const IN_ZAMBIA = { operator: 'mtn', country: 'zm', phone: '+260977818242' } as const;
const IN_NIGERIA = { operator: 'mtn', country: 'ng', phone: '+2348038182423' } as const;
