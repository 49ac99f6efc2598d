import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { SUBMITTING } from '../../test/standing.ts';
import { nextDoubtCheckMs } from './doubt-schedule.ts';
import { nextStep } from './next-step.ts';
import type { Outcome } from './outcome.ts';
import type { NextStep, Standing } from './standing.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

const UNKNOWN: Outcome = { kind: 'unknown', cause: 'timeout' };
const PENDING: Outcome = { kind: 'pending', inquireInMs: 5 * SECOND_MS };
const SILENCE: Outcome = { kind: 'unanswered', cause: 'timeout', retryInMs: null };

/** A transfer that is inquired about on schedule, and earlier when a person or a callback asks. */
function follow(first: Outcome) {
  let nowMs = 0;
  let step = nextStep(SUBMITTING, first);
  let inquiries = 0;
  function inquire(atMs: number, outcome: Outcome): NextStep {
    nowMs = atMs;
    inquiries += 1;
    const standing: Standing = {
      ...SUBMITTING,
      state: step.to,
      checks: step.checks,
      sinceDoubtMs: step.to === 'in_doubt' ? nowMs : 0,
      sincePendingMs: step.to === 'submitted' ? nowMs : 0,
    };
    step = nextStep(standing, outcome);
    return step;
  }
  const dueAtMs = () => nowMs + (step.nextActionInMs ?? 0);
  return {
    /** At its time. */
    onTime: (outcome: Outcome) => inquire(dueAtMs(), outcome),
    /** Before it, if it is not due earlier than that. */
    after: (waitMs: number, outcome: Outcome) =>
      inquire(Math.min(nowMs + waitMs, dueAtMs()), outcome),
    get ageMs() {
      return nowMs;
    },
    get inquiries() {
      return inquiries;
    },
    get step() {
      return step;
    },
  };
}

/** The wait that the schedule has for a doubt of this age. */
function scheduledWaitMs(ageMs: number): number {
  let inquiredAtMs = 0;
  for (let checks = 0; ; checks += 1) {
    const waitMs = nextDoubtCheckMs(checks);
    if (waitMs === undefined) return HOUR_MS;
    inquiredAtMs += waitMs;
    if (inquiredAtMs > ageMs) return waitMs;
  }
}

describe('inquiries that people and callbacks bring forward', () => {
  it('do not put the next one of a young doubt off', () => {
    const doubt = follow(UNKNOWN);
    for (let clicks = 0; clicks < 8; clicks += 1) doubt.after(10 * SECOND_MS, UNKNOWN);
    assert.ok(doubt.ageMs <= 80 * SECOND_MS);
    assert.ok((doubt.step.nextActionInMs ?? HOUR_MS) <= MINUTE_MS);
  });

  it('do not end the schedule of a doubt before 72 hours', () => {
    const doubt = follow(UNKNOWN);
    for (let clicks = 0; clicks < 200; clicks += 1) doubt.after(10 * SECOND_MS, UNKNOWN);
    assert.equal(doubt.step.needsPerson, false);
    assert.ok((doubt.step.nextActionInMs ?? HOUR_MS) <= 15 * MINUTE_MS);
  });

  it('wait no longer than the schedule does at that age, and lead to a person after 72 hours', () => {
    const waits = fc.array(fc.nat(2 * HOUR_MS), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(waits, (drawn) => {
        const doubt = follow(UNKNOWN);
        while (!doubt.step.needsPerson) {
          assert.ok(doubt.inquiries < 1_000_000, 'it is asked about for ever');
          const waitMs = drawn[doubt.inquiries % drawn.length] ?? HOUR_MS;
          const { nextActionInMs } = doubt.after(Math.max(SECOND_MS, waitMs), UNKNOWN);
          assert.ok((nextActionInMs ?? 0) <= scheduledWaitMs(doubt.ageMs));
        }
        assert.ok(doubt.ageMs >= 71.5 * HOUR_MS && doubt.ageMs < 74 * HOUR_MS);
      }),
      { numRuns: 50 },
    );
  });

  it('take no place from those on time', () => {
    const doubt = follow(UNKNOWN);
    const waits = [doubt.step.nextActionInMs];
    for (let inquiries = 0; inquiries < 8; inquiries += 1) {
      waits.push(doubt.onTime(UNKNOWN).nextActionInMs);
    }
    const seconds = waits.map((waitMs) => (waitMs ?? 0) / SECOND_MS);
    assert.deepEqual(seconds, [5, 15, 30, 60, 120, 300, 600, 900, 1_800]);
  });

  it('do not make the waits longer while the operator says "pending", or nothing', () => {
    for (const answer of [PENDING, SILENCE]) {
      const submitted = follow(PENDING);
      for (let clicks = 0; clicks < 8; clicks += 1) submitted.after(10 * SECOND_MS, answer);
      assert.equal(submitted.step.to, 'submitted');
      assert.ok((submitted.step.nextActionInMs ?? HOUR_MS) <= 90 * SECOND_MS, answer.kind);
    }
  });
});
