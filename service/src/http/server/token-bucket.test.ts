import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { BucketTable, TokenBucket } from './token-bucket.ts';

describe('TokenBucket', () => {
  it('never allows more than the burst and the rate, with any timing', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 50 }),
        fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: 300 }),
        (perSecond, burst, pausesMs) => {
          const bucket = new TokenBucket({ perSecond, burst }, 0);
          let nowMs = 0;
          let passed = 0;
          for (const pauseMs of pausesMs) {
            nowMs += pauseMs;
            if (bucket.take(nowMs)) passed += 1;
            assert.ok(bucket.remaining() >= 0 && bucket.remaining() <= burst);
            assert.ok(bucket.secondsUntilFull() >= 0);
          }
          assert.ok(passed <= burst + (nowMs / 1000) * perSecond + 1e-6);
        },
      ),
    );
  });

  it('allows a request after the time that it reported', () => {
    const bucket = new TokenBucket({ perSecond: 0.5, burst: 1 }, 0);
    assert.equal(bucket.take(0), true);
    assert.equal(bucket.take(0), false);
    assert.equal(bucket.secondsUntilNext(), 2);
    assert.equal(bucket.take(1_999), false);
    assert.equal(bucket.take(2_000), true);
  });
});

describe('BucketTable', () => {
  it('keeps a bucket per name and never more than its maximum', () => {
    const table = new BucketTable({ perSecond: 1, burst: 1 }, 3);
    assert.equal(table.bucketOf('a', 0), table.bucketOf('a', 0));
    for (const name of ['b', 'c', 'd', 'e']) table.bucketOf(name, 0).take(0);
    assert.equal(table.size, 3);
    assert.equal(table.bucketOf('e', 0).take(0), false);
  });
});
