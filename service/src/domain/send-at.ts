import { type FieldProblem, fieldProblem } from './field-problem.ts';

const DAY_MS = 24 * 60 * 60_000;
const SEND_AHEAD_MAX_DAYS = 90;

/**
 * A scheduled transfer whose time passed longer ago than this, as after a long outage, is not sent by itself: people
 * may have paid in another way meanwhile. Of a book whose policy says nothing else (`sendLateWithin`).
 */
export const SEND_LATE_WITHIN_DEFAULT_MS = DAY_MS;

/** Between two batches of a payout file seconds pass, or a lease. A pause up to this long is no interruption. */
export const FILE_PAUSE_MAX_MS = 60_000;

/** What is wrong with a time to send at, or null. */
export function findSendAtProblem(sendAt: Date | null, now: Date): FieldProblem | null {
  if (sendAt === null) return null;
  const aheadMs = sendAt.getTime() - now.getTime();
  if (aheadMs < 0) return fieldProblem('sendAt', 'INVALID_SEND_AT', PASSED);
  return aheadMs > SEND_AHEAD_MAX_DAYS * DAY_MS
    ? fieldProblem('sendAt', 'INVALID_SEND_AT', TOO_FAR)
    : null;
}

const PASSED = 'This time has passed. Give a later one, or leave it out to send at once.';
const TOO_FAR = `At most ${SEND_AHEAD_MAX_DAYS} days ahead.`;
