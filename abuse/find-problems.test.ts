import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TallyReport } from './attacker/tally.ts';
import { findProblems, type ProblemOptions } from './find-problems.ts';
import type { Observation } from './observation.ts';

const MIB = 1_024 * 1_024;
const TALLY: TallyReport = {
  sent: 10,
  byStatus: { 400: 10 },
  closed: 0,
  flaws: [],
  from: [],
};
const HELD: Observation = {
  elapsedMs: 5_000,
  attackers: { tally: TALLY },
  end: undefined,
  lastOutput: '',
  merchant: { sent: 100, created: 95, byStatus: { 201: 95, 503: 5 }, p95Ms: 500, worstMs: 900 },
  health: { asked: 25, failed: 0, worstMs: 1_000 },
  recoveredAfterMs: 0,
  rssPeakBytes: 700 * MIB,
  logLines: 500,
  database: { growthBytes: 8 * MIB, transactionsPerSecond: 10_000 },
};
const LONG: ProblemOptions = { form: 'long', attackLimits: undefined, mayRefuseMerchant: false };

function brokenGuarantees(change: Partial<Observation>, options: Partial<ProblemOptions> = {}) {
  return findProblems({ ...HELD, ...change }, { ...LONG, ...options }).map(
    ({ guarantee }) => guarantee,
  );
}

function withAnswers(change: Partial<TallyReport>) {
  return { attackers: { tally: { ...TALLY, ...change } } };
}

describe('the judgement of an attack', () => {
  it('finds no problem exactly at the limits', () => {
    assert.deepEqual(brokenGuarantees({}), []);
  });

  it('names each guarantee that is broken', () => {
    const { merchant, health } = HELD;
    const database = { growthBytes: 8 * MIB, transactionsPerSecond: 100 };
    const cases: readonly (readonly [string, Partial<Observation>])[] = [
      ['survival', { end: { code: null, signal: 'SIGABRT' } }],
      ['survival', { end: { code: 1, signal: null } }],
      ['memory', { rssPeakBytes: 700 * MIB + 1 }],
      ['merchant', { merchant: { ...merchant, created: 94 } }],
      ['merchant', { merchant: { ...merchant, sent: 0, created: 0 } }],
      ['merchant', { merchant: { ...merchant, p95Ms: 501 } }],
      ['health', { health: { ...health, failed: 1 } }],
      ['health', { health: { ...health, worstMs: 1_001 } }],
      ['recovery', { recoveredAfterMs: undefined }],
      ['answers', withAnswers({ byStatus: { 500: 1 } })],
      ['answers', withAnswers({ flaws: [['x: accepted with 200', 3]] })],
      ['attack', { attackers: { error: 'the attackers ended' } }],
      ['log', { logLines: 501 }],
      ['database', { database: { ...database, growthBytes: 8 * MIB + 1 } }],
    ];
    for (const [guarantee, change] of cases)
      assert.deepEqual(brokenGuarantees(change), [guarantee]);
  });

  it('counts 503 as a refusal, and bounds its share if the attack says so', () => {
    const mostlyShed = withAnswers({ byStatus: { 400: 94, 503: 6 } });
    assert.deepEqual(brokenGuarantees(mostlyShed), []);
    assert.deepEqual(brokenGuarantees(mostlyShed, { attackLimits: { shedShareMax: 0.05 } }), [
      'answers',
    ]);
  });

  it("uses the attack's own limits for the load on the database", () => {
    const attackLimits = { transactionsPerSecondMax: 500 };
    assert.deepEqual(brokenGuarantees({}, { attackLimits }), ['database']);
  });

  it('does not expect the merchant to be served while nothing can be stored', () => {
    const merchant = { ...HELD.merchant, created: 0 };
    assert.deepEqual(brokenGuarantees({ merchant }, { mayRefuseMerchant: true }), []);
  });

  it('judges no times in the short form', () => {
    const slow = {
      merchant: { ...HELD.merchant, p95Ms: 9_000 },
      health: { ...HELD.health, worstMs: 4_000 },
    };
    assert.deepEqual(brokenGuarantees(slow, { form: 'short' }), []);
  });
});
