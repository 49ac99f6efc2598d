import type { Behaviour } from '../../../emulators/kernel/behaviour.ts';
import type { PresetName } from '../../../emulators/kernel/presets.ts';
import type { TransferState } from '../../src/domain/transfer-state.ts';

/** How a case must end: in one of these states, with this many payments in the operator's book. */
export type End = Readonly<{
  states: readonly TransferState[];
  executed: number;
  /**
   * How often the order reached the operator, always under one reference: exactly, or a range. Left out: it does not
   * matter.
   */
  submissions?: number | readonly [min: number, max: number];
  failure?: string;
}>;

export type ConformanceCase = Readonly<{
  promise: string;
  preset?: PresetName;
  /** Overrides parts of the preset. */
  behaviour?: Partial<Behaviour>;
  /** After this many submissions the operator behaves normally. */
  times?: number;
  /** An amount, or `SMALLEST`, the least that the operator accepts. */
  amount?: string;
  narration?: string;
  /** The end if the operator supports inquiries. */
  asked: End;
  /** The end if it does not: a person decides. */
  blind: End;
  /** The end if it supports inquiries, and "not found" proves nothing, however often it is repeated. */
  unproven?: End;
  /** The order must not arrive again before this time after its first arrival. */
  againAfterMs?: number;
  /** The end if it supports inquiries, and does not report what it paid to whom. */
  unreported?: End;
  /** The end if the token never expires: a refused one is a mistake of ours. */
  fixedToken?: End;
  /** The end if signed callbacks are final. */
  signed?: End;
}>;

export const SMALLEST = 'smallest';

const PAID: End = { states: ['succeeded'], executed: 1 };
const DOUBTED: End = { states: ['in_doubt'], executed: 1 };
const NEVER: End = { states: ['failed'], executed: 0 };
const DOUBTED_NEVER: End = { states: ['in_doubt'], executed: 0 };
const LOST_FOR_EVER: End = { ...DOUBTED_NEVER, submissions: 1 };
const REFUSED: End = { states: ['failed'], executed: 0, failure: 'RECIPIENT_NOT_FOUND' };

const always = (end: End) => ({ asked: end, blind: end });
const doubtful = { asked: PAID, blind: DOUBTED } as const;
/** Paid once, after the same order arrived this often; sent only once to an operator that would pay it again. */
const paidAfter = (submissions: number) => ({
  asked: { ...PAID, submissions },
  blind: LOST_FOR_EVER,
});
/** By then "not found" has lasted more than fifteen minutes, but not that long after every resubmission. */
const LONGER_THAN_PROOF_MS = 60 * 60_000;
/** Later than the inquiry after the operator's Retry-After, also on a busy machine. */
const LONG_AFTER_REFUSAL_MS = 40 * 60_000;
const RETRY_AFTER_S = 2;
const retryAfter = { retryAfterS: RETRY_AFTER_S };
const AGAIN_AFTER_MS = RETRY_AFTER_S * 1_000;

