import type { FailureCode, Subject } from './outcome.ts';
import type { TransferState } from './transfer-state.ts';

/** Where a transfer stands when an operator's answer comes in. */
export type Standing = Readonly<{
  state: TransferState;
  checks: number;
  /** In a row: an inquiry without an answer, or one that was put off for long, starts the count anew. */
  notFoundAnswers: number;
  /** How long ago the first of those answers came; without one, since the last inquiry. */
  doubtMs: number;
  /** How long ago it was in doubt for the first time, and how long ago the operator first had it. */
  sinceDoubtMs: number;
  sincePendingMs: number;
  /** The operator said once that it has it. */
  wasPending: boolean;
  /** How long ago it was first submitted; null: not known, or never. */
  sinceSubmissionMs: number | null;
  /** How often it was submitted again since. */
  resubmissions: number;
  /** The last thing its operator said is that it took nothing. */
  throttled: boolean;
  /** The answer is one to the same order sent again, not to an inquiry. */
  isResubmission: boolean;
  /** Answers in a row that said "paid" and did not tell what was paid. */
  unconfirmedSuccesses: number;
  /** What the operator ever told otherwise than it was sent. */
  contradictions: readonly Subject[];
  /** What the connector declares. */
  inquires: boolean;
  notFoundIsFinal: boolean;
  unconfirmedSuccessWaitMs: number | null;
  /** For how long after its first submission the operator recognises it. 0: it does not. */
  referenceMemoryMs: number;
  /** What the route's waits are multiplied by; see Route. */
  timeScale: number;
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
  /** The operator took nothing; forgotten with the next step. Left out: it did not say so. */
  throttled?: true;
  /** The same order is sent again as soon as this is recorded. Left out: it is not. */
  resubmission?: Resubmission;
}>;

/** One answer is enough only while the row says that the operator took nothing. */
export type NotFoundProof = Readonly<{ answersMin: number; doubtMinMs: number }>;

/** Recorded only while the first submission is younger than this, by the database's clock. */
type Resubmission = Readonly<{ withinMs: number }>;
