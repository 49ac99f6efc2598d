import { afterNotFound } from './after-not-found.ts';
import { atLeast, isOverAfter, nextDoubtCheckMs, nextUnansweredCheckMs } from './doubt-schedule.ts';
import { doubt, step } from './doubt-step.ts';
import type { Outcome, Subject } from './outcome.ts';
import type { NextStep, Standing } from './standing.ts';
import { STATE_RULES, type TransferState } from './transfer-state.ts';

const PENDING_WAIT_MAX_MS = 15 * 60_000;
/** A success that tells these tells what was paid to which number. */
const WHAT_WAS_PAID: readonly Subject[] = ['amount', 'currency', 'number'];

/**
 * The rules of doubt, in one pure function: only positive evidence ends a transfer. A submission's
 * answer is judged in `submitting`; an inquiry's answer in any later state, and in `submitting` too
 * when another process took the transfer over.
 */
export function nextStep(standing: Standing, outcome: Outcome): NextStep {
  if (isFinal(standing.state)) return afterEnd(standing, outcome);
  switch (outcome.kind) {
    case 'paid':
      return afterSuccess(standing, outcome);
    case 'mismatched':
      return {
        ...doubt(standing, outcome.cause),
        contradicted: outcome.contradicted,
        unconfirmedSuccesses: 1,
      };
    case 'rejected':
      return afterRefusal(standing, outcome);
    case 'pending':
      return afterPending(standing, outcome.askInMs);
    case 'notSent':
      return standing.state === 'submitting'
        ? {
            ...step(standing, 'queued', outcome.cause),
            nextActionInMs: atLeast(outcome.retryInMs * standing.timeScale),
          }
        : doubt(standing, outcome.cause);
    case 'unknown':
      return doubt(standing, outcome.cause);
    case 'throttled':
      return afterThrottled(standing, outcome);
    case 'unanswered':
      return afterSilence(standing, outcome);
    case 'notFound':
      return afterNotFound(standing);
    case 'returned':
      if (standing.contradictions.length > 0) return doubt(standing, toldOtherwise(standing));
      // It was paid before it came back: first the one is recorded, then the other.
      return {
        ...step(standing, 'succeeded', 'the operator paid, and returned it later'),
        nextActionInMs: atLeast(0),
      };
    default: {
      const unhandled: never = outcome;
      throw new Error(`unhandled ${JSON.stringify(unhandled)}`);
    }
  }
}

/**
 * A success that does not tell what was paid is believed when it is told a second time. Where the
 * operator may tell more later, a callback with another amount would else come after the end.
 */
function afterSuccess(standing: Standing, outcome: Outcome & { kind: 'paid' }): NextStep {
  const { unconfirmedSuccesses, unconfirmedSuccessWaitMs: waitMs, contradictions } = standing;
  // A success that does not speak to the same point takes nothing of a contradiction back.
  if (!contradictions.every((subject) => outcome.confirmed.includes(subject))) {
    return doubt(standing, toldOtherwise(standing));
  }
  const isConfirmed = WHAT_WAS_PAID.every((subject) => outcome.confirmed.includes(subject));
  if (isConfirmed || waitMs === null || unconfirmedSuccesses > 0) {
    return {
      ...step(standing, 'succeeded', 'the operator paid'),
      operatorTransactionId: outcome.operatorTransactionId,
      nextActionInMs: outcome.askAgainInMs ?? null,
    };
  }
  return {
    ...step(standing, 'submitted', 'the operator paid, and does not tell what'),
    checks: standing.state === 'submitted' ? standing.checks : 0,
    notFoundAnswers: 0,
    unconfirmedSuccesses: 1,
    nextActionInMs: atLeast(waitMs * standing.timeScale),
  };
}

function toldOtherwise({ contradictions }: Standing): string {
  return `the operator paid, but told another ${contradictions.join(', ')} than was sent`;
}

/**
 * After a success that is not confirmed yet, one refusal is not enough to release the hold. Nor is one of the
 * same order sent again: the first may have been executed, so the next inquiry decides.
 */
function afterRefusal(standing: Standing, outcome: Outcome & { kind: 'rejected' }): NextStep {
  if (standing.isResubmission) {
    return doubt(standing, `refused when submitted again: ${outcome.cause}`);
  }
  if (standing.unconfirmedSuccesses > 0) {
    const cause = `the operator said paid, and now refuses: ${outcome.cause}`;
    return { ...doubt(standing, cause), unconfirmedSuccesses: 0 };
  }
  return { ...step(standing, 'failed', outcome.cause), failure: outcome.failure };
}

