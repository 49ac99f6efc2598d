import { causeOf } from './cause.ts';
import {
  atLeast,
  isOverAfter,
  NOT_FOUND_AGE_MIN_MS,
  NOT_FOUND_ANSWERS_MIN,
  RESUBMISSION_MARGIN_MS,
  RESUBMISSIONS_MAX,
  SLOT_WAIT_MS,
  THROTTLED_RESUBMISSIONS_MAX,
} from './doubt-schedule.ts';
import { doubt, step } from './doubt-step.ts';
import type { NextStep, NotFoundProof, Standing } from './standing.ts';

/**
 * After enough answers of "not found", resubmits the order where the operator recognises its reference. Otherwise the
 * transfer fails where the connector declares "not found" final.
 */
export function afterNotFound(standing: Standing): NextStep {
  const notFoundAnswers = standing.notFoundAnswers + 1;
  const isProven =
    standing.state === 'in_doubt' &&
    notFoundAnswers >= NOT_FOUND_ANSWERS_MIN &&
    standing.doubtMs >= NOT_FOUND_AGE_MIN_MS * standing.timeScale;
  const notFoundProof = {
    answersMin: NOT_FOUND_ANSWERS_MIN,
    doubtMinMs: NOT_FOUND_AGE_MIN_MS * standing.timeScale,
  };
  if (isThrottled(standing) && mayResubmit(standing, THROTTLED_RESUBMISSIONS_MAX)) {
    return submitAgain(standing, { answersMin: 1, doubtMinMs: 0 });
  }
  if (isProven && mayResubmit(standing, RESUBMISSIONS_MAX)) {
    return submitAgain(standing, notFoundProof);
  }
  if (isProven && standing.notFoundIsFinal) {
    return {
      ...step(standing, 'failed', causeOf('NEVER_RECEIVED')),
      failure: 'OPERATOR_REJECTED',
      notFoundAnswers,
      notFoundProof,
    };
  }
  return { ...doubt(standing, causeOf('NOT_FOUND')), notFoundAnswers, unconfirmedSuccesses: 0 };
}

/** The last answer said that the operator did not take the order. */
function isThrottled({ state, throttled }: Standing): boolean {
  return state === 'in_doubt' && throttled;
}

/**
 * A resubmission is safe only while the operator recognises the reference: then the order cannot be paid twice,
 * even if the first submission was paid. After an answer of "pending" or "paid", "not found" contradicts it and is
 * not trusted. What the operator was asked to take back is not sent again when it says that it does not know it.
 */
function mayResubmit(standing: Standing, countMax: number): boolean {
  const { sinceSubmissionMs, resubmissions, unconfirmedSuccesses, contradictions } = standing;
  return (
    sinceSubmissionMs !== null &&
    sinceSubmissionMs < resubmitsWithinMs(standing) &&
    resubmissions < countMax &&
    !standing.wasRecalled &&
    !standing.wasPending &&
    unconfirmedSuccesses === 0 &&
    contradictions.length === 0
  );
}

function resubmitsWithinMs({ referenceMemoryMs }: Standing): number {
  return Math.max(0, referenceMemoryMs - RESUBMISSION_MARGIN_MS);
}

/** Earlier answers do not cover the new submission, so the count of answers and the schedule start again. */
function submitAgain(standing: Standing, notFoundProof: NotFoundProof): NextStep {
  return {
    ...step(standing, 'in_doubt', causeOf('NOT_FOUND_SUBMITTED_AGAIN')),
    checks: 0,
    notFoundAnswers: 0,
    // Replaced by the lease of the process that sends it.
    nextActionInMs: atLeast(0),
    notFoundProof,
    resubmission: { withinMs: resubmitsWithinMs(standing) },
  };
}

/**
 * What to do instead of a resubmission while its route has no free slot. The answer of "not found" still counts. The
 * next inquiry comes soon; on a closed route it follows the schedule.
 */
export function stepWithoutSlot(
  standing: Standing,
  route: Readonly<{ isClosed: boolean }>,
): NextStep {
  const waiting = {
    ...doubt(standing, causeOf('NOT_FOUND_NO_ROOM')),
    notFoundAnswers: standing.notFoundAnswers + 1,
    unconfirmedSuccesses: 0,
    ...(standing.throttled ? { throttled: true as const } : {}),
  };
  if (route.isClosed || waiting.nextActionInMs === null) return waiting;
  if (isOverAfter(standing.sinceDoubtMs, standing.timeScale)) {
    return { ...waiting, nextActionInMs: null, needsPerson: true };
  }
  const nextActionInMs = atLeast(SLOT_WAIT_MS * standing.timeScale);
  return { ...waiting, checks: standing.checks, nextActionInMs };
}
