import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { IN_DOUBT, SUBMITTING } from '../../test/standing.ts';
import { NOT_FOUND_AGE_MIN_MS, NOT_FOUND_ANSWERS_MIN } from './doubt-schedule.ts';
import { findContradiction, nextStep, stepWithoutInquiry } from './next-step.ts';
import {
  FAILURES,
  type FailureCode,
  type Outcome,
  REPORTED_FIELDS,
  type ReportedField,
} from './outcome.ts';
import type { NextStep, Standing } from './standing.ts';
import { mayMove, STATE_RULES } from './transfer-state.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const standings = fc.record({
  state: fc.constantFrom<Standing['state'][]>(
    'submitting',
    'submitted',
    'in_doubt',
    'succeeded',
    'failed',
    'cancelled',
    'reversed',
  ),
  checks: fc.nat(200),
  notFoundAnswers: fc.nat(5),
  doubtMs: fc.nat(2 * NOT_FOUND_AGE_MIN_MS),
  sinceDoubtMs: fc.nat(100 * HOUR_MS),
  sincePendingMs: fc.nat(100 * HOUR_MS),
  wasPending: fc.boolean(),
  sinceSubmissionMs: fc.option(fc.nat(13 * HOUR_MS)),
  resubmissions: fc.nat(14),
  wasRecalled: fc.boolean(),
  throttled: fc.boolean(),
  isResubmission: fc.boolean(),
  referenceMemoryMs: fc.constantFrom(0, 12 * HOUR_MS),
  inquires: fc.boolean(),
  notFoundIsFinal: fc.boolean(),
  unconfirmedSuccesses: fc.nat(2),
  contradictions: fc.subarray([...REPORTED_FIELDS]),
  unconfirmedSuccessWaitMs: fc.constantFrom(null, 5_000),
  timeScale: fc.constantFrom(0, 0.05, 1, 10),
});

const outcomes: fc.Arbitrary<Outcome> = fc.oneof(
  fc
    .subarray([...REPORTED_FIELDS])
    .map((confirmed): Outcome => ({ kind: 'paid', operatorTransactionId: 'x', confirmed })),
  fc
    .subarray([...REPORTED_FIELDS], { minLength: 1 })
    .map((contradicted): Outcome => ({ kind: 'mismatched', contradicted, cause: 'another' })),
  fc
    .constantFrom(...(Object.keys(FAILURES) as FailureCode[]))
    .map((failure): Outcome => ({ kind: 'rejected', failure, cause: 'no' })),
  fc.nat(100_000).map((inquireInMs): Outcome => ({ kind: 'pending', inquireInMs })),
  fc.nat(100_000).map((retryInMs): Outcome => ({ kind: 'notSent', cause: 'refused', retryInMs })),
  fc.constant<Outcome>({ kind: 'unknown', cause: 'timeout' }),
  fc
    .option(fc.nat(HOUR_MS))
    .map((retryInMs): Outcome => ({ kind: 'throttled', cause: '429', retryInMs })),
  fc
    .option(fc.nat(HOUR_MS))
    .map((retryInMs): Outcome => ({ kind: 'unanswered', cause: '429', retryInMs })),
  fc.constant<Outcome>({ kind: 'notFound' }),
  fc.constant<Outcome>({ kind: 'returned', cause: 'statement' }),
);

