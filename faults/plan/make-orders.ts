import { makeConnectionFault } from './make-connection-fault.ts';
import { makeAmountText, makeLivePhone, makePhone } from './make-spellings.ts';
import type { Country, Flaw, FollowUp, OperatorName, Order } from './plan.ts';
import type { Random } from './random.ts';

/** How often a repeated order is sent at once; 50 simulates a client that retries without limit. */
const COPIES = [2, 3, 4, 5, 6, 7, 50] as const;
const FATES_MAX = 3;
const FOLLOW_UPS_MAX = 3;
const FOLLOW_UP_PAUSE_MAX_MS = 200;
const FLAWED_PER_MILLE = 120;
const KEYED_PER_MILLE = 500;

const FLAWS: readonly [Flaw, ...Flaw[]] = [
  'three decimals',
  'zero',
  'amount as text',
  'foreign phone',
  'unknown field',
  'unknown wallet',
  'wallet of the other mode',
  'wallet of the other currency',
  'more than there is',
  'wrong key',
];

export type OrderBounds = Readonly<{
  prefix: string;
  count: number;
  amountMaxMinor: number;
  pauseMaxMs: number;
  livePerMille: number;
  specialPerMille: number | undefined;
  flawedPerMille: number | undefined;
  /** The operators for live orders. */
  operators: readonly OperatorName[];
}>;

/** The operator and country pairs of each emulator's routes. */
export const PAIRS: Readonly<Record<OperatorName, readonly [Pair, ...Pair[]]>> = {
  mtn: [{ operator: 'mtn', country: 'zm' }],
  airtel: [{ operator: 'airtel', country: 'zm' }],
  zamtel: [{ operator: 'zamtel', country: 'zm' }],
  vodacom: [{ operator: 'vodacom', country: 'zm' }],
  pawapay: [
    { operator: 'mtn', country: 'ng' },
    { operator: 'airtel', country: 'ng' },
  ],
};
type Pair = Readonly<{ operator: string; country: Country }>;

export function makeOrders(random: Random, bounds: OrderBounds): readonly Order[] {
  return Array.from({ length: bounds.count }, (_, index) =>
    makeOrder(random, bounds, `${bounds.prefix}.${index + 1}`),
  );
}

function makeOrder(random: Random, bounds: OrderBounds, reference: string): Order {
  const isLive = random.chance(bounds.livePerMille) && bounds.operators.length > 0;
  const idempotencyKey = random.chance(KEYED_PER_MILLE) ? `key ${reference}` : null;
  const flaw = random.chance(bounds.flawedPerMille ?? FLAWED_PER_MILLE) ? random.pick(FLAWS) : null;
  const { phone, mayBeCancelled, ...pair } = makePayee(random, bounds, isLive);
  return {
    pauseMs: random.between(0, bounds.pauseMaxMs),
    mode: isLive ? 'live' : 'test',
    reference,
    amountText: makeAmountText(random, random.between(1, bounds.amountMaxMinor)),
    phone,
    ...pair,
    narration: random.chance(300) ? random.pick(NARRATIONS) : null,
    recipientName: random.chance(200) ? random.pick(NAMES) : null,
    idempotencyKey,
    flaw,
    copies: random.chance(100) ? random.pick(COPIES) : 1,
    fates: Array.from({ length: random.between(0, FATES_MAX) }, () => makeConnectionFault(random)),
    unanswered: random.pick(['again', 'again', 'again', 'again later', 'look up later', 'nothing']),
    afterwards:
      flaw === null
        ? makeFollowUps(random, { mayBeCancelled, keyed: idempotencyKey !== null })
        : [],
  };
}

/** Invented words, so that a match in a log proves a leak. */
export const NAMES = ['Canaria Phirixyz', "Kanarek O'Quuz"] as const;
export const NARRATIONS = ['quzwages', "O'Brien & Sövne quz", 'thanks quzquz 🎉'] as const;

function makePayee(random: Random, bounds: OrderBounds, isLive: boolean) {
  if (!isLive) {
    const country = random.pick<Country>(['zm', 'ng']);
    const operator = random.pick(['airtel', 'mtn', 'zamtel', 'vodacom']);
    return { ...makePhone(random, country, bounds.specialPerMille), operator, country };
  }
  const name = bounds.operators[random.between(0, bounds.operators.length - 1)] ?? 'mtn';
  const { operator, country } = random.pick(PAIRS[name]);
  const phone = makeLivePhone(random, { operator, country });
  return { phone, mayBeCancelled: false, operator, country };
}

function makeFollowUps(
  random: Random,
  order: Readonly<{ mayBeCancelled: boolean; keyed: boolean }>,
): readonly FollowUp[] {
  const count = random.chance(500) ? 0 : random.between(1, FOLLOW_UPS_MAX);
  const kinds: [FollowUp['kind'], ...FollowUp['kind'][]] = [
    'read',
    'history',
    'cancel',
    'same again',
    'same reference, other amount',
  ];
  if (order.keyed) kinds.push('same key, other reference');
  const followUps = Array.from({ length: count }, () => ({
    kind: random.pick(kinds),
    pauseMs: random.between(0, FOLLOW_UP_PAUSE_MAX_MS),
    fate: random.chance(700) ? ({ kind: 'clean' } as const) : makeConnectionFault(random),
  }));
  // Only these can be cancelled in time, so half of them are tried.
  if (order.mayBeCancelled && random.chance(500)) {
    return [{ kind: 'cancel', pauseMs: 0, fate: makeConnectionFault(random) }, ...followUps];
  }
  return followUps;
}
