import type { ConnectionFault } from '../proxy/connection-fault.ts';
import type {
  ControlledOrder,
  ControlPerson,
  ControlsPlan,
  FilePlan,
  PlannedDecision,
} from './controls-plan.ts';
import { makeConnectionFault } from './make-connection-fault.ts';
import { PAIRS } from './make-orders.ts';
import { makeLivePhone } from './make-spellings.ts';
import type { Country, SystemPlan } from './plan.ts';
import type { ControlsFocus } from './plan-size.ts';
import { createRandom, type Random } from './random.ts';

const ORDERS_MIN = 8;
const ORDERS_MAX = 16;
const PHONES = 4;
const AMOUNT_MAX_MINOR = 20_000;
const APPROVAL_FROM_MIN_MINOR = 3_000;
const APPROVAL_FROM_MAX_MINOR = 12_000;
/** A few orders stay below this limit, many exceed it. */
const DAY_LIMIT_MIN_MINOR = 40_000;
const DAY_LIMIT_MAX_MINOR = 200_000;
const RECIPIENT_MAX = 5;
/** Most are decided before their time has come. */
const SEND_IN_MIN_MS = 2_000;
const SEND_IN_MAX_MS = 6_000;
const DECISIONS_MAX = 4;
const FILE_ROWS_MIN = 3;
const FILE_ROWS_MAX = 20;
const PAUSE_MAX_MS = 300;
const DAY_SECONDS = 24 * 60 * 60;
/** Twice as much is longer than any payout waits for its time. */
const DENIED_MAX_MS = 3_000;

type Bounds = Readonly<{
  seed: number;
  system: SystemPlan;
  windowMs: number;
  focus: ControlsFocus;
}>;

/** Payouts of a live book whose merchant has a policy. */
export function makeControls(random: Random, bounds: Bounds): ControlsPlan {
  const { seed, system, windowMs, focus } = bounds;
  const phones = Array.from({ length: PHONES }, () => makePayee(random, system));
  const orders = Array.from({ length: random.between(ORDERS_MIN, ORDERS_MAX) }, (_, index) =>
    makeOrder(random, { reference: `s${seed}.controls.${index + 1}`, phones, windowMs }),
  );
  const file = random.chance(850) ? makeFile(random, system, windowMs) : null;
  const approvals = random.pick<1 | 2>([1, 2]);
  const further = createRandom(seed, 'further controls');
  return {
    approvalFromMinor: random.between(APPROVAL_FROM_MIN_MINOR, APPROVAL_FROM_MAX_MINOR),
    approvals: focus.needsTwo === true ? 2 : approvals,
    dayLimitMinor: random.between(DAY_LIMIT_MIN_MINOR, DAY_LIMIT_MAX_MINOR),
    recipientMax: random.between(2, RECIPIENT_MAX),
    orders: orders.map((order) => ({
      ...order,
      screening: further.chance(250) ? further.pick(SCREENER_WORDS) : null,
      isRushed: further.chance(350),
    })),
    file:
      file === null || focus.schedulesFile !== true
        ? file
        : { ...file, payInMs: further.between(SEND_IN_MIN_MS, SEND_IN_MAX_MS) },
    lastDeciders: random.pick<readonly ControlPerson[]>(LAST_DECIDERS),
    republishAfterMs:
      focus.republishes === true || random.chance(300) ? random.between(0, windowMs) : null,
    // A process that is down or paused for longer makes payouts late.
    lateWithinSeconds: further.chance(300) ? 1 : DAY_SECONDS,
    denial:
      focus.denies === true || further.chance(400)
        ? {
            phone: mostPaid(orders),
            afterMs: further.between(0, Math.ceil(windowMs / 2)),
            forMs: further.between(focus.denies === true ? DENIED_MAX_MS : 0, 2 * DENIED_MAX_MS),
          }
        : null,
  };
}

