import { NOT_FOUND_AGE_MIN_MS, NOT_FOUND_ANSWERS_MIN, nextDoubtCheckMs } from './doubt-schedule.ts';
import type { FailureCode, Outcome } from './outcome.ts';
import type { TransferState } from './transfer-state.ts';

/** The floor under every wait, so that a scaled clock cannot turn a schedule into a tight loop. */
const WAIT_MIN_MS = 50;

/** Where a transfer stands when an operator's answer comes in. */
export type Standing = Readonly<{
  state: TransferState;
  checks: number;
  notFoundAnswers: number;
  /** How long ago the transfer was accepted. */
  ageMs: number;
  /** What the connector declares. */
  inquires: boolean;
  notFoundIsFinal: boolean;
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
  /** The schedule ran out, or the operator cannot be asked: a person must look. */
  needsPerson: boolean;
}>;

/**
 * The rules of doubt, in one pure function: only positive evidence ends a transfer. A submission's
 * answer is judged in `submitting`; an inquiry's answer in any later state, and in `submitting` too
 * when another process took the transfer over.
 */
export function nextStep(standing: Standing, outcome: Outcome): NextStep {
  if (standing.state === 'succeeded') return afterSuccess(standing, outcome);
  switch (outcome.kind) {
    case 'paid':
      return {
        ...step(standing, 'succeeded', 'the operator paid'),
        operatorTransactionId: outcome.operatorTransactionId,
        nextActionInMs: outcome.askAgainInMs ?? null,
      };
    case 'rejected':
      return { ...step(standing, 'failed', outcome.cause), failure: outcome.failure };
    case 'pending':
      return {
        ...step(standing, 'submitted', 'the operator has it'),
        nextActionInMs: atLeast(outcome.askInMs),
        checks: 0,
      };
    case 'notSent':
      return standing.state === 'submitting'
        ? {
            ...step(standing, 'queued', outcome.cause),
            nextActionInMs: atLeast(outcome.retryInMs),
          }
        : doubt(standing, outcome.cause);
    case 'unknown':
      return doubt(standing, outcome.cause);
    case 'notFound':
      return afterNotFound(standing);
    case 'returned':
      // It was paid before it came back: first the one is recorded, then the other.
      return {
        ...step(standing, 'succeeded', 'the operator paid, and returned it later'),
        nextActionInMs: WAIT_MIN_MS,
      };
    default: {
      const unhandled: never = outcome;
      throw new Error(`unhandled ${JSON.stringify(unhandled)}`);
    }
  }
}

/** What to do with a transfer that was taken over while its submission may be on the wire. */
export function stepWithoutInquiry(standing: Standing): NextStep {
  return doubt({ ...standing, inquires: false }, 'it may have been sent, and cannot be asked for');
}

function afterSuccess(standing: Standing, outcome: Outcome): NextStep {
  if (outcome.kind === 'returned') return step(standing, 'reversed', outcome.cause);
  const askAgainInMs = outcome.kind === 'paid' ? outcome.askAgainInMs : undefined;
  return { ...step(standing, 'succeeded', 'asked again'), nextActionInMs: askAgainInMs ?? null };
}

function afterNotFound(standing: Standing): NextStep {
  const notFoundAnswers = standing.notFoundAnswers + 1;
  const final =
    standing.notFoundIsFinal &&
    standing.state === 'in_doubt' &&
    notFoundAnswers >= NOT_FOUND_ANSWERS_MIN &&
    standing.ageMs >= NOT_FOUND_AGE_MIN_MS;
  if (final) {
    const cause = 'the operator never received it';
    return { ...step(standing, 'failed', cause), failure: 'OPERATOR_REJECTED', notFoundAnswers };
  }
  return { ...doubt(standing, 'the operator does not know it'), notFoundAnswers };
}

function doubt(standing: Standing, cause: string): NextStep {
  const checks = standing.state === 'in_doubt' ? standing.checks + 1 : 0;
  const waitMs = standing.inquires ? nextDoubtCheckMs(checks) : undefined;
  return {
    ...step(standing, 'in_doubt', cause),
    checks,
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

function atLeast(waitMs: number): number {
  return Math.max(WAIT_MIN_MS, Math.round(waitMs));
}
