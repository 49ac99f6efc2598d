import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Latencies, median, percentile } from './latencies.ts';

describe('latencies', () => {
  it('returns a percentile that was measured, by nearest rank', () => {
    const sorted = [15, 20, 35, 40, 50];
    assert.equal(percentile(sorted, 5), 15);
    assert.equal(percentile(sorted, 30), 20);
    assert.equal(percentile(sorted, 40), 20);
    assert.equal(percentile(sorted, 50), 35);
    assert.equal(percentile(sorted, 100), 50);
  });

  it('has no percentiles without values', () => {
    assert.ok(Number.isNaN(percentile([], 50)));
    assert.ok(Number.isNaN(median([])));
  });

  it('keeps every value, in any order, beyond its initial capacity', () => {
    const latencies = new Latencies();
    const count = 100_000;
    for (let value = count; value >= 1; value -= 1) latencies.add(value, 0);
    assert.deepEqual(latencies.summarize(), {
      count,
      p50: 50_000,
      p90: 90_000,
      p99: 99_000,
      max: count,
    });
  });

  it('cuts a phase into steps, and marks an empty one as empty', () => {
    const latencies = new Latencies();
    latencies.add(5, 10);
    latencies.add(7, 90);
    latencies.add(3, 250);
    // An answer at the very end belongs to the last step.
    latencies.add(9, 300);
    const [first, second, third] = latencies.timeline(300, 100);
    assert.deepEqual(first, { atMs: 0, perSecond: 20, p50: 5, p99: 7 });
    assert.deepEqual(second, { atMs: 100, perSecond: 0, p50: Number.NaN, p99: Number.NaN });
    assert.deepEqual(third, { atMs: 200, perSecond: 20, p50: 3, p99: 9 });
  });

  it('takes the median in any order', () => {
    assert.equal(median([9, 1, 5]), 5);
    assert.equal(median([4, 1, 3, 2]), 2.5);
    assert.equal(median([7]), 7);
  });
});
