import { afterNotFound } from './after-not-found.ts';
import { causeOf } from './cause.ts';
import {
  atLeast,
  checksAfter,
  isOverAfter,
  nextDoubtCheckMs,
  nextUnansweredCheckMs,
} from './doubt-schedule.ts';
import { doubt, step } from './doubt-step.ts';
import type { Outcome, ReportedField } from './outcome.ts';
import type { NextStep, Standing } from './standing.ts';
import { STATE_RULES, type TransferState } from './transfer-state.ts';

const PENDING_WAIT_MAX_MS = 15 * 60_000;
/** A success that reports these says what was paid to which number. */
const WHAT_WAS_PAID: readonly ReportedField[] = ['amount', 'currency', 'number'];

/**
 * The rules of doubt, in one pure function: only positive evidence ends a transfer. The answer to a submission is
 * judged in `submitting`. The answer to an inquiry is judged in any later state, and in `submitting` when another
 * process took the transfer over.
 */
export function nextStep(standing: Standing, outcome: Outcome): NextStep {
  if (isFinal(standing.state)) return afterEnd(standing, outcome);
  switch (outcome.kind) {
    case 'paid':
      return afterSuccess(standing, outcome);
    case 'mismatched':
      return {
        ...doubt(standing, causeOf('OPERATOR_PAID_OTHERWISE', outcome.cause)),
        contradicted: outcome.contradicted,
        unconfirmedSuccesses: 1,
      };
    case 'rejected':
      return afterRefusal(standing, outcome);
    case 'pending':
      return afterPending(standing, outcome.inquireInMs);
    case 'notSent':
      return standing.state === 'submitting'
        ? {
            ...step(standing, 'queued', causeOf('NOT_SENT', outcome.cause)),
            nextActionInMs: atLeast(outcome.retryInMs * standing.timeScale),
          }
        : doubt(standing, causeOf('NOT_SENT', outcome.cause));
    case 'unknown':
      return doubt(standing, causeOf('ANSWER_UNCLEAR', outcome.cause));
    case 'throttled':
      return afterThrottled(standing, outcome);
    case 'unanswered':
      return afterSilence(standing, outcome);
    case 'notFound':
      return afterNotFound(standing);
    case 'returned':
      if (standing.contradictions.length > 0) return doubt(standing, contradictionCause(standing));
      // It was paid before it came back: success is recorded first, the reversal by the next inquiry.
      return {
        ...end(standing, 'succeeded', causeOf('OPERATOR_PAID_AND_RETURNED')),
        nextActionInMs: atLeast(0),
      };
    default: {
      const unhandled: never = outcome;
      throw new Error(`unhandled ${JSON.stringify(unhandled)}`);
    }
  }
}

/**
 * A success that does not say what was paid counts only when it is reported a second time. If the first one ended the
 * transfer, a callback that reports another amount would come too late.
 */
function afterSuccess(standing: Standing, outcome: Outcome & { kind: 'paid' }): NextStep {
  const { unconfirmedSuccesses, unconfirmedSuccessWaitMs: waitMs, contradictions } = standing;
  // A success withdraws a contradiction only if it reports the same field as it was sent.
  if (!contradictions.every((subject) => outcome.confirmed.includes(subject))) {
    return doubt(standing, contradictionCause(standing));
  }
  const isConfirmed = WHAT_WAS_PAID.every((subject) => outcome.confirmed.includes(subject));
  if (isConfirmed || waitMs === null || unconfirmedSuccesses > 0) {
    const paid = {
      ...end(standing, 'succeeded', causeOf('OPERATOR_PAID')),
      operatorTransactionId: outcome.operatorTransactionId,
      nextActionInMs: outcome.inquireAgainInMs ?? null,
    };
    return standing.wasRecalled ? inquireAgain(standing, paid, 0) : paid;
  }
  return {
    ...step(standing, 'submitted', causeOf('OPERATOR_PAID_UNSPECIFIED')),
    checks: standing.state === 'submitted' ? standing.checks : 0,
    notFoundAnswers: 0,
    unconfirmedSuccesses: 1,
    nextActionInMs: atLeast(waitMs * standing.timeScale),
  };
}