function mostPaid(orders: readonly Pick<ControlledOrder, 'phone'>[]): string {
  const byPhone = [...Map.groupBy(orders, ({ phone }) => phone)];
  const [most] = byPhone.toSorted(([, one], [, other]) => other.length - one.length);
  return most?.[0] ?? '';
}

const SCREENER_WORDS = ['allow', 'allow', 'hold', 'refuse', 'garbage'] as const;

const LAST_DECIDERS = [
  ['approver-1', 'approver-2', 'both', 'owner-1'],
  ['owner-1', 'both', 'approver-2', 'approver-1'],
] as const;

type Payee = Readonly<{ phone: string; operator: string; country: Country }>;

/** Of one currency: all are paid from one wallet. */
function makePayee(random: Random, { operators }: SystemPlan): Payee {
  const pairs = operators
    .flatMap(({ name }) => PAIRS[name])
    .filter(({ country }) => country === 'zm');
  const pair = pairs[random.between(0, pairs.length - 1)] ?? { operator: 'mtn', country: 'zm' };
  return { ...pair, phone: makeLivePhone(random, pair) };
}

function makeOrder(
  random: Random,
  bounds: Readonly<{ reference: string; phones: readonly Payee[]; windowMs: number }>,
): Omit<ControlledOrder, 'screening' | 'isRushed'> {
  const payee = bounds.phones[random.between(0, bounds.phones.length - 1)];
  if (payee === undefined) throw new Error('there are no payees');
  const maker = random.pick<ControlledOrder['maker']>([null, null, 'maker', 'both']);
  return {
    ...payee,
    // Several at once compete for the rest of the limits.
    pauseMs: random.chance(500) ? 0 : random.between(0, Math.ceil(bounds.windowMs / ORDERS_MAX)),
    reference: bounds.reference,
    amountMinor: random.between(1, AMOUNT_MAX_MINOR),
    maker,
    sendInMs: random.chance(300) ? random.between(SEND_IN_MIN_MS, SEND_IN_MAX_MS) : null,
    fates: Array.from({ length: random.between(0, 2) }, () => makeConnectionFault(random)),
    decisions: [
      ...(maker === 'both' && random.chance(500) ? [OWN_APPROVAL] : []),
      ...Array.from({ length: random.between(0, DECISIONS_MAX) }, () => makeDecision(random)),
    ],
  };
}

function makeDecision(random: Random): PlannedDecision {
  return {
    pauseMs: random.between(0, PAUSE_MAX_MS),
    by: random.pick<ControlPerson | null>([
      'approver-1',
      'approver-2',
      'approver-1',
      'approver-2',
      'both',
      'maker',
      'owner-1',
      null,
    ]),
    act: random.pick(['approve', 'approve', 'approve', 'approve', 'reject', 'cancel', 'recall']),
    hasWrongHash: random.chance(150),
    isTogether: random.chance(300),
    fate: random.chance(600) ? CLEAN : makeConnectionFault(random),
  };
}

function makeFile(random: Random, system: SystemPlan, windowMs: number): FilePlan {
  return {
    afterMs: random.between(0, Math.ceil(windowMs / 2)),
    rows: Array.from({ length: random.between(FILE_ROWS_MIN, FILE_ROWS_MAX) }, () => ({
      ...makePayee(random, system),
      amountMinor: random.between(1, AMOUNT_MAX_MINOR / 4),
      isBroken: random.chance(150),
    })),
    submits: random.pick([1, 1, 2, 3]),
    payInMs: random.chance(450) ? random.between(SEND_IN_MIN_MS, SEND_IN_MAX_MS) : null,
    fates: Array.from({ length: random.between(0, 3) }, () => makeConnectionFault(random)),
    cancelAfterMs: random.chance(150) ? random.between(0, windowMs) : null,
  };
}

const CLEAN: ConnectionFault = { kind: 'clean' };
/** Who prepared it tries to approve it before others do. */
const OWN_APPROVAL: PlannedDecision = {
  pauseMs: 0,
  by: 'both',
  act: 'approve',
  hasWrongHash: false,
  isTogether: false,
  fate: CLEAN,
};
