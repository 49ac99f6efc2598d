import type { Behaviour } from './behaviour.ts';
import type { RefusalWord } from './refusal-words.ts';

/** Longer than any timer: it never fires. */
const FOR_EVER_MS = 1_000_000_000_000;
const LATE_MS = 90_000;
const SLOW_MS = 20_000;
const RETRY_AFTER_S = 2;
const PENDING_MS = 5_000;
/** Makes an operator that normally answers with the end receive inquiries and send callbacks. */
const SHORTLY_PENDING_MS = 2_000;

const OK: Behaviour = {
  execute: 'once',
  lateMs: 0,
  refusal: null,
  answer: 'normal',
  retryAfterS: 1,
  retryAfterAs: 'seconds',
  remembersForMs: FOR_EVER_MS,
  answerDelayMs: 0,
  pendingMs: 0,
  inquiry: 'normal',
  callback: 'once',
};
const NOT_TAKEN: Behaviour = { ...OK, execute: 'never', callback: 'none' };

function refuse(word: RefusalWord): Behaviour {
  return { ...OK, execute: 'never', refusal: word };
}

export const PRESETS = {
  ok: OK,
  reject: refuse('recipient-not-found'),
  'pay-no-answer': { ...OK, answer: 'hang' },
  'pay-then-500': { ...OK, answer: 'http500' },
  'pay-then-400': { ...OK, answer: 'http400' },
  'pay-then-html': { ...OK, answer: 'html' },
  'pay-then-reset': { ...OK, answer: 'reset' },
  'pay-then-reset-mid-body': { ...OK, answer: 'resetMidBody' },
  lost: { ...NOT_TAKEN, answer: 'hang' },
  'execute-late': { ...OK, execute: 'late', lateMs: LATE_MS },
  'pending-then-ok': { ...OK, pendingMs: PENDING_MS },
  'pending-then-failed': { ...refuse('declined'), pendingMs: PENDING_MS },
  'pending-for-ever': { ...refuse('declined'), pendingMs: FOR_EVER_MS },
  'execute-twice': { ...OK, execute: 'twice' },
  slow: { ...OK, answerDelayMs: SLOW_MS },
  // These end at once. Where only the submission's answer shows the paid amount, it then shows it in every run,
  // not only when the answer happens to come after the end.
  'wrong-amount': { ...OK, inquiry: 'wrongAmount' },
  'wrong-number': { ...OK, inquiry: 'wrongNumber' },
  // The callback reports another amount before the submission is answered, so it arrives before any inquiry.
  'wrong-amount-in-callback': {
    ...OK,
    inquiry: 'wrongAmount',
    callback: 'early',
    pendingMs: LATE_MS,
  },
  // The callback comes long after the first inquiry, so that a second inquiry comes when the first answer is
  // already recorded.
  'contradictory-inquiry': {
    ...OK,
    inquiry: 'contradictory',
    callback: 'late',
    pendingMs: SHORTLY_PENDING_MS,
  },
  // Inquiries alternate between "pending" and unavailable, and the payout never ends.
  'alternating-inquiry': {
    ...refuse('declined'),
    pendingMs: FOR_EVER_MS,
    inquiry: 'alternating',
    callback: 'none',
  },
  'inquiry-down': { ...OK, inquiry: 'down', pendingMs: SHORTLY_PENDING_MS },
  'token-expired': { ...NOT_TAKEN, answer: 'tokenExpired' },
  'rate-limited': { ...NOT_TAKEN, answer: 'http429' },
  'rate-limited-until-date': {
    ...NOT_TAKEN,
    answer: 'http429',
    retryAfterS: RETRY_AFTER_S,
    retryAfterAs: 'date',
  },
  // Answers that it accepted nothing, and pays.
  'rate-limited-but-paid': { ...OK, answer: 'http429' },
  'unavailable-for-now': { ...NOT_TAKEN, answer: 'http503', retryAfterS: RETRY_AFTER_S },
  'unavailable-until-date': {
    ...NOT_TAKEN,
    answer: 'http503',
    retryAfterS: RETRY_AFTER_S,
    retryAfterAs: 'date',
  },
  // Pays without an answer and forgets the reference at once, so the same reference would be paid again.
  'pay-then-forget': { ...OK, answer: 'hang', remembersForMs: 0 },
  'callback-none': { ...OK, callback: 'none', pendingMs: SHORTLY_PENDING_MS },
  'callback-twice': { ...OK, callback: 'twice', pendingMs: SHORTLY_PENDING_MS },
  'callback-early': { ...OK, callback: 'early', pendingMs: SHORTLY_PENDING_MS },
  'callback-late': { ...OK, callback: 'late', pendingMs: SHORTLY_PENDING_MS },
  'callback-contradictory': { ...OK, callback: 'contradictory', pendingMs: SHORTLY_PENDING_MS },
  'callback-forged': { ...OK, callback: 'forged', pendingMs: SHORTLY_PENDING_MS },
  'callback-out-of-order': { ...OK, callback: 'outOfOrder', pendingMs: SHORTLY_PENDING_MS },
} as const satisfies Record<string, Behaviour>;

export type PresetName = keyof typeof PRESETS;

export function isPresetName(name: string): name is PresetName {
  return Object.hasOwn(PRESETS, name);
}