/**
 * An operator that keeps saying "pending" is asked less and less often, and for no longer than a doubt lasts:
 * then a person must look, and the money stays held.
 */
function afterPending(standing: Standing, askInMs: number): NextStep {
  if (isOverAfter(standing.sincePendingMs, standing.timeScale)) {
    return {
      ...step(standing, 'in_doubt', 'the operator says for too long that it has it'),
      notFoundAnswers: 0,
      needsPerson: true,
    };
  }
  const checks = standing.state === 'submitted' ? standing.checks + 1 : 0;
  const patientMs = Math.min(askInMs * 2 ** checks, PENDING_WAIT_MAX_MS * standing.timeScale);
  return {
    ...step(standing, 'submitted', 'the operator has it'),
    checks,
    notFoundAnswers: 0,
    nextActionInMs: atLeast(Math.max(askInMs, patientMs)),
  };
}

/** The operator is not asked before the time that it names, and later each time that it takes nothing. */
function afterThrottled(standing: Standing, outcome: Outcome & { kind: 'throttled' }): NextStep {
  const { resubmissions: checks, inquires, timeScale } = standing;
  const waitMs = inquires ? nextDoubtCheckMs(checks) : undefined;
  const asked = doubt(standing, outcome.cause);
  if (waitMs === undefined || asked.nextActionInMs === null) return asked;
  const nextActionInMs = atLeast(Math.max(waitMs * timeScale, outcome.retryInMs ?? 0));
  return { ...asked, checks, nextActionInMs, throttled: true };
}

/**
 * An inquiry without an answer says nothing of the payout. What the operator has stays submitted, and is asked
 * about less and less often, for no longer than a doubt lasts.
 */
function afterSilence(standing: Standing, outcome: Outcome & { kind: 'unanswered' }): NextStep {
  const { state, checks, timeScale, unconfirmedSuccesses } = standing;
  const retryInMs = outcome.retryInMs ?? 0;
  if (state !== 'submitted') {
    const asked = doubt(standing, outcome.cause);
    if (asked.nextActionInMs === null) return asked;
    const nextActionInMs = atLeast(Math.max(asked.nextActionInMs, retryInMs));
    // A silence takes back nothing that was said: an operator that takes nothing may not answer either.
    return { ...asked, nextActionInMs, ...(standing.throttled ? { throttled: true } : {}) };
  }
  if (isOverAfter(standing.sincePendingMs, timeScale)) {
    return {
      ...step(standing, 'in_doubt', 'the operator has it, and gives no answer for too long'),
      notFoundAnswers: 0,
      unconfirmedSuccesses,
      needsPerson: true,
    };
  }
  return {
    ...step(standing, 'submitted', outcome.cause),
    checks: checks + 1,
    notFoundAnswers: 0,
    unconfirmedSuccesses,
    nextActionInMs: atLeast(Math.max(nextUnansweredCheckMs(checks) * timeScale, retryInMs)),
  };
}

/** What to do with a transfer that was taken over while its submission may be on the wire. */
export function stepWithoutInquiry(standing: Standing): NextStep {
  // A callback may have brought a finished one up; nobody can be asked, so it stays as it is.
  if (isFinal(standing.state)) return step(standing, standing.state, 'cannot be asked again');
  return doubt({ ...standing, inquires: false }, 'it may have been sent, and cannot be asked for');
}

/** What an answer says against an end that is recorded; such an end is never edited. */
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

/** A finished transfer is asked about again when the operator returns money, or is said to differ. */
function afterEnd(standing: Standing, outcome: Outcome): NextStep {
  const { state } = standing;
  if (state === 'succeeded' && outcome.kind === 'returned') {
    return step(standing, 'reversed', outcome.cause);
  }
  const settled = step(standing, state, 'asked again');
  if (outcome.kind === 'paid' && state === 'succeeded') {
    return { ...settled, nextActionInMs: outcome.askAgainInMs ?? null };
  }
  if (!SAYS_NOTHING.includes(outcome.kind)) return settled;
  const waitMs = standing.inquires ? nextDoubtCheckMs(standing.checks) : undefined;
  const retryInMs = outcome.kind === 'unanswered' ? (outcome.retryInMs ?? 0) : 0;
  const nextActionInMs =
    waitMs === undefined ? null : atLeast(Math.max(waitMs * standing.timeScale, retryInMs));
  return { ...settled, checks: standing.checks + 1, nextActionInMs };
}

const SAYS_NOTHING: readonly Outcome['kind'][] = ['unknown', 'notSent', 'throttled', 'unanswered'];

function isFinal(state: TransferState): boolean {
  return STATE_RULES[state].status !== 'pending';
}