describe('every answer in every state', () => {
  it('leads only along the published transitions', () => {
    fc.assert(
      fc.property(standings, outcomes, (standing, outcome) => {
        const { to } = nextStep(standing, outcome);
        assert.ok(
          to === standing.state || mayMove(standing.state, to),
          `${standing.state} → ${to}`,
        );
      }),
    );
  });

  it('ends a transfer only on positive evidence', () => {
    fc.assert(
      fc.property(standings, outcomes, (standing, outcome) => {
        const { to } = nextStep(standing, outcome);
        if (to === 'succeeded' && standing.state !== 'succeeded') {
          const paid = outcome.kind === 'paid' ? outcome.confirmed : [];
          assert.ok(outcome.kind === 'paid' || outcome.kind === 'returned');
          assert.ok(standing.contradictions.every((subject) => paid.includes(subject)));
        }
        if (to === 'reversed' && standing.state !== to) assert.equal(outcome.kind, 'returned');
        if (to !== 'failed' || standing.state === 'failed') return;
        const oldNotFound =
          outcome.kind === 'notFound' &&
          standing.notFoundIsFinal &&
          standing.doubtMs >= NOT_FOUND_AGE_MIN_MS * standing.timeScale &&
          standing.notFoundAnswers + 1 >= NOT_FOUND_ANSWERS_MIN;
        assert.ok(outcome.kind === 'rejected' || oldNotFound);
      }),
    );
  });

  it('returns to the queue only when provably nothing was sent', () => {
    fc.assert(
      fc.property(standings, outcomes, (standing, outcome) => {
        if (nextStep(standing, outcome).to !== 'queued') return;
        assert.equal(outcome.kind, 'notSent');
        assert.equal(standing.state, 'submitting');
      }),
    );
  });

  it('leaves nothing pending without a next action or a person', () => {
    fc.assert(
      fc.property(standings, outcomes, (standing, outcome) => {
        const step = nextStep(standing, outcome);
        if (STATE_RULES[step.to].status !== 'pending') return;
        assert.ok(step.needsPerson !== (step.nextActionInMs !== null));
        if (step.nextActionInMs !== null) assert.ok(step.nextActionInMs >= 50);
      }),
    );
  });

  it('resubmits only what the operator recognises, and only after answers of "not found"', () => {
    let resubmitted = 0;
    const contradictions = fc.constantFrom<ReportedField[][]>([], ['amount']);
    const likely = fc.oneof(outcomes, fc.constant<Outcome>({ kind: 'notFound' }));
    fc.assert(
      fc.property(standings, contradictions, likely, (drawn, contradicted, outcome) => {
        const standing: Standing = { ...drawn, contradictions: contradicted };
        const { to, resubmission } = nextStep(standing, outcome);
        if (resubmission === undefined) return;
        resubmitted += 1;
        assert.deepEqual([outcome.kind, standing.state, to], ['notFound', 'in_doubt', 'in_doubt']);
        const { sinceSubmissionMs, referenceMemoryMs } = standing;
        assert.equal(standing.wasRecalled, false);
        assert.ok(sinceSubmissionMs !== null && sinceSubmissionMs < referenceMemoryMs - MINUTE_MS);
        assert.ok(standing.resubmissions < (standing.throttled ? 12 : 3));
        assert.ok(!standing.wasPending && standing.contradictions.length === 0);
      }),
      { numRuns: 20_000 },
    );
    assert.ok(resubmitted > 0);
  });

  it('has a failure code exactly when the transfer failed', () => {
    fc.assert(
      fc.property(standings, outcomes, (standing, outcome) => {
        const step = nextStep(standing, outcome);
        const fails = step.to === 'failed' && standing.state !== 'failed';
        assert.equal(step.failure !== null, fails);
      }),
    );
  });
});

describe('doubt', () => {
  it('is inquired about after 5, 15, 30 s, 1, 2, 5, 10, 15 min, then every 30 min, then hourly', () => {
    const delays: (number | null)[] = [];
    let standing = SUBMITTING;
    let sinceDoubtMs = 0;
    for (;;) {
      const step = nextStep(standing, { kind: 'unknown', cause: 'timeout' });
      delays.push(step.nextActionInMs);
      if (step.nextActionInMs === null) {
        assert.equal(step.needsPerson, true);
        break;
      }
      sinceDoubtMs += step.nextActionInMs;
      standing = { ...IN_DOUBT, checks: step.checks, sinceDoubtMs };
    }
    const seconds = delays.slice(0, 9).map((delay) => (delay ?? 0) / 1_000);
    assert.deepEqual(seconds, [5, 15, 30, 60, 120, 300, 600, 900, 1_800]);
    const totalHours = delays.reduce<number>((sum, delay) => sum + (delay ?? 0), 0) / 3_600_000;
    assert.ok(totalHours >= 72 && totalHours < 73, `${totalHours} hours`);
    assert.equal(delays.at(-2), 3_600_000);
  });

  it('does not fail on "not found" before 15 minutes and 3 answers', () => {
    const notFound: Outcome = { kind: 'notFound' };
    const old = { ...IN_DOUBT, doubtMs: NOT_FOUND_AGE_MIN_MS };
    assert.equal(nextStep({ ...old, notFoundAnswers: 1 }, notFound).to, 'in_doubt');
    assert.equal(nextStep({ ...old, doubtMs: 1, notFoundAnswers: 9 }, notFound).to, 'in_doubt');
    assert.equal(nextStep({ ...old, notFoundAnswers: 2 }, notFound).to, 'failed');
  });

  it('restarts the count of "not found" when an inquiry goes unanswered', () => {
    const heard = { ...IN_DOUBT, notFoundAnswers: 2 };
    const silences: readonly Outcome[] = [
      { kind: 'unknown', cause: 'timeout' },
      { kind: 'notSent', cause: 'refused', retryInMs: 1 },
      { kind: 'pending', inquireInMs: 1 },
    ];
    for (const outcome of silences) assert.equal(nextStep(heard, outcome).notFoundAnswers, 0);
    assert.equal(nextStep(heard, { kind: 'notFound' }).notFoundAnswers, 3);
  });

  it('goes to a person at once where the connector cannot inquire', () => {
    const step = stepWithoutInquiry({ ...SUBMITTING, inquires: false });
    assert.equal(step.to, 'in_doubt');
    assert.equal(step.needsPerson, true);
    assert.equal(step.nextActionInMs, null);
  });
});