/** The schedule starts again at its first wait: after a long doubt it is over, and no inquiry would follow. */
function end(standing: Standing, to: 'succeeded' | 'failed', cause: string): NextStep {
  return { ...step(standing, to, cause), checks: 0 };
}

function contradictionCause({ contradictions }: Standing): string {
  return causeOf('OPERATOR_PAID_OTHERWISE', contradictions.join(', '));
}

/**
 * One refusal does not release the hold after an unconfirmed success. A refused resubmission does not release it
 * either: the first submission may have been executed, so the next inquiry decides.
 */
function afterRefusal(standing: Standing, outcome: Outcome & { kind: 'rejected' }): NextStep {
  if (standing.isResubmission) {
    return doubt(standing, causeOf('REFUSED_WHEN_SUBMITTED_AGAIN', outcome.cause));
  }
  if (standing.unconfirmedSuccesses > 0) {
    const cause = causeOf('REFUSED_AFTER_SUCCESS', outcome.cause);
    return { ...doubt(standing, cause), unconfirmedSuccesses: 0 };
  }
  return {
    ...end(standing, 'failed', causeOf('OPERATOR_REFUSED', outcome.cause)),
    failure: outcome.failure,
  };
}

/**
 * An operator that keeps saying "pending" gets inquiries less and less often, for at most the length of a doubt. Then a
 * person must act, and the money stays held.
 */
function afterPending(standing: Standing, inquireInMs: number): NextStep {
  if (isOverAfter(standing.sincePendingMs, standing.timeScale)) {
    return {
      ...step(standing, 'in_doubt', causeOf('OPERATOR_HAS_IT_TOO_LONG')),
      notFoundAnswers: 0,
      needsPerson: true,
    };
  }
  const checks = standing.state === 'submitted' ? standing.checks + 1 : 0;
  const patientMs = Math.min(
    inquireInMs * 2 ** checks,
    // Each wait on schedule is as long as all before it together, so this shortens only those after early inquiries.
    inquireInMs + standing.sincePendingMs,
    PENDING_WAIT_MAX_MS * standing.timeScale,
  );
  return {
    ...step(standing, 'submitted', causeOf('OPERATOR_HAS_IT')),
    checks,
    notFoundAnswers: 0,
    nextActionInMs: atLeast(Math.max(inquireInMs, patientMs)),
  };
}

/** No inquiry is made before the time that the operator names. Each throttled answer makes the wait longer. */
function afterThrottled(standing: Standing, outcome: Outcome & { kind: 'throttled' }): NextStep {
  const { resubmissions: checks, inquires, timeScale } = standing;
  const waitMs = inquires ? nextDoubtCheckMs(checks) : undefined;
  const inDoubt = doubt(standing, causeOf('OPERATOR_THROTTLES', outcome.cause));
  if (waitMs === undefined || inDoubt.nextActionInMs === null) return inDoubt;
  const nextActionInMs = atLeast(Math.max(waitMs * timeScale, outcome.retryInMs ?? 0));
  return { ...inDoubt, checks, nextActionInMs, throttled: true };
}

/**
 * An unanswered inquiry says nothing about the payout. A submitted transfer stays submitted, and inquiries become less
 * and less frequent, for at most the length of a doubt.
 */
function afterSilence(standing: Standing, outcome: Outcome & { kind: 'unanswered' }): NextStep {
  const { state, checks, timeScale, unconfirmedSuccesses, sincePendingMs } = standing;
  const retryInMs = outcome.retryInMs ?? 0;
  if (state !== 'submitted') {
    const inDoubt = doubt(standing, causeOf('INQUIRY_UNANSWERED', outcome.cause));
    if (inDoubt.nextActionInMs === null) return inDoubt;
    const nextActionInMs = atLeast(Math.max(inDoubt.nextActionInMs, retryInMs));
    // No answer does not cancel an earlier one: an operator that is throttling may not answer inquiries either.
    return { ...inDoubt, nextActionInMs, ...(standing.throttled ? { throttled: true } : {}) };
  }
  if (isOverAfter(sincePendingMs, timeScale)) {
    return {
      ...step(standing, 'in_doubt', causeOf('OPERATOR_SILENT_TOO_LONG')),
      notFoundAnswers: 0,
      unconfirmedSuccesses,
      needsPerson: true,
    };
  }
  const waitMs = nextUnansweredCheckMs(Math.min(checks, checksAfter(sincePendingMs, timeScale)));
  return {
    ...step(standing, 'submitted', causeOf('INQUIRY_UNANSWERED', outcome.cause)),
    checks: checks + 1,
    notFoundAnswers: 0,
    unconfirmedSuccesses,
    nextActionInMs: atLeast(Math.max(waitMs * timeScale, retryInMs)),
  };
}

