import type { Random } from '../plan/random.ts';
import type { Abilities, Operator } from './service-core.ts';
import { drawWindows, type Window } from './windows.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * How an operator treats one payout that reached it. Unless the name says otherwise, it executes the payout at
 * once as ordered and answers accordingly.
 */
export type PayoutBehaviour =
  | 'pays'
  | 'pays, never answers'
  | 'pays, answers unreadably'
  | 'pays later'
  | 'pays much later, not found until then'
  | 'pays another amount'
  | 'pays another amount, reports it once'
  | 'pays, says that it takes nothing'
  | 'pays, returns it later'
  | 'pays, denies it for a while'
  | 'rejects'
  | 'rejects, never answers'
  | 'rejects later';

export type OperatorPlan = Readonly<{
  /** The name of its route. */
  name: string;
  operator: Operator;
  abilities: Abilities;
  /** How long a payout may stay invisible to inquiries before it is executed. */
  lagMaxMs: number;
  /** Of 1,000 submissions, how many are lost before they are recorded, without an answer. */
  lossesPerMille: number;
  /** Times when it refuses submissions with a Retry-After. */
  throttles: readonly Window[];
  /** Times when it refuses inquiries with a Retry-After. */
  inquiryThrottles: readonly Window[];
  treatments: readonly Readonly<{ behaviour: PayoutBehaviour; weight: number }>[];
  /** Of 1,000 connections, how many are refused at any time. */
  refusalsPerMille: number;
  /** Times when every connection is refused. */
  outages: readonly Window[];
  /** Times when payouts are executed but not answered. */
  silences: readonly Window[];
  /** Times when inquiries are not answered. */
  inquiryOutages: readonly Window[];
  /** Times when it is paused: requests, answers and its own work wait until it continues. */
  standstills: readonly Window[];
  /** Times when it refuses new payouts with a clear answer. */
  closures: readonly Window[];
  /** Of 1,000 ended payouts, how many get a callback. */
  callbacksPerMille: number;
  concurrency: number;
}>;

/** Shorter than the 15 minutes after which "not found" counts; otherwise "not found" would not be final. */
const FINAL_LAG_MAX_MS = 5 * MINUTE_MS;
/** Longer than the schedule of inquiries: some payouts are executed after the last one. */
const OPEN_LAG_MAX_MS = 100 * HOUR_MS;

const NEITHER = {
  resolvesNames: false,
  reportsBalance: false,
  signedCallbacksAreFinal: false,
  unconfirmedSuccessWaitMs: null,
  referenceMemoryMs: 0,
};
/** Some are shorter than the inquiries about a doubt, some longer than the whole schedule. */
const MEMORIES_MS = [25 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS, 12 * HOUR_MS] as const;
const PROFILES: readonly [Abilities, ...Abilities[]] = [
  { ...NEITHER, deduplicates: true, inquires: true, notFoundIsFinal: true },
  { ...NEITHER, deduplicates: true, inquires: true, notFoundIsFinal: false },
  { ...NEITHER, deduplicates: false, inquires: true, notFoundIsFinal: true },
  { ...NEITHER, deduplicates: false, inquires: false, notFoundIsFinal: false },
];

const WEIGHTS: Readonly<Record<PayoutBehaviour, number>> = {
  pays: 10,
  'pays, never answers': 4,
  'pays, answers unreadably': 3,
  'pays later': 4,
  'pays much later, not found until then': 4,
  'pays another amount': 1,
  'pays another amount, reports it once': 1,
  'pays, says that it takes nothing': 2,
  'pays, returns it later': 1,
  'pays, denies it for a while': 2,
  rejects: 4,
  'rejects, never answers': 2,
  'rejects later': 2,
};

const OPERATORS: readonly Operator[] = ['airtel', 'mtn', 'zamtel'];
const ROUTES_PER_OPERATOR_MAX = 2;

/** One to three operators, each with one or two independent routes. */
export function drawOperators(random: Random, healsAtMs: number): readonly OperatorPlan[] {
  return OPERATORS.slice(0, random.between(1, OPERATORS.length)).flatMap((operator) =>
    Array.from({ length: random.between(1, ROUTES_PER_OPERATOR_MAX) }, (_, index) =>
      drawOperator(random, { operator, name: `${operator}-${index + 1}`, healsAtMs }),
    ),
  );
}

const FINAL_PER_MILLE = 700;

/** Declares that the signed callbacks of some operators are final, and has them call about most payouts. */
export function makeCallbacksFinal(
  random: Random,
  operators: readonly OperatorPlan[],
): readonly OperatorPlan[] {
  return operators.map((operator) => {
    const { abilities } = operator;
    const mayBe = abilities.deduplicates && abilities.inquires;
    if (!mayBe || !random.chance(FINAL_PER_MILLE)) return operator;
    const callbacksPerMille = random.pick([500, 900, 1_000]);
    const final = { ...abilities, signedCallbacksAreFinal: true };
    return { ...operator, abilities: final, callbacksPerMille };
  });
}

function drawOperator(
  random: Random,
  { operator, name, healsAtMs }: Readonly<{ operator: Operator; name: string; healsAtMs: number }>,
): OperatorPlan {
  const profile = random.pick(PROFILES);
  const referenceMemoryMs = profile.deduplicates ? random.pick(MEMORIES_MS) : 0;
  const abilities = { ...profile, referenceMemoryMs };
  // Some operators behave normally, because normal operation can have bugs too.
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
  const names = Object.keys(WEIGHTS) as PayoutBehaviour[];
  return names.map((behaviour) => {
    const isNormal = behaviour === 'pays' || behaviour === 'rejects';
    const weight = calm && !isNormal ? 0 : WEIGHTS[behaviour] * random.between(0, 3);
    return { behaviour, weight: behaviour === 'pays' ? weight + 1 : weight };
  });
}
