import { SERVICE_FAILPOINTS } from '../../service/src/telemetry/failpoint.ts';
import {
  OPERATOR_NAMES,
  type OperatorName,
  type OperatorPlan,
  type ReceiverPlan,
  type SystemPlan,
  TWO_ACCOUNTS_OPERATOR,
} from './plan.ts';
import type { Focus } from './plan-size.ts';
import { createRandom, type Random } from './random.ts';

const SHARED_PER_MILLE = 650;
const TWO_SERVICES_PER_MILLE = 500;
const SMALL_DISK_PER_MILLE = 60;
const FAILPOINTS_PER_MILLE = 350;
const SECOND_ACCOUNT_PER_MILLE = 400;
const SHORT_MEMORY_PER_MILLE = 200;
const FINAL_CALLBACKS_PER_MILLE = 500;
const MEMORY_HOURS = 12;
export const SHORT_MEMORY_HOURS = 8;
const OPERATORS_MIN = 2;
const OPERATORS_MAX = 3;
const WEIGHT_MAX = 6;

/** Presets that combine payment or no payment with every kind of answer or none. */
const TROUBLES = [
  'reject',
  'pay-no-answer',
  'pay-then-500',
  'pay-then-400',
  'pay-then-html',
  'pay-then-reset',
  'pay-then-reset-mid-body',
  'lost',
  'execute-late',
  'pending-then-ok',
  'pending-then-failed',
  'pending-for-ever',
  'execute-twice',
  'slow',
  'wrong-amount',
  'wrong-number',
  'contradictory-inquiry',
  'inquiry-down',
  'token-expired',
  'rate-limited',
  'callback-none',
  'callback-twice',
  'callback-early',
  'callback-late',
  'callback-contradictory',
  'callback-forged',
  'callback-out-of-order',
] as const;
/** Drawn from separate streams, so that the weights of existing seeds do not change. */
const FURTHER_TROUBLES = [
  'alternating-inquiry',
  'rate-limited-until-date',
  'rate-limited-but-paid',
  'unavailable-for-now',
] as const;
const OK_WEIGHT = 40;

/** Zamtel answers at once and has neither callbacks nor inquiries, so the other presets have no effect there. */
const ZAMTEL_TROUBLES: readonly string[] = [
  'reject',
  'pay-no-answer',
  'pay-then-500',
  'pay-then-html',
  'pay-then-reset',
  'pay-then-reset-mid-body',
  'lost',
  'slow',
];

const FAILPOINTS_MAX = 3;
const FAILPOINT_ACTIONS = ['kill', 'pause'] as const;
const PROBABILITIES = ['0.01', '0.03', '0.06'] as const;
/** Points that only the merchant with a policy visits, and seldom: they kill more often than others. */
const CONTROL_FAILPOINTS = [
  'screener-answered',
  'decision-committed',
  'file-claimed',
  'file-rows-taken',
  'file-rows-paid',
  'file-rows-recorded',
  'file-ending',
] as const satisfies readonly (typeof SERVICE_FAILPOINTS)[number][];
/**
 * Where every order or answer may pause the service: with 0.06 and impatient clients it stood still for ten minutes of
 * eleven, since what they send meanwhile stops it again.
 */
const POINTS_OF_EVERY_ORDER: readonly string[] = ['after-parse', 'before-answer'];
const ORDER_PAUSE_PROBABILITY = '0.01';
const CONTROL_FAILPOINTS_PER_MILLE = 500;
const CONTROL_PROBABILITIES = ['0.1', '0.3'] as const;
const OTHER_FAILPOINTS: readonly string[] = SERVICE_FAILPOINTS.filter(
  (name) => !CONTROL_FAILPOINTS.some((other) => other === name),
);

export function makeSystem(random: Random, seed: number, focus: Focus): SystemPlan {
  const database = focus.database ?? (random.chance(SHARED_PER_MILLE) ? 'shared' : 'own');
  const twice = random.chance(TWO_SERVICES_PER_MILLE) ? 2 : 1;
  const smallDisk = random.chance(SMALL_DISK_PER_MILLE);
  const failpoints = makeFailpoints(random, seed);
  const drawn = chooseOperators(random, focus).map((name) =>
    addTrouble(seed, makeOperator(random, name, focus), focus),
  );
  const signedCallbacksAreFinal = areCallbacksFinal(seed, { operators: drawn, focus });
  const operators = signedCallbacksAreFinal ? drawn.map(withoutSignedLies) : drawn;
  return {
    database,
    // Only one service can use the embedded server.
    services: database === 'own' ? 1 : (focus.services ?? twice),
    smallDisk: database === 'shared' && smallDisk && focus.faults === undefined,
    operators,
    secondAccount: makeSecondAccount(seed, { operators, focus }),
    receiver: focus.receiver ?? makeReceiver(random),
    referenceMemoryHours: focus.referenceMemoryHours ?? makeMemory(seed),
    signedCallbacksAreFinal,
    failpoints: focus.failpoints === undefined ? failpoints : focus.failpoints,
  };
}

