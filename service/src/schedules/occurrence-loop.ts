import {
  type BackgroundLoop,
  createBackgroundLoop,
  UNTIL_WOKEN_MS,
} from '../background/background-loop.ts';
import type { Logger } from '../telemetry/logger.ts';
import { type MakeDeps, makeOccurrence } from './make-occurrence.ts';
import {
  claimOccurrences,
  type SubmitFile,
  submitOccurrence,
  type ToSubmit,
} from './submit-occurrences.ts';

const RETRY_INTERVAL_MS = 1_000;
/** Occurrences made in one round before files are submitted; the loop is woken for the rest. */
const MADE_PER_ROUND_MAX = 100;

export type OccurrenceLoopDeps = MakeDeps & Readonly<{ submit: SubmitFile; logger: Logger }>;

/** Makes the payout files of schedules when their time has come, and submits them. Any number of processes may run it. */
export function createOccurrenceLoop(deps: OccurrenceLoopDeps): BackgroundLoop {
  return createBackgroundLoop({
    async round(signal) {
      try {
        await makeDue(deps, signal);
      } finally {
        // A schedule that cannot be made must not keep the files of others from being paid.
        await submitMade(deps, signal);
      }
      return UNTIL_WOKEN_MS;
    },
    what: 'looking for schedules whose time has come',
    logger: deps.logger,
    retryInMs: RETRY_INTERVAL_MS,
  });
}

async function makeDue(deps: OccurrenceLoopDeps, signal: AbortSignal): Promise<void> {
  for (let made = 0; made < MADE_PER_ROUND_MAX && !signal.aborted; made += 1) {
    const result = await makeOccurrence(deps);
    if (result === 'none') return;
    if (result !== 'moved') deps.logger.info(result, 'the time of a schedule has come');
  }
}

async function submitMade(deps: OccurrenceLoopDeps, signal: AbortSignal): Promise<void> {
  let claimed = await claimOccurrences(deps.database);
  while (claimed.length > 0 && !signal.aborted) {
    for (const occurrence of claimed) await submitAndLog(deps, occurrence);
    claimed = await claimOccurrences(deps.database);
  }
}

/** If it goes wrong its lease ends, and it is submitted again. */
async function submitAndLog(deps: OccurrenceLoopDeps, occurrence: ToSubmit): Promise<void> {
  const { fileId, scheduleId } = occurrence;
  try {
    const refusal = await submitOccurrence(deps, occurrence);
    if (refusal === null) return;
    const facts = { fileId, scheduleId, code: refusal.code };
    deps.logger.warn(facts, 'the payout file of a schedule was refused and waits for a person');
  } catch (error) {
    const facts = { fileId, scheduleId, err: error };
    deps.logger.warn(facts, 'submitting the payout file of a schedule failed, trying again');
  }
}
