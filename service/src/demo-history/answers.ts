import { nextDoubtCheckMs } from '../domain/doubt-schedule.ts';
import { type FailureCode, type Outcome, REPORTED_FIELDS } from '../domain/outcome.ts';
import type { PlannedPayout } from './plan-payouts.ts';
import type { SeededRandom } from './seeded-random.ts';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;

/** What the operator answered, how long after the payout was accepted. */
export type PlannedAnswer = Readonly<{
  afterMs: number;
  purpose: 'submit' | 'inquire';
  outcome: Outcome;
  /** Null: no answer came. */
  httpStatus: number | null;
}>;

/** The times to an answer, repeated as often as they occur. Few different ones, so that answers are recorded in groups. */
const PAID_AFTER_MS = [900, 900, 1_400, 1_400, 1_400, 2_300, 2_300, 3_800, 6_200] as const;
const PENDING_AFTER_MS = 350;
const SLOW_AFTER_MS = [45_000, 90_000, 240_000, 420_000] as const;
/** How long a submission waits for an answer. */
const LOST_AFTER_MS = 20 * SECOND_MS;
/** Inquiries about an open doubt whose answers are kept. */
const INQUIRIES_KEPT_MAX = 7;
const SCHEDULE_ENDED_AFTER_MS = 73 * HOUR_MS;
const RETURNED_AFTER_MS = 49 * HOUR_MS;
const LAST_INQUIRY_BEFORE_MS = 90 * SECOND_MS;

const FAILURES: readonly [FailureCode, ...FailureCode[]] = [
  'RECIPIENT_NOT_FOUND',
  'RECIPIENT_LIMIT_REACHED',
  'RECIPIENT_NOT_FOUND',
  'RECIPIENT_NOT_ALLOWED',
  'OPERATOR_REJECTED',
  'AMOUNT_REFUSED',
  'OPERATOR_FLOAT_INSUFFICIENT',
];

/** What the operator answered about a payout, oldest first. */
export function planAnswers(
  random: SeededRandom,
  { story, at, payee }: PlannedPayout,
  now: Date,
): readonly PlannedAnswer[] {
  const ageMs = now.getTime() - at.getTime();
  const paid = answer('submit', random.pick(PAID_AFTER_MS), PAID);
  switch (story) {
    case 'paid':
    case 'paid, and reported otherwise':
    case 'reversed by people':
      // Half of the operators take an order first, and pay it a moment later.
      return payee.operator === 'mtn' || payee.operator === 'zamtel'
        ? [answer('submit', PENDING_AFTER_MS, PENDING, 202), { ...paid, purpose: 'inquire' }]
        : [paid];
    case 'paid slowly':
      return [
        answer('submit', PENDING_AFTER_MS, PENDING, 202),
        answer('inquire', beforeNow(random.pick(SLOW_AFTER_MS), ageMs), PAID),
      ];
    case 'failed':
    case 'failed, and paid after all':
      return [answer('submit', random.pick(PAID_AFTER_MS), refused(random.pick(FAILURES)), 400)];
    case 'cancelled':
      return [];
    case 'in doubt, then paid':
      return [
        LOST,
        ...inquiries(ageMs, 3),
        answer('inquire', beforeNow(4 * 60 * SECOND_MS, ageMs), PAID),
      ];
    case 'in doubt, then failed':
      return [
        LOST,
        ...inquiries(ageMs, 4),
        answer('inquire', 6 * 60 * SECOND_MS, refused('OPERATOR_REJECTED')),
      ];
    case 'in doubt, decided by people':
      return [LOST, ...inquiries(ageMs, INQUIRIES_KEPT_MAX)];
    case 'in doubt':
      return [LOST, ...inquiries(ageMs, INQUIRIES_KEPT_MAX), ...lastInquiry(ageMs)];
    case 'in doubt, proposed':
      return [
        LOST,
        ...inquiries(ageMs, INQUIRIES_KEPT_MAX),
        answer('inquire', SCHEDULE_ENDED_AFTER_MS, SILENT, null),
      ];
    case 'in doubt, needs a person':
      return [
        answer('submit', PENDING_AFTER_MS, PENDING, 202),
        answer('inquire', HOUR_MS, PENDING, 202),
        answer('inquire', SCHEDULE_ENDED_AFTER_MS, PENDING, 202),
      ];
    case 'returned':
      return [
        { ...paid, outcome: { ...PAID, inquireAgainInMs: RETURNED_AFTER_MS } },
        answer('inquire', RETURNED_AFTER_MS, { kind: 'returned', cause: 'the account is closed' }),
      ];
    default: {
      const unhandled: never = story;
      throw new Error(`unhandled ${JSON.stringify(unhandled)}`);
    }
  }
}

function answer(
  purpose: PlannedAnswer['purpose'],
  afterMs: number,
  outcome: Outcome,
  httpStatus: number | null = 200,
): PlannedAnswer {
  return { purpose, afterMs, outcome, httpStatus };
}

const PAID = { kind: 'paid', operatorTransactionId: null, confirmed: REPORTED_FIELDS } as const;
const PENDING: Outcome = { kind: 'pending', inquireInMs: 2 * SECOND_MS };
const SILENT: Outcome = { kind: 'unanswered', cause: 'no answer in time', retryInMs: null };
const LOST = answer('submit', LOST_AFTER_MS, { kind: 'unknown', cause: 'no answer in time' }, null);

function refused(failure: FailureCode): Outcome {
  return { kind: 'rejected', failure, cause: failure.toLowerCase().replaceAll('_', ' ') };
}

/** The first inquiries about a doubt, on schedule, as far as the payout is old enough for them. */
function inquiries(ageMs: number, max: number): readonly PlannedAnswer[] {
  const made: PlannedAnswer[] = [];
  let afterMs = LOST_AFTER_MS;
  for (let checks = 0; checks < max; checks += 1) {
    afterMs += nextDoubtCheckMs(checks) ?? 0;
    if (afterMs > ageMs - 2 * LAST_INQUIRY_BEFORE_MS) break;
    made.push(answer('inquire', afterMs, SILENT, 504));
  }
  return made;
}

/** The newest payouts may be too young for a long wait. */
function beforeNow(afterMs: number, ageMs: number): number {
  return Math.min(afterMs, ageMs - LAST_INQUIRY_BEFORE_MS);
}

function lastInquiry(ageMs: number): readonly PlannedAnswer[] {
  return [answer('inquire', ageMs - LAST_INQUIRY_BEFORE_MS, SILENT, 504)];
}

/** What the sandbox does when it is asked again about a payout with this story; null: the number does not matter. */
export function suffixOf({ story }: Pick<PlannedPayout, 'story'>): string | null {
  if (story.startsWith('in doubt, then')) return story.endsWith('paid') ? '911' : '912';
  if (story.startsWith('in doubt')) return '913';
  if (story === 'returned') return '921';
  return story === 'cancelled' ? '941' : null;
}
