import type { Random } from '../plan/random.ts';
import type { Abilities, Operator } from './service-core.ts';
import { drawWindows, type Window } from './windows.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * How an operator treats one payout that reached it. What a name does not say: it executes what it
 * was asked to, at once, and answers so.
 */
export type Treatment =
  | 'pays'
  | 'pays, never answers'
  | 'pays, answers unreadably'
  | 'pays later'
  | 'pays much later, not found until then'
  | 'pays another amount'
  | 'pays another amount, tells it once'
  | 'pays, says that it takes nothing'
  | 'pays, returns it later'
  | 'pays, denies it for a while'
  | 'rejects'
  | 'rejects, never answers'
  | 'rejects later';

export type OperatorPlan = Readonly<{
  /** Of the route to it. */
  name: string;
  operator: Operator;
  abilities: Abilities;
  /** How long a payout may travel and stay unknown to inquiries before it is executed. */
  lagMaxMs: number;
  /** Of a thousand submissions, how many are lost before its books, without an answer. */
  lossesPerMille: number;
  /** It takes no submissions, and says when to come again. */
  throttles: readonly Window[];
  /** It answers no inquiries, and says when to ask again. */
  inquiryThrottles: readonly Window[];
  treatments: readonly Readonly<{ treatment: Treatment; weight: number }>[];
  /** Of a thousand connections, how many are refused at any time. */
  refusalsPerMille: number;
  /** Nobody can connect. */
  outages: readonly Window[];
  /** Payouts arrive and are treated, and no answer comes back. */
  silences: readonly Window[];
  /** Questions are not answered. */
  inquiryOutages: readonly Window[];
  /** It stands still: what arrives waits until it goes on, and so do answers and its own work. */
  standstills: readonly Window[];
  /** The operator takes nothing new, and says so. */
  closures: readonly Window[];
  /** Of a thousand payouts that ended, how many are told by a callback. */
  callbacksPerMille: number;
  concurrency: number;
}>;

/** Shorter than the 15 minutes after which "not found" may be believed: else it would not be final. */
const FINAL_LAG_MAX_MS = 5 * MINUTE_MS;
/** Longer than anybody asks: some payouts are executed after everybody gave up. */
const OPEN_LAG_MAX_MS = 100 * HOUR_MS;

const NEITHER = { resolvesNames: false, unconfirmedSuccessWaitMs: null, referenceMemoryMs: 0 };
/** Some end while doubts are being asked about, some after everything has ended. */
const MEMORIES_MS = [25 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS, 12 * HOUR_MS] as const;
const PROFILES: readonly [Abilities, ...Abilities[]] = [
  { ...NEITHER, deduplicates: true, inquires: true, notFoundIsFinal: true },
  { ...NEITHER, deduplicates: true, inquires: true, notFoundIsFinal: false },
  { ...NEITHER, deduplicates: false, inquires: true, notFoundIsFinal: true },
  { ...NEITHER, deduplicates: false, inquires: false, notFoundIsFinal: false },
];

const WEIGHTS: Readonly<Record<Treatment, number>> = {
  pays: 10,
  'pays, never answers': 4,
  'pays, answers unreadably': 3,
  'pays later': 4,
  'pays much later, not found until then': 4,
  'pays another amount': 1,
  'pays another amount, tells it once': 1,
  'pays, says that it takes nothing': 2,
  'pays, returns it later': 1,
  'pays, denies it for a while': 2,
  rejects: 4,
  'rejects, never answers': 2,
  'rejects later': 2,
};

const OPERATORS: readonly Operator[] = ['airtel', 'mtn', 'zamtel'];
const ROUTES_PER_OPERATOR_MAX = 2;

/** One to three operators, each reached by one or two routes that know nothing of each other. */
export function drawOperators(random: Random, healsAtMs: number): readonly OperatorPlan[] {
  return OPERATORS.slice(0, random.between(1, OPERATORS.length)).flatMap((operator) =>
    Array.from({ length: random.between(1, ROUTES_PER_OPERATOR_MAX) }, (_, index) =>
      drawOperator(random, { operator, name: `${operator}-${index + 1}`, healsAtMs }),
    ),
  );
}

function drawOperator(
  random: Random,
  { operator, name, healsAtMs }: Readonly<{ operator: Operator; name: string; healsAtMs: number }>,
): OperatorPlan {
  const profile = random.pick(PROFILES);
  const referenceMemoryMs = profile.deduplicates ? random.pick(MEMORIES_MS) : 0;
  const abilities = { ...profile, referenceMemoryMs };
  // A well-behaved operator now and then, since normal days have bugs of their own.
  const calm = random.chance(250);
  const window = (lengthMaxMs: number) =>
    drawWindows(random, { countMax: calm ? 0 : 2, lengthMaxMs, healsAtMs });
  return {
    name,
    operator,
    abilities,
    lagMaxMs: abilities.notFoundIsFinal ? FINAL_LAG_MAX_MS : OPEN_LAG_MAX_MS,
    lossesPerMille: calm ? 0 : random.pick([0, 50, 300]),
    throttles: window(HOUR_MS),
    inquiryThrottles: window(HOUR_MS),
    treatments: drawTreatments(random, calm),
    refusalsPerMille: calm ? 0 : random.pick([0, 50, 300, 600]),
    outages: window(HOUR_MS),
    silences: window(HOUR_MS),
    inquiryOutages: window(3 * HOUR_MS),
    standstills: drawWindows(random, {
      countMax: calm ? 0 : 1,
      lengthMaxMs: 2 * HOUR_MS,
      healsAtMs,
    }),
    closures: window(HOUR_MS),
    callbacksPerMille: random.pick([0, 300, 1_000]),
    concurrency: random.pick([2, 8, 100]),
  };
}

function drawTreatments(random: Random, calm: boolean): OperatorPlan['treatments'] {
  const names = Object.keys(WEIGHTS) as Treatment[];
  return names.map((treatment) => {
    const isNormal = treatment === 'pays' || treatment === 'rejects';
    const weight = calm && !isNormal ? 0 : WEIGHTS[treatment] * random.between(0, 3);
    return { treatment, weight: treatment === 'pays' ? weight + 1 : weight };
  });
}
