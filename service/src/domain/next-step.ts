import {
  atLeast,
  checksAfter,
  isOverAfter,
  NOT_FOUND_AGE_MIN_MS,
  NOT_FOUND_ANSWERS_MIN,
  nextDoubtCheckMs,
} from './doubt-schedule.ts';
import type { FailureCode, Outcome, Subject } from './outcome.ts';
import { STATE_RULES, type TransferState } from './transfer-state.ts';

const PENDING_WAIT_MAX_MS = 15 * 60_000;
/** A success that tells these tells what was paid to which number. */
const WHAT_WAS_PAID: readonly Subject[] = ['amount', 'currency', 'number'];

/** Where a transfer stands when an operator's answer comes in. */
export type Standing = Readonly<{
  state: TransferState;
  checks: number;
  /** In a row: a question without an answer, or one that was put off for long, starts the count anew. */
  notFoundAnswers: number;
  /** How long ago the first of those answers came; without one, since the last question. */
  doubtMs: number;
  /** How long ago it was in doubt for the first time, and how long ago the operator first had it. */
  sinceDoubtMs: number;
  sincePendingMs: number;
  /** Answers in a row that said "paid" and did not tell what was paid. */
  unconfirmedSuccesses: number;
  /** What the operator ever told otherwise than it was sent. */
  contradictions: readonly Subject[];
  /** What the connector declares. */
  inquires: boolean;
  notFoundIsFinal: boolean;
  unconfirmedSuccessWaitMs: number | null;
  /** How fast the route's time runs; see Route. */
  pace: number;
}>;

/** What follows from an answer: a move to another state, or waiting in the same one. */
export type NextStep = Readonly<{
  to: TransferState;
  cause: string;
  failure: FailureCode | null;
  operatorTransactionId: string | null;
  /** When to act again; null: never by itself. */
  nextActionInMs: number | null;
  checks: number;
  notFoundAnswers: number;
  /** Left out: none. */
  unconfirmedSuccesses?: number;
  /** Told otherwise than it was sent, and kept with the transfer from now on. Left out: nothing. */
  contradicted?: readonly Subject[];
  /** The schedule ran out, or the operator cannot be asked: a person must look. */
  needsPerson: boolean;
  /**
   * What must hold when the step is recorded, by the database's clock: the process may have stood still
   * since it read the transfer. Left out where the step does not rest on answers of "not found".
   */
  notFoundProof?: NotFoundProof;
}>;

type NotFoundProof = Readonly<{ answersMin: number; doubtMinMs: number }>;

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
            nextActionInMs: atLeast(outcome.retryInMs * standing.pace),
          }
        : doubt(standing, outcome.cause);
    case 'unknown':
    case 'throttled':
    case 'unanswered':
      return doubt(standing, outcome.cause);
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
    nextActionInMs: atLeast(waitMs * standing.pace),
  };
}

function toldOtherwise({ contradictions }: Standing): string {
  return `the operator paid, but told another ${contradictions.join(', ')} than was sent`;
}

/** After a success that is not confirmed yet, one refusal is not enough to release the hold. */
function afterRefusal(standing: Standing, outcome: Outcome & { kind: 'rejected' }): NextStep {
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
  if (isOverAfter(standing.sincePendingMs, standing.pace)) {
    return {
      ...step(standing, 'in_doubt', 'the operator says for too long that it has it'),
      notFoundAnswers: 0,
      needsPerson: true,
    };
  }
  const checks = standing.state === 'submitted' ? standing.checks + 1 : 0;
  const patientMs = Math.min(askInMs * 2 ** checks, PENDING_WAIT_MAX_MS * standing.pace);
  return {
    ...step(standing, 'submitted', 'the operator has it'),
    checks,
    notFoundAnswers: 0,
    nextActionInMs: atLeast(Math.max(askInMs, patientMs)),
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
  if (outcome.kind !== 'unknown' && outcome.kind !== 'notSent') return settled;
  const waitMs = standing.inquires ? nextDoubtCheckMs(standing.checks) : undefined;
  const nextActionInMs = waitMs === undefined ? null : atLeast(waitMs * standing.pace);
  return { ...settled, checks: standing.checks + 1, nextActionInMs };
}

function afterNotFound(standing: Standing): NextStep {
  const notFoundAnswers = standing.notFoundAnswers + 1;
  const final =
    standing.notFoundIsFinal &&
    standing.state === 'in_doubt' &&
    notFoundAnswers >= NOT_FOUND_ANSWERS_MIN &&
    standing.doubtMs >= NOT_FOUND_AGE_MIN_MS * standing.pace;
  if (final) {
    const cause = 'the operator never received it';
    return {
      ...step(standing, 'failed', cause),
      failure: 'OPERATOR_REJECTED',
      notFoundAnswers,
      notFoundProof: {
        answersMin: NOT_FOUND_ANSWERS_MIN,
        doubtMinMs: NOT_FOUND_AGE_MIN_MS * standing.pace,
      },
    };
  }
  const cause = 'the operator does not know it';
  return { ...doubt(standing, cause), notFoundAnswers, unconfirmedSuccesses: 0 };
}

/** An operator that stood still may still have it in a queue, so what it said before counts no more. */
function doubt(standing: Standing, cause: string): NextStep {
  // After "pending" the schedule goes on where it would be without it.
  const checks =
    standing.state === 'in_doubt'
      ? standing.checks + 1
      : checksAfter(standing.sinceDoubtMs, standing.pace);
  const waitMs = standing.inquires ? nextDoubtCheckMs(checks) : undefined;
  return {
    ...step(standing, 'in_doubt', cause),
    checks,
    notFoundAnswers: 0,
    unconfirmedSuccesses: standing.unconfirmedSuccesses,
    nextActionInMs: waitMs === undefined ? null : atLeast(waitMs * standing.pace),
    needsPerson: waitMs === undefined,
  };
}

function step(standing: Standing, to: TransferState, cause: string): NextStep {
  return {
    to,
    cause,
    failure: null,
    operatorTransactionId: null,
    nextActionInMs: null,
    checks: standing.checks,
    notFoundAnswers: standing.notFoundAnswers,
    needsPerson: false,
  };
}

function isFinal(state: TransferState): boolean {
  return STATE_RULES[state].status !== 'pending';
}
