import type { StatementFaults } from './database-model.ts';
import type { Abilities, Move, Outcome } from './service-core.ts';

type Asked = Readonly<{ purpose: 'submit' | 'inquire'; abilities: Abilities }>;

/**
 * A bug that is planted to see whether the simulation finds it. Left out is as the service does it;
 * the service itself is simulated with none of these.
 */
export type Deviation = Readonly<{
  statements?: StatementFaults;
  /** Reads an operator's answer as something else. */
  misread?: (outcome: Outcome, asked: Asked) => Outcome;
  /** Wants another move than the rules say; undefined leaves it as it is. */
  alterMove?: (move: Move) => Move | undefined;
  /** Under which reference a payout is submitted for the n-th time. */
  referenceFor?: (reference: string, submissions: number) => string;
  /** Under which reference the same order is submitted again. */
  resubmissionReferenceFor?: (reference: string) => string;
  /** Submits the same order again to another account of the same operator, where there is one. */
  resubmitsElsewhere?: boolean;
  /** Takes every operator to remember references for ever. */
  ignoresMemory?: boolean;
  resubmitsWhatItTakesOver?: boolean;
  /** Counts a lease from when it hears of it, not from before it asked for it. */
  countsLeaseLate?: boolean;
  /** Looks at the lease before it has a token, and not when the bytes leave. */
  sendsWhenTooLate?: boolean;
  /** Believes what a callback claims. */
  trustsCallbacks?: boolean;
  /** Says 201 before the database has confirmed. */
  acknowledgesEarly?: boolean;
}>;