describe('a success that does not say what was paid', () => {
  const unconfirmed: Outcome = {
    kind: 'paid',
    operatorTransactionId: 'x',
    confirmed: ['reference'],
  };
  const mayReportMore: Standing = { ...SUBMITTING, unconfirmedSuccessWaitMs: 5_000 };
  const afterInquiry = (step: NextStep): Standing => ({
    ...mayReportMore,
    state: step.to,
    unconfirmedSuccesses: step.unconfirmedSuccesses ?? 0,
  });

  it('leads to another inquiry where the operator may report more, and counts the second time', () => {
    for (const state of ['submitting', 'submitted', 'in_doubt'] as const) {
      const first = nextStep({ ...mayReportMore, state, timeScale: 0.5 }, unconfirmed);
      assert.deepEqual([first.to, first.nextActionInMs], ['submitted', 2_500]);
      const second = nextStep(afterInquiry(first), unconfirmed);
      assert.deepEqual([second.to, second.operatorTransactionId], ['succeeded', 'x']);
    }
  });

  it('counts at once where the operator never reports more', () => {
    assert.equal(nextStep(SUBMITTING, unconfirmed).to, 'succeeded');
  });

  it('needs no second answer once amount, currency and number are reported', () => {
    const confirmed: Outcome = { ...unconfirmed, confirmed: ['amount', 'currency', 'number'] };
    assert.equal(nextStep(mayReportMore, confirmed).to, 'succeeded');
    for (const missing of REPORTED_FIELDS.filter((subject) => subject !== 'reference')) {
      const confirms = REPORTED_FIELDS.filter((subject) => subject !== missing);
      assert.equal(
        nextStep(mayReportMore, { ...unconfirmed, confirmed: confirms }).to,
        'submitted',
      );
    }
  });

  it('no longer counts after an answer that says otherwise, and still counts after a silence', () => {
    const once: Standing = { ...mayReportMore, state: 'submitted', unconfirmedSuccesses: 1 };
    const after = (outcome: Outcome) =>
      nextStep(afterInquiry(nextStep(once, outcome)), unconfirmed).to;
    assert.equal(after({ kind: 'pending', inquireInMs: 1 }), 'submitted');
    assert.equal(after({ kind: 'notFound' }), 'submitted');
    assert.equal(after({ kind: 'unknown', cause: 'timeout' }), 'succeeded');
  });

  it('keeps the hold through one refusal that follows it', () => {
    const once: Standing = { ...mayReportMore, state: 'submitted', unconfirmedSuccesses: 1 };
    const refused: Outcome = { kind: 'rejected', failure: 'OPERATOR_REJECTED', cause: 'no' };
    const first = nextStep(once, refused);
    assert.equal(first.to, 'in_doubt');
    assert.equal(nextStep(afterInquiry(first), refused).to, 'failed');
  });
});

