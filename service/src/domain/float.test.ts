import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FloatFacts, floatLevel, floatVerdict, hoursLeft, spendableOf } from './float.ts';

const FACTS: FloatFacts = {
  operatorMinor: 1_000n,
  ageMs: 60_000,
  committedMinor: 400n,
  paidMinor: 100n,
  paidHours: 24,
};
const LOW = { belowMinor: 500n, hours: 4 };

describe('a float', () => {
  it('is what is left after all that is ordered, and lasts at the rate of the last day', () => {
    assert.equal(spendableOf(FACTS), 600n);
    assert.equal(hoursLeft(FACTS), 144);
    assert.equal(hoursLeft({ ...FACTS, committedMinor: 2_000n }), 0);
    assert.equal(hoursLeft({ ...FACTS, paidMinor: 0n }), null, 'nothing was paid');
  });

  it('is unknown if it was never reported, or more than 15 minutes ago', () => {
    for (const facts of [
      { ...FACTS, operatorMinor: null, ageMs: null },
      { ...FACTS, ageMs: 15 * 60_000 + 1 },
    ]) {
      assert.equal(spendableOf(facts), null);
      assert.equal(hoursLeft(facts), null);
      assert.equal(floatLevel(facts, LOW), 'unknown');
    }
    assert.equal(spendableOf({ ...FACTS, ageMs: 15 * 60_000 }), 600n);
  });

  it('is low below its amount or its hours, and out with nothing left', () => {
    assert.equal(floatLevel(FACTS, LOW), 'ok');
    assert.equal(floatLevel({ ...FACTS, committedMinor: 501n }, LOW), 'low');
    assert.equal(floatLevel({ ...FACTS, committedMinor: 500n }, LOW), 'ok');
    assert.equal(floatLevel({ ...FACTS, paidMinor: 3_601n }, LOW), 'low');
    assert.equal(floatLevel({ ...FACTS, paidMinor: 3_600n }, LOW), 'ok');
    assert.equal(floatLevel({ ...FACTS, committedMinor: 1_000n }, LOW), 'out');
    const noAmount = { belowMinor: null, hours: 0 };
    assert.equal(floatLevel({ ...FACTS, committedMinor: 999n }, noAmount), 'ok');
  });

  it('is enough for what it covers exactly', () => {
    assert.equal(floatVerdict(600n, 600n), 'enough');
    assert.equal(floatVerdict(600n, 601n), 'not_enough');
    assert.equal(floatVerdict(null, 1n), 'unknown');
  });
});
