import type { Standing } from '../src/domain/standing.ts';

/** A transfer that is being submitted for the first time, by a connector that can inquire. */
export const SUBMITTING: Standing = {
  state: 'submitting',
  checks: 0,
  notFoundAnswers: 0,
  doubtMs: 1_000,
  sinceDoubtMs: 0,
  sincePendingMs: 0,
  wasPending: false,
  sinceSubmissionMs: null,
  resubmissions: 0,
  wasRecalled: false,
  throttled: false,
  isResubmission: false,
  referenceMemoryMs: 0,
  inquires: true,
  notFoundIsFinal: true,
  unconfirmedSuccesses: 0,
  contradictions: [],
  unconfirmedSuccessWaitMs: null,
  timeScale: 1,
};

export const IN_DOUBT: Standing = { ...SUBMITTING, state: 'in_doubt' };