describe('an answer that contradicts what was sent', () => {
  const paid = (...confirmed: ReportedField[]): Outcome & { kind: 'paid' } => ({
    kind: 'paid',
    operatorTransactionId: 'x',
    confirmed,
  });
  const mismatched: Outcome = {
    kind: 'mismatched',
    contradicted: ['amount'],
    cause: 'TS of 26.71',
  };

  it('leaves the transfer in doubt, and the contradiction is kept', () => {
    const step = nextStep(SUBMITTING, mismatched);
    assert.deepEqual([step.to, step.contradicted], ['in_doubt', ['amount']]);
  });

  it('is not withdrawn by any number of successes that do not cover the same point', () => {
    let standing: Standing = { ...IN_DOUBT, contradictions: ['amount', 'number'] };
    for (const outcome of [paid(), paid('reference', 'amount'), paid('number', 'currency')]) {
      const step = nextStep(standing, outcome);
      assert.equal(step.to, 'in_doubt');
      assert.match(step.cause, /^OPERATOR_PAID_OTHERWISE amount, number$/);
      standing = { ...standing, unconfirmedSuccesses: step.unconfirmedSuccesses ?? 0 };
    }
    const returned: Outcome = { kind: 'returned', cause: 'statement' };
    assert.equal(nextStep(standing, returned).to, 'in_doubt');
  });

  it('is withdrawn by an answer that reports the point as it was sent', () => {
    const standing: Standing = { ...IN_DOUBT, contradictions: ['amount'] };
    assert.equal(nextStep(standing, paid('amount')).to, 'succeeded');
  });

  it('keeps the hold through one refusal that follows it', () => {
    const { unconfirmedSuccesses = 0 } = nextStep(SUBMITTING, mismatched);
    const refused: Outcome = { kind: 'rejected', failure: 'OPERATOR_REJECTED', cause: 'no' };
    const standing: Standing = { ...IN_DOUBT, contradictions: ['amount'], unconfirmedSuccesses };
    const first = nextStep(standing, refused);
    assert.equal(first.to, 'in_doubt');
    assert.equal(nextStep({ ...standing, unconfirmedSuccesses: 0 }, refused).to, 'failed');
  });
});

it('records a payment that was returned before we saw it as paid, then as reversed', () => {
  const returned: Outcome = { kind: 'returned', cause: 'statement' };
  const paid = nextStep(SUBMITTING, returned);
  assert.equal(paid.to, 'succeeded');
  assert.ok(paid.nextActionInMs !== null);
  assert.equal(nextStep({ ...SUBMITTING, state: 'succeeded' }, returned).to, 'reversed');
});

it('asks about a return after a long doubt by a schedule that begins anew', () => {
  const longDoubt: Standing = { ...IN_DOUBT, checks: 150 };
  const returned = nextStep(longDoubt, { kind: 'returned', cause: 'statement' });
  assert.deepEqual([returned.to, returned.checks], ['succeeded', 0]);
  const paid: Standing = { ...longDoubt, state: 'succeeded', checks: returned.checks };
  const silent = nextStep(paid, { kind: 'unanswered', cause: 'timeout', retryInMs: null });
  assert.deepEqual([silent.nextActionInMs, silent.needsPerson], [5_000, false]);
});

describe('a payout that the operator was asked to take back', () => {
  const paid: Outcome = { kind: 'paid', operatorTransactionId: 'x', confirmed: REPORTED_FIELDS };
  const recalled: Standing = { ...IN_DOUBT, wasRecalled: true };

  it('is asked about while it is still "paid", until the schedule is over; then a person must act', () => {
    let standing: Standing = { ...recalled, state: 'succeeded', checks: 0 };
    let waitedMs = 0;
    for (;;) {
      const step = nextStep(standing, paid);
      assert.equal(step.to, 'succeeded');
      if (step.nextActionInMs === null) {
        assert.equal(step.needsPerson, true);
        break;
      }
      waitedMs += step.nextActionInMs;
      standing = { ...standing, checks: step.checks };
    }
    assert.ok(waitedMs >= 71 * HOUR_MS && waitedMs <= 73 * HOUR_MS);
    const returned = nextStep(standing, { kind: 'returned', cause: 'statement' });
    assert.equal(returned.to, 'reversed');
  });

  it('is asked about after it was paid in the meantime', () => {
    const step = nextStep({ ...recalled, checks: 150 }, paid);
    assert.deepEqual([step.to, step.checks, step.nextActionInMs], ['succeeded', 1, 5_000]);
  });

  it('is not what another one is that was paid', () => {
    const step = nextStep({ ...IN_DOUBT, state: 'succeeded' }, paid);
    assert.deepEqual([step.nextActionInMs, step.needsPerson], [null, false]);
  });
});

