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
    for (let value = count; value >= 1; value -= 1) latencies.add(value);
    assert.deepEqual(latencies.summarize(), {
      count,
      p50: 50_000,
      p90: 90_000,
      p99: 99_000,
      max: count,
    });
  });

  it('takes the median in any order', () => {
    assert.equal(median([9, 1, 5]), 5);
    assert.equal(median([4, 1, 3, 2]), 2.5);
    assert.equal(median([7]), 7);
  });
});