/** Every behaviour of an operator that we know of, and its required result. */
export const CONFORMANCE_CASES: readonly ConformanceCase[] = [
  { promise: 'pays a payout', ...always(PAID) },
  { promise: 'pays the smallest amount', amount: SMALLEST, ...always(PAID) },
  { promise: 'pays an amount with one decimal exactly', amount: '10.5', ...always(PAID) },
  { promise: 'pays a large amount exactly', amount: '9999.99', ...always(PAID) },
  {
    promise: 'pays with a narration that operators dislike',
    narration: `O'Brien & Søns <b>"é" 💸`,
    ...always(PAID),
  },
  { promise: 'pays with the longest narration', narration: 'n'.repeat(100), ...always(PAID) },
  {
    promise: 'fails a payout that the operator refuses, with the reason',
    preset: 'reject',
    ...always(REFUSED),
  },
  {
    promise: 'does not fail a payout that was paid without an answer',
    preset: 'pay-no-answer',
    ...doubtful,
  },
  {
    promise: 'does not fail a payout that was paid before a 500',
    preset: 'pay-then-500',
    ...doubtful,
  },
  {
    promise: 'does not fail a payout that was paid before a 400',
    preset: 'pay-then-400',
    ...doubtful,
  },
  {
    promise: 'does not fail a payout that was paid before an HTML page',
    preset: 'pay-then-html',
    ...doubtful,
  },
  {
    promise: 'does not fail a payout that was paid before a reset',
    preset: 'pay-then-reset',
    ...doubtful,
  },
  {
    promise: 'does not fail a payout that was paid before a broken answer',
    preset: 'pay-then-reset-mid-body',
    ...doubtful,
  },
  {
    promise:
      'fails a payout that never arrives however often it is sent, only if "not found" is proof',
    preset: 'lost',
    behaviour: { answer: 'reset' },
    asked: { ...NEVER, submissions: 4 },
    unproven: { ...DOUBTED_NEVER, submissions: 4 },
    blind: LOST_FOR_EVER,
  },
  {
    promise: 'resubmits a lost payout under the same reference, and pays it once',
    preset: 'lost',
    times: 1,
    ...paidAfter(2),
  },
  {
    promise: 'resubmits a lost payout up to three times',
    preset: 'lost',
    behaviour: { answer: 'reset' },
    times: 3,
    ...paidAfter(4),
  },
  {
    promise: 'pays once a payout that the operator had all the time and did not find',
    preset: 'execute-late',
    behaviour: { answer: 'reset', lateMs: LONGER_THAN_PROOF_MS },
    asked: { ...PAID, submissions: [2, 4] },
    blind: { ...DOUBTED, submissions: 1 },
  },
  {
    promise: 'waits for a payout that is executed late and not found until then',
    preset: 'execute-late',
    asked: PAID,
    blind: { states: ['succeeded', 'in_doubt'], executed: 1 },
  },
  {
    promise: 'waits for a payout that is pending and then paid',
    preset: 'pending-then-ok',
    asked: PAID,
    blind: { states: ['succeeded', 'in_doubt'], executed: 1 },
  },
  {
    promise: 'fails a payout that is pending and then refused',
    preset: 'pending-then-failed',
    asked: NEVER,
    blind: { states: ['failed', 'in_doubt'], executed: 0 },
  },
  {
    promise: 'keeps the hold of a payout that stays pending',
    preset: 'pending-for-ever',
    asked: { states: ['submitted', 'in_doubt'], executed: 0 },
    blind: { states: ['in_doubt', 'failed'], executed: 0 },
  },
  {
    promise: 'debits once for a payout that the operator paid twice',
    preset: 'execute-twice',
    ...always({ states: ['succeeded'], executed: 2 }),
  },
  { promise: 'waits for a slow answer', preset: 'slow', ...always(PAID) },
  {
    promise: 'does not accept a success with another amount',
    preset: 'wrong-amount',
    unreported: PAID,
    asked: DOUBTED,
    blind: { states: ['succeeded', 'in_doubt'], executed: 1 },
  },
  {
    promise: 'does not accept a success with another number',
    preset: 'wrong-number',
    unreported: PAID,
    asked: DOUBTED,
    blind: { states: ['succeeded', 'in_doubt'], executed: 1 },
  },
  {
    promise: 'does not accept a success after a callback with another amount',
    preset: 'wrong-amount-in-callback',
    unreported: PAID,
    asked: DOUBTED,
    blind: { states: ['succeeded', 'in_doubt'], executed: 1 },
  },
  {
    promise: 'does not fail a payout without a possible inquiry',
    preset: 'inquiry-down',
    signed: PAID,
    asked: { states: ['in_doubt', 'submitted', 'succeeded'], executed: 1 },
    blind: { states: ['succeeded', 'in_doubt'], executed: 1 },
  },
  {
    promise: 'sends once more if the token has expired',
    preset: 'token-expired',
    times: 1,
    asked: PAID,
    fixedToken: NEVER,
    blind: { states: ['in_doubt', 'failed'], executed: 0 },
  },
  {
    promise: 'does not pay, and does not fail at once, while every token is refused',
    preset: 'token-expired',
    asked: NEVER,
    unproven: DOUBTED_NEVER,
    blind: { states: ['in_doubt', 'failed'], executed: 0 },
  },
  {
    promise: 'pays a throttled payout, not before Retry-After in seconds',
    preset: 'rate-limited',
    behaviour: retryAfter,
    times: 1,
    ...paidAfter(2),
    againAfterMs: AGAIN_AFTER_MS,
  },
  {
    promise: 'pays a throttled payout, not before Retry-After as a date',
    preset: 'rate-limited-until-date',
    behaviour: retryAfter,
    times: 1,
    ...paidAfter(2),
    againAfterMs: AGAIN_AFTER_MS,
  },
  {
    promise: 'pays a payout that was throttled three times',
    preset: 'rate-limited',
    times: 3,
    ...paidAfter(4),
  },
  {
    promise: 'pays after a 503, not before Retry-After in seconds',
    preset: 'unavailable-for-now',
    behaviour: retryAfter,
    times: 1,
    ...paidAfter(2),
    againAfterMs: AGAIN_AFTER_MS,
  },
  {
    promise: 'pays after a 503, not before Retry-After as a date',
    preset: 'unavailable-until-date',
    behaviour: retryAfter,
    times: 1,
    ...paidAfter(2),
    againAfterMs: AGAIN_AFTER_MS,
  },
  {
    promise: 'pays once a payout that was throttled and executed anyway',
    preset: 'rate-limited-but-paid',
    asked: { ...PAID, submissions: 1 },
    blind: { ...DOUBTED, submissions: 1 },
  },
  {
    promise: 'pays once a payout that was throttled, executed anyway, and not found at first',
    preset: 'rate-limited-but-paid',
    behaviour: { execute: 'late', lateMs: LONG_AFTER_REFUSAL_MS },
    asked: { ...PAID, submissions: [2, 4] },
    blind: { ...DOUBTED, submissions: 1 },
  },
  {
    promise: 'needs no callback',
    preset: 'callback-none',
    asked: PAID,
    blind: { states: ['succeeded', 'in_doubt'], executed: 1 },
  },
  {
    promise: 'handles a callback that arrives twice',
    preset: 'callback-twice',
    asked: PAID,
    blind: { states: ['succeeded', 'in_doubt'], executed: 1 },
  },
  {
    promise: 'does not lose a callback that is early',
    preset: 'callback-early',
    asked: PAID,
    blind: { states: ['succeeded', 'in_doubt'], executed: 1 },
  },
  {
    promise: 'handles a late callback',
    preset: 'callback-late',
    asked: PAID,
    blind: { states: ['succeeded', 'in_doubt'], executed: 1 },
  },
  {
    promise: 'trusts the inquiry rather than a callback that contradicts it',
    preset: 'callback-contradictory',
    // The operator signs a false end. If it comes alone it is believed, and the true one leads to an incident.
    signed: { states: ['succeeded', 'failed'], executed: 1 },
    asked: PAID,
    blind: { states: ['succeeded', 'in_doubt'], executed: 1 },
  },
  {
    promise: 'changes nothing for a forged callback',
    preset: 'callback-forged',
    asked: PAID,
    blind: { states: ['succeeded', 'in_doubt'], executed: 1 },
  },
  {
    promise: 'handles callbacks in any order',
    preset: 'callback-out-of-order',
    asked: PAID,
    blind: { states: ['succeeded', 'in_doubt'], executed: 1 },
  },
];