describe('an end', () => {
  it('is contradicted only by payment after failure and by refusal after success', () => {
    const paid: Outcome = { kind: 'paid', operatorTransactionId: 'x', confirmed: REPORTED_FIELDS };
    const refused: Outcome = { kind: 'rejected', failure: 'OPERATOR_REJECTED', cause: 'no' };
    assert.equal(findContradiction('failed', paid), 'paid_after_failure');
    assert.equal(findContradiction('cancelled', paid), 'paid_after_failure');
    assert.equal(findContradiction('succeeded', refused), 'refused_after_success');
    const another: Outcome = { kind: 'mismatched', contradicted: ['number'], cause: 'another' };
    assert.equal(findContradiction('succeeded', another), 'mismatch_after_success');
    assert.equal(findContradiction('failed', another), 'paid_after_failure');
    assert.equal(findContradiction('in_doubt', another), null);
    assert.equal(findContradiction('succeeded', paid), null);
    assert.equal(findContradiction('failed', refused), null);
    assert.equal(findContradiction('in_doubt', refused), null);
  });

  it('is never changed by an answer, except when money is returned', () => {
    fc.assert(
      fc.property(standings, outcomes, (standing, outcome) => {
        if (STATE_RULES[standing.state].status === 'pending') return;
        const { to } = nextStep(standing, outcome);
        const cameBack = standing.state === 'succeeded' && outcome.kind === 'returned';
        assert.equal(to, cameBack ? 'reversed' : standing.state);
      }),
    );
  });
});

it('inquires less and less often while the operator keeps saying "pending"', () => {
  const pending: Outcome = { kind: 'pending', inquireInMs: 2_000 };
  const waits: (number | null)[] = [];
  let standing: Standing = SUBMITTING;
  let sincePendingMs = 0;
  for (let n = 0; n < 12; n += 1) {
    const step = nextStep(standing, pending);
    waits.push(step.nextActionInMs);
    sincePendingMs += step.nextActionInMs ?? 0;
    standing = { ...SUBMITTING, state: 'submitted', checks: step.checks, sincePendingMs };
  }
  assert.deepEqual(waits.slice(0, 4), [2_000, 4_000, 8_000, 16_000]);
  assert.equal(waits.at(-1), 15 * 60_000);
});

describe('an operator that never gives a final answer', () => {
  /** Inquires as planned and gives the answers in turn, until a person is needed. */
  function inquireUntilPerson(answers: readonly Outcome[]) {
    let standing: Standing = SUBMITTING;
    let nowMs = 0;
    let firstDoubtMs: number | undefined;
    let firstPendingMs: number | undefined;
    for (let inquiries = 0; inquiries < 5_000; inquiries += 1) {
      const step = nextStep(standing, answers[inquiries % answers.length] ?? { kind: 'notFound' });
      if (step.to === 'in_doubt') firstDoubtMs ??= nowMs;
      if (step.to === 'submitted') firstPendingMs ??= nowMs;
      if (step.nextActionInMs === null) return { inquiries, hours: nowMs / HOUR_MS, step };
      nowMs += step.nextActionInMs;
      standing = {
        ...SUBMITTING,
        state: step.to,
        checks: step.checks,
        sinceDoubtMs: nowMs - (firstDoubtMs ?? nowMs),
        sincePendingMs: nowMs - (firstPendingMs ?? nowMs),
      };
    }
    throw new Error('no person was ever needed');
  }

  const pending: Outcome = { kind: 'pending', inquireInMs: 5_000 };
  const unknown: Outcome = { kind: 'unknown', cause: 'timeout' };

  it('leads to a person after 72 hours, whether it says pending, nothing, or both in turn', () => {
    for (const answers of [
      [pending],
      [unknown],
      [pending, unknown],
      [unknown, pending],
      [pending, pending, unknown],
    ]) {
      const { inquiries, hours, step } = inquireUntilPerson(answers);
      assert.ok(hours >= 71.5 && hours < 74, `${hours} hours`);
      assert.ok(inquiries < 500, `${inquiries} inquiries`);
      assert.deepEqual([step.to, step.needsPerson, step.failure], ['in_doubt', true, null]);
    }
  });

  it('gets an inquiry 5 seconds after its first doubt, however long it was pending before', () => {
    const standing: Standing = { ...SUBMITTING, state: 'submitted', sincePendingMs: 50 * HOUR_MS };
    assert.equal(nextStep(standing, unknown).nextActionInMs, 5_000);
  });
});

