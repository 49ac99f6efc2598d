import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { linearScale, logScale } from './scale.ts';

const PAPER = { from: 100, to: 300 };

describe('scales', () => {
  it('begin at zero and end at a round number above all values', () => {
    const scale = linearScale(9_300, PAPER, 5);
    assert.deepEqual(scale.ticks, [0, 2_000, 4_000, 6_000, 8_000, 10_000]);
    assert.equal(scale.at(0), 100);
    assert.equal(scale.at(5_000), 200);
    assert.equal(scale.at(10_000), 300);
  });

  it('do not extend further than necessary', () => {
    assert.deepEqual(linearScale(10_000, PAPER, 5).ticks.at(-1), 10_000);
    assert.deepEqual(linearScale(0.3, PAPER, 3).ticks.length, 4);
  });

  it('work without any values', () => {
    const scale = linearScale(0, PAPER, 4);
    assert.ok(Number.isFinite(scale.at(0)));
  });

  it('are logarithmic for values that differ by orders of magnitude, with a margin at both ends', () => {
    const scale = logScale({ min: 0.8, max: 450 }, PAPER);
    assert.deepEqual(scale.ticks, [1, 10, 100]);
    assert.ok(scale.at(0.8) > 100 && scale.at(450) < 300);
    const decade = scale.at(10) - scale.at(1);
    assert.ok(Math.abs(scale.at(100) - scale.at(10) - decade) < 1e-9);
  });
});
