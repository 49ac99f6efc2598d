import type { FailureCode, ReportedField } from './outcome.ts';
import type { Transfer } from './transfer.ts';
import type { TransferState } from './transfer-state.ts';

/** What is known about a transfer when an operator's answer arrives. */
export type Standing = Readonly<{
  state: TransferState;
  checks: number;
  /**
   * Consecutive answers of "not found". An unanswered inquiry, or one made long after its planned time, restarts the
   * count.
   */
  notFoundAnswers: number;
  /** Time since the first of those answers; without one, since the last inquiry. */
  doubtMs: number;
  /** Time since it was first in doubt, and since the operator first said that it has it. */
  sinceDoubtMs: number;
  sincePendingMs: number;
  /** The operator once said that it has it. */
  wasPending: boolean;
  /** Time since its first submission; null: not known, or never submitted. */
  sinceSubmissionMs: number | null;
  /** How often it was resubmitted since. */
  resubmissions: number;
  /** The operator was asked to take it back, or may have been. */
  wasRecalled: boolean;
  /** The last answer of its operator said that it took nothing. */
  throttled: boolean;
  /** The answer is one to a resubmission, not to an inquiry. */
  isResubmission: boolean;
  /** Consecutive answers of "paid" that did not say what was paid. */
  unconfirmedSuccesses: number;
  /** Every point on which an answer ever contradicted what was sent. */
  contradictions: readonly ReportedField[];
  /** What the connector declares. */
  inquires: boolean;
  notFoundIsFinal: boolean;
  unconfirmedSuccessWaitMs: number | null;
  /** For how long after its first submission the operator recognises it. 0: it does not. */
  referenceMemoryMs: number;
  /** What the route's waits are multiplied by; see Route. */
  timeScale: number;
}>;

/** What a stored transfer says about its operator's answers so far. */
export type TransferHistory = Pick<
  Transfer,
  | 'state'
  | 'checks'
  | 'notFoundAnswers'
  | 'doubtMs'
  | 'sinceDoubtMs'
  | 'sincePendingMs'
  | 'sinceSubmissionMs'
  | 'resubmissions'
  | 'recalls'
  | 'throttled'
  | 'unconfirmedSuccesses'
  | 'contradictions'
>;

/** The part of a standing that comes from the transfer; the rest comes from its route and the inquiry. */
export function historyOf(transfer: TransferHistory) {
  return {
    state: transfer.state,
    checks: transfer.checks,
    notFoundAnswers: transfer.notFoundAnswers,
    doubtMs: transfer.doubtMs ?? 0,
    sinceDoubtMs: transfer.sinceDoubtMs ?? 0,
    sincePendingMs: transfer.sincePendingMs ?? 0,
    wasPending: transfer.sincePendingMs !== null,
    sinceSubmissionMs: transfer.sinceSubmissionMs,
    resubmissions: transfer.resubmissions,
    wasRecalled: transfer.recalls > 0,
    throttled: transfer.throttled,
    unconfirmedSuccesses: transfer.unconfirmedSuccesses,
    contradictions: transfer.contradictions,
  };
}

/** The step after an answer: a move to another state, or waiting in the same one. */
export type NextStep = Readonly<{
  to: TransferState;
  /** From `causeOf`. */
  cause: string;
  failure: FailureCode | null;
  operatorTransactionId: string | null;
  /** When to act again; null: no further action is planned. */
  nextActionInMs: number | null;
  checks: number;
  notFoundAnswers: number;
  /** Left out: 0. */
  unconfirmedSuccesses?: number;
  /** New contradictions of what was sent, kept with the transfer from now on. Left out: none. */
  contradicted?: readonly ReportedField[];
  /** The schedule has ended, or there is no inquiry: a person must act. For an ended transfer an incident is opened. */
  needsPerson: boolean;
  /**
   * What must hold when the step is recorded, by the database's clock, because the process may have been paused since
   * it read the transfer. Left out where the step does not depend on answers of "not found".
   */
  notFoundProof?: NotFoundProof;
  /** The operator took nothing; cleared by the next step. Left out: it did not say so. */
  throttled?: true;
  /** The same order is resubmitted as soon as this is recorded. Left out: it is not. */
  resubmission?: Resubmission;
}>;

/** One answer is enough only while the row says that the operator took nothing. */
export type NotFoundProof = Readonly<{ answersMin: number; doubtMinMs: number }>;

/** Recorded only while the first submission is younger than this, by the database's clock. */
type Resubmission = Readonly<{ withinMs: number }>;
