import {
  ANSWERS_LAPSE_MIN_MS,
  ANSWERS_LAPSE_WAITS,
  type Move,
  type Transfer,
} from './service-core.ts';

/** The times of a doubt in a row, by the database's clock. */
export type DoubtTimes = Readonly<{
  beganMs: number | null;
  answersLapseMs: number | null;
  answersCountFromMs: number | null;
}>;

export const NO_DOUBT: DoubtTimes = {
  beganMs: null,
  answersLapseMs: null,
  answersCountFromMs: null,
};

type Step = Move['step'];

export function haveLapsed({ answersLapseMs }: DoubtTimes, nowMs: number): boolean {
  return answersLapseMs !== null && answersLapseMs < nowMs;
}

/** An answer that comes sooner after the previous one than planned counts together with it as one. */
function isEarly({ answersCountFromMs }: DoubtTimes, nowMs: number): boolean {
  return answersCountFromMs !== null && nowMs < answersCountFromMs;
}

/** The number of "not found" answers in the row after a move. */
export function countAnswers(doubt: DoubtTimes, step: Step, nowMs: number): number {
  const { notFoundAnswers: wanted, to } = step;
  if (to !== 'in_doubt') return wanted;
  if (haveLapsed(doubt, nowMs)) return Math.min(wanted, 1);
  return wanted > 1 && isEarly(doubt, nowMs) ? wanted - 1 : wanted;
}

/** The age of a doubt is counted from the first answer. */
export function doubtAfter(doubt: DoubtTimes, step: Step, nowMs: number): DoubtTimes {
  if (step.to !== 'in_doubt') return NO_DOUBT;
  const isOneMore = step.notFoundAnswers > 1;
  const waitMs = step.nextActionInMs ?? 0;
  const beganMs = isOneMore && !haveLapsed(doubt, nowMs) ? doubt.beganMs : null;
  const countFromMs = isOneMore && isEarly(doubt, nowMs) ? doubt.answersCountFromMs : null;
  return {
    beganMs: beganMs ?? nowMs,
    answersLapseMs: nowMs + ANSWERS_LAPSE_WAITS * waitMs + ANSWERS_LAPSE_MIN_MS,
    answersCountFromMs: countFromMs ?? nowMs + waitMs,
  };
}

/** Whether, at the move, the "not found" answers are sufficient for the step. */
export function isProven(
  { doubt, transfer }: Readonly<{ doubt: DoubtTimes; transfer: Transfer }>,
  { notFoundProof }: Step,
  nowMs: number,
): boolean {
  if (notFoundProof === undefined) return true;
  if (notFoundProof.answersMin === 1) return transfer.throttled;
  return (
    transfer.notFoundAnswers + 1 >= notFoundProof.answersMin &&
    !haveLapsed(doubt, nowMs) &&
    !isEarly(doubt, nowMs) &&
    doubt.beganMs !== null &&
    doubt.beganMs <= nowMs - notFoundProof.doubtMinMs
  );
}

/** Whether a resubmission is allowed when it is recorded. */
export function mayResubmit(
  row: Readonly<{ transfer: Transfer; firstTimes: FirstTimes; calledAbout: boolean }>,
  { resubmission }: Step,
  nowMs: number,
): boolean {
  if (resubmission === undefined) return true;
  const { submittedMs, pendingMs } = row.firstTimes;
  return (
    submittedMs !== null &&
    submittedMs > nowMs - resubmission.withinMs &&
    row.transfer.recalls === 0 &&
    pendingMs === null &&
    row.transfer.contradictions.length === 0 &&
    !row.calledAbout
  );
}

/** When it was first in doubt and first submitted; kept until it ends. */
export type FirstTimes = Readonly<{
  doubtMs: number | null;
  pendingMs: number | null;
  /** When it left the queue. */
  submittedMs: number | null;
}>;

export const NO_TIMES: FirstTimes = { doubtMs: null, pendingMs: null, submittedMs: null };

export function firstTimesAfter(times: FirstTimes, { to }: Step, nowMs: number): FirstTimes {
  const { submittedMs } = times;
  if (to === 'in_doubt') return { ...times, doubtMs: times.doubtMs ?? nowMs };
  if (to === 'submitted') return { ...times, pendingMs: times.pendingMs ?? nowMs };
  if (to === 'queued') return NO_TIMES;
  return { ...NO_TIMES, submittedMs: to === 'submitting' ? nowMs : submittedMs };
}
