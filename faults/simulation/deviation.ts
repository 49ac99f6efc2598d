import type { StatementFaults } from './database-model.ts';
import type { Abilities, Move, Outcome } from './service-core.ts';

type Exchange = Readonly<{ purpose: 'submit' | 'inquire'; abilities: Abilities }>;

/**
 * A planted bug, to test whether the simulation finds it. A missing member means the service's own behaviour;
 * normal schedules have none of these.
 */
export type Deviation = Readonly<{
  statements?: StatementFaults;
  /** Replaces the outcome of an operator's answer. */
  misread?: (outcome: Outcome, exchange: Exchange) => Outcome;
  /** Replaces the move that the rules give; undefined keeps it. */
  alterMove?: (move: Move) => Move | undefined;
  /** The reference of the n-th submission of a payout. */
  referenceFor?: (reference: string, submissions: number) => string;
  /** The reference of a resubmission. */
  resubmissionReferenceFor?: (reference: string) => string;
  /** Resubmits to another account of the same operator, where there is one. */
  resubmitsElsewhere?: boolean;
  /** Assumes that every operator remembers references for ever. */
  ignoresMemory?: boolean;
  resubmitsWhatItTakesOver?: boolean;
  /** Counts a lease from the arrival of the answer, not from before the claim. */
  countsLeaseLate?: boolean;
  /** Checks the lease before it fetches a token, but not before the first byte is sent. */
  sendsWhenTooLate?: boolean;
  /** Accepts the claim of a callback as the outcome. */
  trustsCallbacks?: boolean;
  /** Answers 201 before the database has confirmed. */
  acknowledgesEarly?: boolean;
}>;