/** What to do with a transfer that was taken over while its submission may be on the wire. */
export function stepWithoutInquiry(standing: Standing): NextStep {
  // A callback may have triggered this for a finished transfer. The connector cannot inquire, so it stays as it is.
  if (isFinal(standing.state)) return step(standing, standing.state, causeOf('INQUIRY_IMPOSSIBLE'));
  return doubt({ ...standing, inquires: false }, causeOf('MAY_BE_SENT_INQUIRY_IMPOSSIBLE'));
}

/** How an answer contradicts a recorded end. A recorded end is never edited. */
export type Contradiction =
  | 'paid_after_failure'
  | 'refused_after_success'
  | 'mismatch_after_success';

export function findContradiction(state: TransferState, outcome: Outcome): Contradiction | null {
  const paid = ['paid', 'returned', 'mismatched'].includes(outcome.kind);
  if (paid && (state === 'failed' || state === 'cancelled')) return 'paid_after_failure';
  if (outcome.kind === 'rejected' && state === 'succeeded') return 'refused_after_success';
  if (outcome.kind === 'mismatched' && state === 'succeeded') return 'mismatch_after_success';
  return null;
}

/**
 * An inquiry about a finished transfer is made when the operator may have returned money, or a callback contradicts the
 * end.
 */
function afterEnd(standing: Standing, outcome: Outcome): NextStep {
  const { state } = standing;
  if (state === 'succeeded' && outcome.kind === 'returned') {
    return step(standing, 'reversed', causeOf('OPERATOR_RETURNED', outcome.cause));
  }
  const settled = step(standing, state, causeOf('INQUIRED_AGAIN'));
  const isSettled = outcome.kind === 'paid' || outcome.kind === 'notFound';
  // A recall may take days. Until the operator reports it, "paid" may be the status from before the recall.
  if (isSettled && state === 'succeeded' && standing.wasRecalled) {
    return inquireAgain(standing, settled, 0);
  }
  if (outcome.kind === 'paid' && state === 'succeeded') {
    return { ...settled, nextActionInMs: outcome.inquireAgainInMs ?? null };
  }
  if (!DECIDES_NOTHING.includes(outcome.kind)) return settled;
  const retryInMs = outcome.kind === 'unanswered' ? (outcome.retryInMs ?? 0) : 0;
  return inquireAgain(standing, settled, retryInMs);
}

/** After its end a transfer is inquired about by the schedule of a doubt. When that is over, a person must find out. */
function inquireAgain(standing: Standing, ended: NextStep, retryInMs: number): NextStep {
  const { inquires, timeScale } = standing;
  const { checks } = ended;
  const waitMs = inquires ? nextDoubtCheckMs(checks) : undefined;
  if (waitMs === undefined) return { ...ended, nextActionInMs: null, needsPerson: inquires };
  const nextActionInMs = atLeast(Math.max(waitMs * timeScale, retryInMs));
  return { ...ended, checks: checks + 1, nextActionInMs };
}

/** These answers leave a recorded end as it is. "Pending" too: an operator's status may lag behind its callback. */
const DECIDES_NOTHING: readonly Outcome['kind'][] = [
  'pending',
  'unknown',
  'notSent',
  'throttled',
  'unanswered',
];

function isFinal(state: TransferState): boolean {
  return STATE_RULES[state].status !== 'pending';
}
