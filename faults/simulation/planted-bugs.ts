import type { Deviation } from './deviation.ts';
import { type Move, type Outcome, SUBJECTS, type TransferState } from './service-core.ts';

/** A bug to be planted, and how soon it must show. */
export type PlantedBug = Readonly<{
  name: string;
  deviation: Deviation;
  /** Schedules, from seed 1, within which it is found. */
  foundWithin: number;
  /** A seed that showed it, where the first such seed is far: it is tried before the search. */
  foundAt?: number;
}>;

const SOON = 50;
const LATER = 1_500;

const REFUSED: Outcome = { kind: 'rejected', failure: 'OPERATOR_REJECTED', cause: 'planted' };
const PAID: Outcome = { kind: 'paid', operatorTransactionId: null, confirmed: SUBJECTS };
const TAKES_NOTHING: Outcome = { kind: 'throttled', cause: 'planted', retryInMs: null };
const NOT_SENT: Outcome = { kind: 'notSent', cause: 'planted', retryInMs: 1_000 };

function goTo(move: Move, to: TransferState): Move {
  const step = { ...move.step, to, nextActionInMs: null, needsPerson: false };
  return { ...move, step };
}

/** What the rules of doubt, the statements or a connector could get wrong, one at a time. */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: 'no answer is taken for a refusal',
    deviation: { misread: (outcome) => (outcome.kind === 'unknown' ? REFUSED : outcome) },
    foundWithin: SOON,
  },
  {
    name: 'the first "not found" ends a doubt',
    deviation: {
      alterMove: (move) =>
        move.attempt?.outcome === 'notFound' && move.step.to === 'in_doubt'
          ? goTo(move, 'failed')
          : undefined,
    },
    foundWithin: SOON,
  },
  {
    name: 'a hold is released by age when everybody gave up',
    deviation: {
      alterMove: (move) => (move.step.needsPerson ? goTo(move, 'failed') : undefined),
    },
    foundWithin: SOON,
  },
  {
    name: 'what is taken over is submitted again',
    deviation: { resubmitsWhatItTakesOver: true },
    foundWithin: SOON,
  },
  {
    name: 'a retry goes out under another reference',
    deviation: { referenceFor: (reference, n) => (n === 1 ? reference : `${reference}-${n}`) },
    foundWithin: SOON,
  },
  {
    name: 'the same order is submitted again under another reference',
    deviation: { resubmissionReferenceFor: (reference) => `${reference}-again` },
    foundWithin: SOON,
  },
  {
    name: 'the same order is submitted again to another account',
    deviation: { resubmitsElsewhere: true },
    foundWithin: SOON,
  },
  {
    name: 'the same order is submitted again after the operator has forgotten it',
    deviation: { ignoresMemory: true },
    foundWithin: LATER,
  },
  {
    name: 'a process that stood still submits again what the operator has forgotten since',
    deviation: { statements: { resubmitsAtAnyAge: true } },
    foundWithin: LATER,
    foundAt: 758,
  },
  {
    name: 'no answer is taken for an operator that takes nothing, and one "not found" is enough',
    deviation: {
      misread: (outcome, { purpose }) =>
        purpose === 'submit' && outcome.kind === 'unknown' ? TAKES_NOTHING : outcome,
    },
    foundWithin: SOON,
  },
  {
    name: 'the same order is submitted again before the time that the operator names',
    deviation: {
      misread: (outcome) =>
        outcome.kind === 'throttled' ? { ...outcome, retryInMs: null } : outcome,
    },
    foundWithin: SOON,
  },
  {
    name: 'what an operator told otherwise is forgotten',
    deviation: { statements: { forgetsContradictions: true } },
    foundWithin: LATER,
  },
  {
    name: 'after no answer it is submitted once more where it cannot be asked about',
    deviation: {
      misread: (outcome, { purpose, abilities }) =>
        purpose === 'submit' && outcome.kind === 'unknown' && !abilities.inquires
          ? NOT_SENT
          : outcome,
    },
    foundWithin: SOON,
  },
  {
    name: 'after no answer it is submitted once more, relying on the operator to refuse it',
    deviation: {
      misread: (outcome, { purpose, abilities }) =>
        purpose === 'submit' && outcome.kind === 'unknown' && abilities.deduplicates
          ? NOT_SENT
          : outcome,
    },
    foundWithin: SOON,
  },
  {
    name: 'a move does not look at the state that it expects',
    deviation: { statements: { ignoresExpectedState: true } },
    foundWithin: SOON,
  },
  {
    name: 'a move takes the same state again for the same turn of it',
    deviation: { statements: { ignoresTurn: true } },
    foundWithin: LATER,
    foundAt: 198,
  },
  {
    name: 'a move looks neither at the turn nor at the lease',
    deviation: { statements: { ignoresTurn: true, ignoresLease: true } },
    foundWithin: LATER,
    foundAt: 140,
  },
  {
    name: 'a lease counts from when the process hears of it',
    deviation: { countsLeaseLate: true },
    foundWithin: LATER,
    foundAt: 182,
  },
  {
    name: 'the send window is not looked at when the bytes leave',
    deviation: { sendsWhenTooLate: true },
    foundWithin: LATER,
    foundAt: 215,
  },
  {
    name: 'a question that could not be asked sends the transfer back to the queue',
    deviation: {
      alterMove: (move) =>
        move.transfer.state === 'submitting' &&
        move.attempt?.purpose === 'inquire' &&
        move.step.cause === 'connection refused'
          ? { ...goTo(move, 'queued'), step: { ...goTo(move, 'queued').step, nextActionInMs: 50 } }
          : undefined,
    },
    foundWithin: LATER,
  },
  {
    name: 'a claim leaves the lease where it was',
    deviation: { statements: { claimsWithoutLease: true } },
    foundWithin: SOON,
  },
  {
    name: 'a success is settled twice',
    deviation: {
      statements: {
        alterLegs: (legs) => legs.flatMap((leg) => (leg.kind === 'settle' ? [leg, leg] : [leg])),
      },
    },
    foundWithin: SOON,
  },
  {
    name: 'a failure keeps the fee',
    deviation: {
      statements: {
        alterLegs: (legs, { amountMinor, feeMinor }) =>
          legs.map((leg) =>
            leg.kind === 'release' && feeMinor > 0n
              ? { ...leg, amountMinor, availableDeltaMinor: amountMinor }
              : leg,
          ),
      },
    },
    foundWithin: SOON,
  },
  {
    name: 'what is held is spent again',
    deviation: { statements: { spendsWhatIsHeld: true } },
    foundWithin: SOON,
  },
  {
    name: 'a callback is believed',
    deviation: { trustsCallbacks: true },
    foundWithin: SOON,
  },
  {
    name: 'an end is overwritten by a later word',
    deviation: {
      alterMove: (move) =>
        move.transfer.state === 'failed' && move.attempt?.outcome === 'paid'
          ? goTo(move, 'succeeded')
          : undefined,
    },
    foundWithin: LATER,
    foundAt: 43,
  },
  {
    name: 'a reference is not kept unique',
    deviation: { statements: { ignoresUsedReferences: true } },
    foundWithin: SOON,
  },
  {
    name: 'a transfer is acknowledged before it is stored',
    deviation: { acknowledgesEarly: true },
    foundWithin: SOON,
  },
  {
    name: 'another amount is taken for the one that was asked for',
    deviation: {
      misread: (outcome) => (outcome.kind === 'mismatched' ? PAID : outcome),
    },
    foundWithin: SOON,
  },
  {
    name: '"pending" is taken for "paid"',
    deviation: { misread: (outcome) => (outcome.kind === 'pending' ? PAID : outcome) },
    foundWithin: SOON,
  },
  {
    name: 'a doubt is forgotten',
    deviation: {
      alterMove: (move) =>
        move.step.to === 'in_doubt' && !move.step.needsPerson
          ? { ...move, step: { ...move.step, nextActionInMs: null } }
          : undefined,
    },
    foundWithin: SOON,
  },
];