/** Uses its own stream, so that the other plans of existing seeds do not change. */
function areCallbacksFinal(
  seed: number,
  { operators, focus }: Readonly<{ operators: readonly OperatorPlan[]; focus: Focus }>,
): boolean {
  const random = createRandom(seed, 'final callbacks');
  const wanted = focus.signedCallbacksAreFinal ?? random.chance(FINAL_CALLBACKS_PER_MILLE);
  return wanted && operators.some(({ name }) => name === 'pawapay');
}

/** The service then trusts a signed callback, so a false one from the operator itself cannot be recognised. */
function withoutSignedLies(operator: OperatorPlan): OperatorPlan {
  if (operator.name !== 'pawapay') return operator;
  const honest = Object.entries(operator.mix).filter(([name]) => name !== 'callback-contradictory');
  return { ...operator, mix: Object.fromEntries(honest) };
}

function chooseOperators(random: Random, focus: Focus): readonly OperatorName[] {
  const count = random.between(OPERATORS_MIN, OPERATORS_MAX);
  const left: OperatorName[] = [...OPERATOR_NAMES];
  const chosen = Array.from({ length: count }, () =>
    left.splice(random.between(0, left.length - 1), 1),
  );
  return focus.operators ?? chosen.flat();
}

function makeOperator(random: Random, name: OperatorName, focus: Focus): OperatorPlan {
  const weights = TROUBLES.map((preset) => [preset, random.between(0, WEIGHT_MAX)] as const);
  const fitting = weights.filter(
    ([preset, weight]) => weight > 0 && (name !== 'zamtel' || ZAMTEL_TROUBLES.includes(preset)),
  );
  return { name, mix: focus.mix ?? { ok: OK_WEIGHT, ...Object.fromEntries(fitting) } };
}

function addTrouble(seed: number, operator: OperatorPlan, focus: Focus): OperatorPlan {
  if (focus.mix !== undefined || operator.name === 'zamtel') return operator;
  const random = createRandom(seed, `trouble of ${operator.name}`);
  const weights = FURTHER_TROUBLES.map(
    (preset) => [preset, random.between(0, WEIGHT_MAX / 2)] as const,
  );
  const further = Object.fromEntries(weights.filter(([, weight]) => weight > 0));
  return { ...operator, mix: { ...operator.mix, ...further } };
}

/** Uses its own stream, so that the plans of existing seeds do not change. */
function makeSecondAccount(
  seed: number,
  { operators, focus }: Readonly<{ operators: readonly OperatorPlan[]; focus: Focus }>,
): OperatorPlan | null {
  const random = createRandom(seed, 'second account');
  const wanted = focus.secondAccount ?? random.chance(SECOND_ACCOUNT_PER_MILLE);
  const has = operators.some(({ name }) => name === TWO_ACCOUNTS_OPERATOR);
  return wanted && has ? makeOperator(random, TWO_ACCOUNTS_OPERATOR, focus) : null;
}

/** At the routes' time scale the longer value is 1.5 minutes; the shorter one is too short for any resubmission. */
function makeMemory(seed: number): number {
  const isShort = createRandom(seed, 'reference memory').chance(SHORT_MEMORY_PER_MILLE);
  return isShort ? SHORT_MEMORY_HOURS : MEMORY_HOURS;
}

function makeReceiver(random: Random): ReceiverPlan {
  const often = () => random.pick([0, 30, 100, 250]);
  return { http500: often(), slow: often(), hang: random.pick([0, 0, 20]), reset: often() };
}

function makeFailpoints(random: Random, seed: number): string | null {
  const wanted = random.chance(FAILPOINTS_PER_MILLE);
  const points = Array.from({ length: random.between(1, FAILPOINTS_MAX) }, () => {
    const name = OTHER_FAILPOINTS[random.between(0, OTHER_FAILPOINTS.length - 1)];
    const action = random.pick(FAILPOINT_ACTIONS);
    const probability = random.pick(PROBABILITIES);
    const isEveryOrder = POINTS_OF_EVERY_ORDER.includes(name ?? '') && action === 'pause';
    return `${name}:${action}:${isEveryOrder ? ORDER_PAUSE_PROBABILITY : probability}`;
  });
  return wanted ? `${points.join(',')};${seed}` : null;
}

/**
 * The points of a seed in which a merchant has a policy: those of the seed, and some where it decides and pays files.
 */
export function addControlFailpoints(failpoints: string | null, seed: number): string | null {
  const random = createRandom(seed, 'failpoints of controls');
  if (!random.chance(CONTROL_FAILPOINTS_PER_MILLE)) return failpoints;
  const points = Array.from({ length: random.between(1, 2) }, () => {
    const name = random.pick(CONTROL_FAILPOINTS);
    return `${name}:${random.pick(FAILPOINT_ACTIONS)}:${random.pick(CONTROL_PROBABILITIES)}`;
  });
  const [others = ''] = (failpoints ?? '').split(';');
  return `${[...points, others].filter((part) => part !== '').join(',')};${seed}`;
}
