import assert from 'node:assert/strict';
import { it } from 'node:test';
import { makeDuration, sayDuration, secondsOf, splitDuration } from './iso-duration.ts';

it('says durations in the largest unit that fits, and a day as 24 hours', () => {
  const said = ['PT24H', 'P1D', 'P7D', 'PT1H', 'PT90M', 'P1DT12H', 'PT45S', 'P2W'].map(sayDuration);
  assert.deepEqual(said, [
    '24 hours',
    '24 hours',
    '7 days',
    '1 hour',
    '90 minutes',
    '36 hours',
    '45 seconds',
    '14 days',
  ]);
});

it('leaves other texts as they are', () => {
  for (const text of ['', 'P', 'PT', 'P1Y', '24h', 'P1DT']) {
    assert.equal(secondsOf(text), undefined, text);
    assert.equal(sayDuration(text), text);
  }
});

it('makes what it splits', () => {
  for (const text of ['PT24H', 'P7D', 'PT90M', 'PT45S']) {
    const { count, unit } = splitDuration(text) ?? { count: 0, unit: 'days' as const };
    assert.equal(makeDuration(count, unit), text);
  }
});
