import { atLeast, checksAfter, isOverAfter, nextDoubtCheckMs } from './doubt-schedule.ts';
import type { NextStep, Standing } from './standing.ts';
import type { TransferState } from './transfer-state.ts';

/**
 * The next step in doubt. Resets the count of "not found": an operator that did not answer may still have the order in
 * a queue.
 */
export function doubt(standing: Standing, cause: string): NextStep {
  const checks = checksInDoubt(standing);
  const isOver =
    standing.resubmissions > 0 && isOverAfter(standing.sinceDoubtMs, standing.timeScale);
  const waitMs = standing.inquires && !isOver ? nextDoubtCheckMs(checks) : undefined;
  return {
    ...step(standing, 'in_doubt', cause),
    checks,
    notFoundAnswers: 0,
    unconfirmedSuccesses: standing.unconfirmedSuccesses,
    nextActionInMs: waitMs === undefined ? null : atLeast(waitMs * standing.timeScale),
    needsPerson: waitMs === undefined,
  };
}

/**
 * The place in the schedule. An inquiry that a person or a callback brought forward takes none: without that bound a few
 * of them would put off the next one, and many would end the schedule. After "pending" the schedule resumes where it
 * would be without it; after a resubmission it restarts.
 */
function checksInDoubt({
  state,
  checks,
  isResubmission,
  sinceDoubtMs,
  timeScale,
}: Standing): number {
  if (isResubmission) return 0;
  const checksMax = checksAfter(sinceDoubtMs, timeScale);
  return state === 'in_doubt' ? Math.min(checks + 1, checksMax) : checksMax;
}

export function step(standing: Standing, to: TransferState, cause: string): NextStep {
  return {
    to,
    cause,
    failure: null,
    operatorTransactionId: null,
    nextActionInMs: null,
    checks: standing.checks,
    notFoundAnswers: standing.notFoundAnswers,
    needsPerson: false,
  };
}