it('leaves an end unchanged by callbacks where the connector cannot inquire', () => {
  const step = stepWithoutInquiry({ ...SUBMITTING, state: 'succeeded', inquires: false });
  assert.equal(step.to, 'succeeded');
  assert.equal(step.nextActionInMs, null);
  assert.equal(step.needsPerson, false);
});

describe('an operator that is throttling', () => {
  const throttled = (retryInMs: number | null): Outcome => ({
    kind: 'throttled',
    cause: '429',
    retryInMs,
  });

  it('leaves the transfer in doubt until the time that it names, or later by the schedule', () => {
    const waits = [null, 1_000, 20_000].map((retryInMs) => {
      const step = nextStep(SUBMITTING, throttled(retryInMs));
      assert.deepEqual([step.to, step.throttled], ['in_doubt', true]);
      return step.nextActionInMs;
    });
    assert.deepEqual(waits, [5_000, 5_000, 20_000]);
  });

  it('gets an inquiry later each time', () => {
    const again: Standing = { ...IN_DOUBT, isResubmission: true };
    const waits = [1, 2, 5].map(
      (resubmissions) => nextStep({ ...again, resubmissions }, throttled(null)).nextActionInMs,
    );
    assert.deepEqual(waits, [15_000, 30_000, 5 * MINUTE_MS]);
  });

  it('is no longer marked as throttling after its next answer', () => {
    const marked: Standing = { ...IN_DOUBT, throttled: true };
    for (const outcome of [
      { kind: 'unknown', cause: 'x' },
      { kind: 'pending', inquireInMs: 1 },
      { kind: 'notFound' },
    ] as const) {
      assert.equal(nextStep(marked, outcome).throttled, undefined);
    }
    const silence: Outcome = { kind: 'unanswered', cause: 'HTTP 429', retryInMs: null };
    assert.equal(nextStep(marked, silence).throttled, true, 'a silence is not an answer');
  });
});

describe('an inquiry without an answer', () => {
  const silence = (retryInMs: number | null = null): Outcome => ({
    kind: 'unanswered',
    cause: '429',
    retryInMs,
  });
  const SUBMITTED: Standing = { ...SUBMITTING, state: 'submitted', wasPending: true };

  it('leaves a submitted transfer as it is, and inquires less and less often', () => {
    const waits = [0, 1, 2, 20].map((checks) => {
      const step = nextStep({ ...SUBMITTED, checks, sincePendingMs: 10 * HOUR_MS }, silence());
      assert.deepEqual([step.to, step.checks, step.needsPerson], ['submitted', checks + 1, false]);
      return step.nextActionInMs;
    });
    assert.deepEqual(waits, [5_000, 15_000, 30_000, 15 * MINUTE_MS]);
    assert.equal(nextStep(SUBMITTED, silence(40_000)).nextActionInMs, 40_000);
    const once = { ...SUBMITTED, unconfirmedSuccesses: 1 };
    assert.equal(nextStep(once, silence()).unconfirmedSuccesses, 1);
  });

  it('leads to a person after 72 hours', () => {
    const step = nextStep({ ...SUBMITTED, sincePendingMs: 73 * HOUR_MS }, silence());
    assert.deepEqual([step.to, step.needsPerson, step.failure], ['in_doubt', true, null]);
  });

  it('leaves a transfer in doubt that a process which died may have sent', () => {
    assert.equal(nextStep(SUBMITTING, silence()).to, 'in_doubt');
  });

  it('restarts the count of "not found" in doubt, and waits as long as the operator says', () => {
    const step = nextStep({ ...IN_DOUBT, notFoundAnswers: 2 }, silence(90_000));
    assert.deepEqual([step.to, step.notFoundAnswers], ['in_doubt', 0]);
    assert.equal(step.nextActionInMs, 90_000);
  });

  it('repeats an inquiry about a finished transfer', () => {
    const step = nextStep({ ...SUBMITTING, state: 'succeeded' }, silence(90_000));
    assert.deepEqual([step.to, step.nextActionInMs], ['succeeded', 90_000]);
  });

  for (const state of ['failed', 'cancelled', 'succeeded'] as const) {
    it(`repeats an inquiry about a transfer that ${state} while its operator says "pending"`, () => {
      const pending: Outcome = { kind: 'pending', inquireInMs: 1_000 };
      const step = nextStep({ ...SUBMITTING, state, checks: 1 }, pending);
      assert.deepEqual([step.to, step.nextActionInMs, step.checks], [state, 15_000, 2]);
    });
  }
});
