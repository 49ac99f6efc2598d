import type { Behaviour } from './behaviour.ts';
import type { RefusalWord } from './refusal-words.ts';

/** Longer than any timer runs: what waits so long does not happen. */
const FOR_EVER_MS = 1_000_000_000_000;
const LATE_MS = 90_000;
const SLOW_MS = 20_000;
const RETRY_AFTER_S = 2;
const PENDING_MS = 5_000;
/** So that an operator which normally answers with the end is asked, or calls back, at all. */
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
  // They end at once. Where the submission's answer is the only one that tells what was paid, it tells it in
  // every run, and not only when it happens to be slower than the end.
  'wrong-amount': { ...OK, inquiry: 'wrongAmount' },
  'wrong-number': { ...OK, inquiry: 'wrongNumber' },
  // The callback tells another amount before the submission is answered, so it is there before any inquiry is.
  'wrong-amount-in-callback': {
    ...OK,
    inquiry: 'wrongAmount',
    callback: 'early',
    pendingMs: LATE_MS,
  },
  // It calls back long after it was asked, so that it is asked again when its first word is on record.
  'contradictory-inquiry': {
    ...OK,
    inquiry: 'contradictory',
    callback: 'late',
    pendingMs: SHORTLY_PENDING_MS,
  },
  // Says "pending" and nothing in turns, and never comes to an end.
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
  // It says that it took nothing, and pays all the same.
  'rate-limited-but-paid': { ...OK, answer: 'http429' },
  'unavailable-for-now': { ...NOT_TAKEN, answer: 'http503', retryAfterS: RETRY_AFTER_S },
  'unavailable-until-date': {
    ...NOT_TAKEN,
    answer: 'http503',
    retryAfterS: RETRY_AFTER_S,
    retryAfterAs: 'date',
  },
  // Paid without an answer, and forgotten at once: the same reference again would be paid again.
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
