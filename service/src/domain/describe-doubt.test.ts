import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeDoubt, type RouteRules } from './describe-doubt.ts';
import type { DoubtKind } from './doubt-kind.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const NOW = new Date('2026-11-15T12:00:00Z');
const after = (ms: number) => new Date(NOW.getTime() + ms);

const ROUTE: RouteRules = {
  inquires: true,
  deduplicates: true,
  notFoundIsFinal: false,
  unconfirmedSuccessWaitMs: null,
  referenceMemoryMs: 12 * HOUR_MS,
  timeScale: 1,
};

/** Sent a second ago, never answered, next inquiry in five seconds. */
const LOST = {
  state: 'in_doubt',
  nextActionAt: after(5 * SECOND_MS),
  checks: 0,
  notFoundAnswers: 0,
  doubtMs: SECOND_MS,
  sinceDoubtMs: SECOND_MS,
  sincePendingMs: null,
  sinceSubmissionMs: SECOND_MS,
  resubmissions: 0,
  recalls: 0,
  throttled: false,
  unconfirmedSuccesses: 0,
  contradictions: [],
} as const;

type Given = Partial<Parameters<typeof describeDoubt>[0]['transfer']>;

function look(given: Given, rules: Partial<RouteRules> = {}, kind: DoubtKind = 'SUBMISSION_LOST') {
  const facts = { transfer: { ...LOST, ...given }, kind, isFlagged: false, now: NOW };
  return describeDoubt(facts, { ...ROUTE, ...rules });
}

describe('the outlook of a doubt', () => {
  it('plans the next inquiry, without a person', () => {
    const { next, needsPerson } = look({});
    assert.deepEqual(next, { what: 'INQUIRY', at: after(5 * SECOND_MS) });
    assert.equal(needsPerson, false);
  });

  it('needs a person when no inquiry is planned, or the transfer is flagged', () => {
    const { next, needsPerson, resubmissionAt } = look({ nextActionAt: null });
    assert.deepEqual([next, needsPerson, resubmissionAt], [{ what: 'PERSON' }, true, null]);
    const facts = { transfer: LOST, kind: 'NOT_FOUND', isFlagged: true, now: NOW } as const;
    assert.equal(describeDoubt(facts, ROUTE).needsPerson, true);
  });

  it('needs a person where no inquiry is expected to end the doubt', () => {
    assert.equal(look({}, {}, 'CONTRADICTED').needsPerson, true);
    assert.equal(look({}, {}, 'CONTRADICTED').next.what, 'INQUIRY');
    assert.equal(look({}, {}, 'NOT_FOUND').needsPerson, false);
  });
});

describe('the time of the next resubmission', () => {
  // Inquiries at 5, 20, 50, 110, 230, 530 and 1130 s. The one at 1130 s is the first at least 15 minutes after the
  // first answer.
  const AT = after(1_130 * SECOND_MS);

  it('is possible after answers of "not found" for 15 minutes', () => {
    assert.deepEqual(look({}).resubmissionAt, AT);
  });

  it('is earlier when some answers have come already', () => {
    const given = { checks: 6, notFoundAnswers: 5, doubtMs: 14 * MINUTE_MS };
    assert.deepEqual(
      look({ ...given, nextActionAt: after(2 * MINUTE_MS) }).resubmissionAt,
      after(2 * MINUTE_MS),
    );
  });

  it('is the first "not found" where the operator was throttling', () => {
    assert.deepEqual(look({ throttled: true }).resubmissionAt, after(5 * SECOND_MS));
  });

  it('follows the time scale of the route', () => {
    const at = look({ nextActionAt: after(50) }, { timeScale: 0.001 }).resubmissionAt;
    assert.ok(at !== null && at.getTime() < after(5 * SECOND_MS).getTime());
  });

  it('is null where the operator forgets, the maximum is reached, or another answer came before', () => {
    assert.equal(look({}, { deduplicates: false }).resubmissionAt, null);
    assert.equal(look({ sinceSubmissionMs: 12 * HOUR_MS }).resubmissionAt, null);
    assert.equal(look({ sinceSubmissionMs: null }).resubmissionAt, null);
    assert.equal(look({ resubmissions: 3 }).resubmissionAt, null);
    assert.equal(look({ recalls: 1 }).resubmissionAt, null);
    assert.equal(look({ contradictions: ['amount'] }).resubmissionAt, null);
    assert.equal(look({ sincePendingMs: HOUR_MS }).resubmissionAt, null);
  });

  it('is null for a route that is not known', () => {
    const facts = { transfer: LOST, kind: 'NOT_FOUND', isFlagged: false, now: NOW } as const;
    assert.equal(describeDoubt(facts, null).resubmissionAt, null);
  });
});
