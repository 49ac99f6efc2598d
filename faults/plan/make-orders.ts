import type { Fate } from '../proxy/fate.ts';
import { makeAmountText, makePhone } from './make-spellings.ts';
import type { Country, Flaw, FollowUp, Order } from './plan.ts';
import type { Random } from './random.ts';

const COPIES_MAX = 8;
const FATES_MAX = 3;
const FOLLOW_UPS_MAX = 3;
const FOLLOW_UP_PAUSE_MAX_MS = 200;
const DELAY_MAX_MS = 400;
const ANSWER_BYTES_MAX = 600;
const FLAWED_PER_MILLE = 120;
const KEYED_PER_MILLE = 500;

const FLAWS: readonly [Flaw, ...Flaw[]] = [
  'three decimals',
  'zero',
  'amount as text',
  'foreign phone',
  'unknown field',
  'unknown wallet',
  'live wallet',
  'wallet of the other currency',
  'more than there is',
  'wrong key',
];

export type OrderBounds = Readonly<{
  prefix: string;
  count: number;
  amountMaxMinor: number;
  pauseMaxMs: number;
}>;

export function makeOrders(random: Random, bounds: OrderBounds): readonly Order[] {
  return Array.from({ length: bounds.count }, (_, index) =>
    makeOrder(random, bounds, `${bounds.prefix}.${index + 1}`),
  );
}

function makeOrder(random: Random, bounds: OrderBounds, reference: string): Order {
  const country = random.pick<Country>(['zm', 'ng']);
  const idempotencyKey = random.chance(KEYED_PER_MILLE) ? `key ${reference}` : null;
  const flaw = random.chance(FLAWED_PER_MILLE) ? random.pick(FLAWS) : null;
  const { phone, mayBeCancelled } = makePhone(random, country);
  return {
    pauseMs: random.between(0, bounds.pauseMaxMs),
    reference,
    amountText: makeAmountText(random, random.between(1, bounds.amountMaxMinor)),
    phone,
    operator: random.pick(['airtel', 'mtn', 'zamtel', 'vodacom']),
    country,
    narration: random.chance(300) ? random.pick(['wages', "O'Brien & Söhne", 'thanks 🎉']) : null,
    recipientName: random.chance(200) ? 'Chanda Phiri' : null,
    idempotencyKey,
    flaw,
    copies: random.chance(100) ? random.between(2, COPIES_MAX) : 1,
    fates: Array.from({ length: random.between(0, FATES_MAX) }, () => makeFate(random)),
    unanswered: random.pick(['again', 'again', 'again', 'again later', 'look up later', 'nothing']),
    afterwards:
      flaw === null
        ? makeFollowUps(random, { mayBeCancelled, keyed: idempotencyKey !== null })
        : [],
  };
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
    fate: random.chance(700) ? ({ kind: 'clean' } as const) : makeFate(random),
  }));
  // Only these can be caught in time, so half of them are tried.
  if (order.mayBeCancelled && random.chance(500)) {
    return [{ kind: 'cancel', pauseMs: 0, fate: makeFate(random) }, ...followUps];
  }
  return followUps;
}

function makeFate(random: Random): Fate {
  const kind = random.pick<Fate['kind']>([
    'clean',
    'clean',
    'delay request',
    'delay answer',
    'cut request',
    'cut after request',
    'drop answer',
    'cut answer',
  ]);
  switch (kind) {
    case 'clean':
      return { kind };
    case 'delay request':
    case 'delay answer':
      return { kind, delayMs: random.between(1, DELAY_MAX_MS) };
    case 'cut request':
      return { kind, perMille: random.between(0, 999), reset: random.chance(500) };
    case 'cut after request':
    case 'drop answer':
      return { kind, reset: random.chance(500) };
    case 'cut answer':
      return { kind, afterBytes: random.between(1, ANSWER_BYTES_MAX) };
    default: {
      const unhandled: never = kind;
      throw new Error(`unhandled ${String(unhandled)}`);
    }
  }
}
