import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { IN_DOUBT } from '../../test/standing.ts';
import { stepWithoutSlot } from './after-not-found.ts';
import { NOT_FOUND_AGE_MIN_MS } from './doubt-schedule.ts';
import { nextStep } from './next-step.ts';
import type { Outcome } from './outcome.ts';
import type { Standing } from './standing.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('resubmission', () => {
  const notFound: Outcome = { kind: 'notFound' };
  /** The third answer of "not found" after 15 minutes, where the operator recognises its orders. */
  const PROVEN: Standing = {
    ...IN_DOUBT,
    checks: 6,
    notFoundAnswers: 2,
    doubtMs: NOT_FOUND_AGE_MIN_MS,
    sinceDoubtMs: 20 * MINUTE_MS,
    sinceSubmissionMs: 20 * MINUTE_MS,
    referenceMemoryMs: 12 * HOUR_MS,
    notFoundIsFinal: false,
  };
  const THROTTLED: Standing = { ...PROVEN, notFoundAnswers: 0, doubtMs: 0, throttled: true };

  const cases: readonly [string, Partial<Standing>, 'again' | 'failed' | 'in_doubt'][] = [
    ['is sent after three answers and 15 minutes', {}, 'again'],
    ['is sent before the transfer may fail', { notFoundIsFinal: true }, 'again'],
    ['is not sent after two answers', { notFoundAnswers: 1 }, 'in_doubt'],
    ['is not sent before 15 minutes', { doubtMs: NOT_FOUND_AGE_MIN_MS - 1 }, 'in_doubt'],
    ['is sent a third time', { resubmissions: 2 }, 'again'],
    ['is not sent a fourth time', { resubmissions: 3 }, 'in_doubt'],
    [
      'fails after the third where "not found" is final',
      { resubmissions: 3, notFoundIsFinal: true },
      'failed',
    ],
    [
      'is not sent where the operator does not recognise its orders',
      { referenceMemoryMs: 0 },
      'in_doubt',
    ],
    [
      'is not sent when the time of the first submission is not known',
      { sinceSubmissionMs: null },
      'in_doubt',
    ],
    [
      "is sent before the operator's memory ends",
      { sinceSubmissionMs: 12 * HOUR_MS - MINUTE_MS - 1 },
      'again',
    ],
    [
      "is not sent when the operator's memory ends",
      { sinceSubmissionMs: 12 * HOUR_MS - MINUTE_MS },
      'in_doubt',
    ],
    [
      'fails when the memory of the operator ends, where "not found" is final',
      { sinceSubmissionMs: 13 * HOUR_MS, notFoundIsFinal: true },
      'failed',
    ],
    ['is not sent after a recall', { wasRecalled: true }, 'in_doubt'],
    ['is not sent after an answer of pending', { wasPending: true }, 'in_doubt'],
    ['is not sent after an answer of paid', { unconfirmedSuccesses: 1 }, 'in_doubt'],
    ['is not sent after a contradiction', { contradictions: ['amount'] }, 'in_doubt'],
    ['is not sent in another state', { state: 'submitting' }, 'in_doubt'],
  ];
  for (const [promise, given, expected] of cases) {
    it(promise, () => {
      const { to, resubmission, notFoundProof } = nextStep({ ...PROVEN, ...given }, notFound);
      assert.equal(resubmission === undefined ? to : 'again', expected);
      if (expected === 'in_doubt') return;
      assert.deepEqual(notFoundProof, { answersMin: 3, doubtMinMs: NOT_FOUND_AGE_MIN_MS });
    });
  }

  it('restarts the count of answers and the schedule', () => {
    const step = nextStep(PROVEN, notFound);
    assert.deepEqual([step.to, step.notFoundAnswers, step.checks], ['in_doubt', 0, 0]);
    assert.deepEqual(step.resubmission, { withinMs: 12 * HOUR_MS - MINUTE_MS });
    const sent: Standing = { ...IN_DOUBT, isResubmission: true, resubmissions: 1 };
    assert.equal(nextStep(sent, { kind: 'unknown', cause: 'timeout' }).nextActionInMs, 5_000);
  });

  it('keeps the transfer in doubt when it is refused: the first submission may have been executed', () => {
    const refused: Outcome = { kind: 'rejected', failure: 'OPERATOR_REJECTED', cause: 'no' };
    const sent: Standing = { ...IN_DOUBT, checks: 0, isResubmission: true, resubmissions: 1 };
    const step = nextStep(sent, refused);
    assert.deepEqual([step.to, step.failure, step.nextActionInMs], ['in_doubt', null, 5_000]);
    assert.equal(nextStep({ ...sent, isResubmission: false }, refused).to, 'failed');
  });

  it('leaves the transfer in doubt with an early inquiry when it was not sent or is a duplicate', () => {
    const sent: Standing = { ...IN_DOUBT, checks: 0, isResubmission: true, resubmissions: 1 };
    for (const outcome of [
      { kind: 'notSent', cause: 'refused', retryInMs: 60_000 },
      { kind: 'unknown', cause: 'duplicate', isDuplicate: true },
    ] as const) {
      const step = nextStep(sent, outcome);
      assert.deepEqual([step.to, step.nextActionInMs], ['in_doubt', 5_000]);
    }
  });

  it('does not delay the flag for a person', () => {
    const unknown: Outcome = { kind: 'unknown', cause: 'timeout' };
    const old: Standing = { ...IN_DOUBT, checks: 50, sinceDoubtMs: 73 * HOUR_MS };
    assert.equal(nextStep({ ...old, resubmissions: 3 }, unknown).needsPerson, true);
  });

  it('needs one "not found" after the operator was throttling, up to 12 times', () => {
    const step = nextStep(THROTTLED, notFound);
    assert.deepEqual(step.notFoundProof, { answersMin: 1, doubtMinMs: 0 });
    assert.ok(step.resubmission !== undefined && step.throttled === undefined);
    assert.ok(nextStep({ ...THROTTLED, resubmissions: 11 }, notFound).resubmission !== undefined);
    assert.equal(nextStep({ ...THROTTLED, resubmissions: 12 }, notFound).resubmission, undefined);
    assert.equal(nextStep({ ...THROTTLED, referenceMemoryMs: 0 }, notFound).to, 'in_doubt');
  });

  it('waits briefly for a slot of its route, and longer for a closed route', () => {
    const soon = stepWithoutSlot(THROTTLED, { isClosed: false });
    assert.deepEqual(
      [soon.to, soon.checks, soon.notFoundAnswers, soon.throttled, soon.nextActionInMs],
      ['in_doubt', 6, 1, true, 5_000],
    );
    const later = stepWithoutSlot(PROVEN, { isClosed: true });
    assert.deepEqual([later.checks, later.notFoundAnswers], [7, 3]);
    assert.equal(later.nextActionInMs, 15 * MINUTE_MS);
    const over = stepWithoutSlot({ ...PROVEN, sinceDoubtMs: 73 * HOUR_MS }, { isClosed: false });
    assert.deepEqual([over.nextActionInMs, over.needsPerson], [null, true]);
  });
});
