import type { Behaviour } from '../../../emulators/kernel/behaviour.ts';
import type { PresetName } from '../../../emulators/kernel/presets.ts';
import type { TransferState } from '../../src/domain/transfer-state.ts';

/** How a case must end: in one of these states, with so many payments in the operator's book. */
export type End = Readonly<{
  states: readonly TransferState[];
  executed: number;
  /**
   * How often the order reached the operator, all under one reference: so often, or from so often to so often. Left
   * out: it does not matter.
   */
  submissions?: number | readonly [min: number, max: number];
  failure?: string;
}>;

export type ConformanceCase = Readonly<{
  promise: string;
  preset?: PresetName;
  /** Laid over the preset. */
  behaviour?: Partial<Behaviour>;
  /** After so many submissions the operator behaves again. */
  times?: number;
  /** An amount, or `SMALLEST`, the least that the operator takes. */
  amount?: string;
  narration?: string;
  /** Where the operator can be asked what became of a payout. */
  asked: End;
  /** Where it cannot: then a person decides. */
  blind: End;
  /** Where it can be asked, and "not found" proves nothing, however often it is said. */
  unproven?: End;
  /** The order does not come again before this long after it came first. */
  againAfterMs?: number;
  /** Where it can be asked, and does not say what it paid to whom. */
  untold?: End;
  /** Where the token is for ever: one that is refused is a mistake of ours. */
  fixedToken?: End;
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
/** Paid once, after the same order came so often; and never again where the operator would pay it again. */
const paidAfter = (submissions: number) => ({
  asked: { ...PAID, submissions },
  blind: LOST_FOR_EVER,
});
/** By then "not found" has been said for more than fifteen minutes, and not yet so after every resubmission. */
const LONGER_THAN_PROOF_MS = 60 * 60_000;
/** Later than the inquiry after the time that an operator names, also on a busy machine. */
const LONG_AFTER_REFUSAL_MS = 40 * 60_000;
const RETRY_AFTER_S = 2;
const retryAfter = { retryAfterS: RETRY_AFTER_S };
const AGAIN_AFTER_MS = RETRY_AFTER_S * 1_000;

/** Every way of an operator that we know of, and what must come of it. */
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
    promise: 'fails what the operator refuses, with the reason',
    preset: 'reject',
    ...always(REFUSED),
  },
  {
    promise: 'does not fail what was paid without an answer',
    preset: 'pay-no-answer',
    ...doubtful,
  },
  { promise: 'does not fail what was paid before a 500', preset: 'pay-then-500', ...doubtful },
  { promise: 'does not fail what was paid before a 400', preset: 'pay-then-400', ...doubtful },
  {
    promise: 'does not fail what was paid before an HTML page',
    preset: 'pay-then-html',
    ...doubtful,
  },
  { promise: 'does not fail what was paid before a reset', preset: 'pay-then-reset', ...doubtful },
  {
    promise: 'does not fail what was paid before a broken answer',
    preset: 'pay-then-reset-mid-body',
    ...doubtful,
  },
  {
    promise: 'gives up what never arrives however often it is sent, and only where that is proof',
    preset: 'lost',
    behaviour: { answer: 'reset' },
    asked: { ...NEVER, submissions: 4 },
    unproven: { ...DOUBTED_NEVER, submissions: 4 },
    blind: LOST_FOR_EVER,
  },
  {
    promise: 'submits again what was lost, under the same reference, and pays it once',
    preset: 'lost',
    times: 1,
    ...paidAfter(2),
  },
  {
    promise: 'submits again up to three times what was lost',
    preset: 'lost',
    behaviour: { answer: 'reset' },
    times: 3,
    ...paidAfter(4),
  },
  {
    promise: 'pays once what the operator had all the time and did not find',
    preset: 'execute-late',
    behaviour: { answer: 'reset', lateMs: LONGER_THAN_PROOF_MS },
    asked: { ...PAID, submissions: [2, 4] },
    blind: { ...DOUBTED, submissions: 1 },
  },
  {
    promise: 'waits for what is executed late and not found until then',
    preset: 'execute-late',
    asked: PAID,
    blind: { states: ['succeeded', 'in_doubt'], executed: 1 },
  },
  {
    promise: 'waits for what is pending and then paid',
    preset: 'pending-then-ok',
    asked: PAID,
    blind: { states: ['succeeded', 'in_doubt'], executed: 1 },
  },
  {
    promise: 'fails what is pending and then refused',
    preset: 'pending-then-failed',
    asked: NEVER,
    blind: { states: ['failed', 'in_doubt'], executed: 0 },
  },
  {
    promise: 'keeps the hold of what stays pending',
    preset: 'pending-for-ever',
    asked: { states: ['submitted', 'in_doubt'], executed: 0 },
    blind: { states: ['in_doubt', 'failed'], executed: 0 },
  },
  {
    promise: 'debits once what the operator paid twice',
    preset: 'execute-twice',
    ...always({ states: ['succeeded'], executed: 2 }),
  },
  { promise: 'waits for a slow answer', preset: 'slow', ...always(PAID) },
  {
    promise: 'does not believe a success with another amount',
    preset: 'wrong-amount',
    untold: PAID,
    asked: DOUBTED,
    blind: { states: ['succeeded', 'in_doubt'], executed: 1 },
  },
  {
    promise: 'does not believe a success with another number',
    preset: 'wrong-number',
    untold: PAID,
    asked: DOUBTED,
    blind: { states: ['succeeded', 'in_doubt'], executed: 1 },
  },
  {
    promise: 'does not believe a success after a callback with another amount',
    preset: 'wrong-amount-in-callback',
    untold: PAID,
    asked: DOUBTED,
    blind: { states: ['succeeded', 'in_doubt'], executed: 1 },
  },
  {
    promise: 'does not fail what nobody can be asked about',
    preset: 'inquiry-down',
    asked: { states: ['in_doubt', 'submitted', 'succeeded'], executed: 1 },
    blind: { states: ['succeeded', 'in_doubt'], executed: 1 },
  },
  {
    promise: 'sends once more when the token has expired',
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
    promise: 'pays what was limited, not before the time that the operator names in seconds',
    preset: 'rate-limited',
    behaviour: retryAfter,
    times: 1,
    ...paidAfter(2),
    againAfterMs: AGAIN_AFTER_MS,
  },
  {
    promise: 'pays what was limited, not before the date that the operator names',
    preset: 'rate-limited-until-date',
    behaviour: retryAfter,
    times: 1,
    ...paidAfter(2),
    againAfterMs: AGAIN_AFTER_MS,
  },
  {
    promise: 'pays what was limited three times',
    preset: 'rate-limited',
    times: 3,
    ...paidAfter(4),
  },
  {
    promise: 'pays after a 503 that names a time in seconds, not before',
    preset: 'unavailable-for-now',
    behaviour: retryAfter,
    times: 1,
    ...paidAfter(2),
    againAfterMs: AGAIN_AFTER_MS,
  },
  {
    promise: 'pays after a 503 that names a date, not before',
    preset: 'unavailable-until-date',
    behaviour: retryAfter,
    times: 1,
    ...paidAfter(2),
    againAfterMs: AGAIN_AFTER_MS,
  },
  {
    promise: 'pays once what was limited and taken all the same',
    preset: 'rate-limited-but-paid',
    asked: { ...PAID, submissions: 1 },
    blind: { ...DOUBTED, submissions: 1 },
  },
  {
    promise: 'pays once what was limited, taken all the same, and not found at first',
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
    promise: 'takes a callback twice',
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
    promise: 'takes a late callback',
    preset: 'callback-late',
    asked: PAID,
    blind: { states: ['succeeded', 'in_doubt'], executed: 1 },
  },
  {
    promise: 'believes the answer rather than a callback that contradicts it',
    preset: 'callback-contradictory',
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
    promise: 'takes callbacks in any order',
    preset: 'callback-out-of-order',
    asked: PAID,
    blind: { states: ['succeeded', 'in_doubt'], executed: 1 },
  },
];
