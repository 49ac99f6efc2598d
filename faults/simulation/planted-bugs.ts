import type { Deviation } from './deviation.ts';
import { type Move, type Outcome, REPORTED_FIELDS, type TransferState } from './service-core.ts';

/** A bug to plant, and how soon it must be found. */
export type PlantedBug = Readonly<{
  name: string;
  deviation: Deviation;
  /** It must be found within so many schedules from seed 1. */
  foundWithin: number;
  /** A seed that showed it, where the first such seed is far: it is tried before the search. */
  foundAt?: number;
}>;

const SOON = 50;
const LATER = 1_500;
const MUCH_LATER = 5_000;

const REFUSED: Outcome = { kind: 'rejected', failure: 'OPERATOR_REJECTED', cause: 'planted' };
const PAID: Outcome = { kind: 'paid', operatorTransactionId: null, confirmed: REPORTED_FIELDS };
const TAKES_NOTHING: Outcome = { kind: 'throttled', cause: 'planted', retryInMs: null };
const NOT_SENT: Outcome = { kind: 'notSent', cause: 'planted', retryInMs: 1_000 };

function goTo(move: Move, to: TransferState): Move {
  const step = { ...move.step, to, nextActionInMs: null, needsPerson: false };
  return { ...move, step };
}

/** Single errors in the rules of doubt, the statements or a connector. */
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
    name: 'a hold is released by age after the last inquiry',
    deviation: {
      alterMove: (move) => (move.step.needsPerson ? goTo(move, 'failed') : undefined),
    },
    foundWithin: SOON,
  },
  {
    name: 'a transfer that was taken over is submitted again',
    deviation: { resubmitsWhatItTakesOver: true },
    foundWithin: SOON,
  },
  {
    name: 'a retry is sent under another reference',
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
    name: 'a process that was paused resubmits what the operator has forgotten since',
    deviation: { statements: { resubmitsAtAnyAge: true } },
    foundWithin: MUCH_LATER,
    foundAt: 3_025,
  },
  {
    name: 'no answer is taken for a refusal with Retry-After, so that one "not found" is enough',
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
    name: 'a reported mismatch is forgotten',
    deviation: { statements: { forgetsContradictions: true } },
    foundWithin: LATER,
  },
  {
    name: 'after no answer it is submitted once more to an operator without inquiries',
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
    name: 'a move does not check the state that it expects',
    deviation: { statements: { ignoresExpectedState: true } },
    foundWithin: SOON,
  },
  {
    name: 'a move does not distinguish two stays in the same state',
    deviation: { statements: { ignoresTurn: true } },
    foundWithin: LATER,
    foundAt: 198,
  },
  {
    name: 'a move checks neither the event number nor the lease',
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
    name: 'the send window is not checked before the first byte',
    deviation: { sendsWhenTooLate: true },
    foundWithin: LATER,
    foundAt: 399,
  },
  {
    name: 'an inquiry that could not be sent returns the transfer to the queue',
    deviation: {
      alterMove: (move) =>
        move.transfer.state === 'submitting' &&
        move.attempt?.purpose === 'inquire' &&
        move.step.cause.endsWith('connection refused')
          ? { ...goTo(move, 'queued'), step: { ...goTo(move, 'queued').step, nextActionInMs: 50 } }
          : undefined,
    },
    foundWithin: LATER,
  },
  {
    name: 'a claim does not change the lease',
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
    name: 'held money is spent again',
    deviation: { statements: { spendsWhatIsHeld: true } },
    foundWithin: SOON,
  },
  {
    name: 'a callback is believed',
    deviation: { trustsCallbacks: true },
    foundWithin: SOON,
  },
  {
    name: 'a callback that is not signed is taken as an answer',
    deviation: { statements: { takesUnverified: true } },
    foundWithin: LATER,
  },
  {
    name: 'a signed callback is believed with any amount',
    deviation: { statements: { takesAnyAmount: true } },
    foundWithin: LATER,
  },
  {
    name: 'an end is overwritten by a later answer',
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
    name: 'another amount is taken for the ordered one',
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
  {
    name: 'a payout that is late leaves without a person',
    deviation: {
      alterMove: (move) =>
        move.transfer.state === 'scheduled' && move.step.to === 'awaiting_approval'
          ? goTo(move, 'queued')
          : undefined,
    },
    foundWithin: SOON,
  },
  {
    name: 'a queued payout to a denied number is sent',
    deviation: {
      alterMove: (move) =>
        move.transfer.state === 'queued' && move.step.to === 'awaiting_approval'
          ? goTo(move, 'submitting')
          : undefined,
    },
    foundWithin: SOON,
  },
  {
    name: 'a payout does not wait for its time',
    deviation: { statements: { ignoresSendAt: true } },
    foundWithin: SOON,
  },
];
