import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Figures, type Group, percentileMs, STEP, sumUp } from './figures.ts';

const group = (changes: Partial<Group>): Group => ({
  state: 'succeeded',
  currency: 'ZMW',
  operator: 'mtn',
  country: 'zm',
  count: 1,
  sumMinor: 100n,
  ...changes,
});
const of = (groups: readonly Group[], times: readonly number[] = []): Figures => ({
  groups,
  paidBySteps: new Map(
    [...Map.groupBy(times, (ms) => Math.floor(Math.log(ms) / Math.log(STEP)))].map(
      ([step, all]) => [step, all.length],
    ),
  ),
});

describe('figures of several periods', () => {
  it('add up by the given fields alone', () => {
    const one = of([group({}), group({ operator: 'airtel', count: 2, sumMinor: 50n })]);
    const other = of([group({ state: 'failed' }), group({ sumMinor: 2n ** 60n })]);
    const sums = sumUp([one, other], ['state', 'currency']).map(({ state, count, sumMinor }) => ({
      state,
      count,
      sumMinor,
    }));
    assert.deepEqual(sums, [
      { state: 'succeeded', count: 4, sumMinor: 2n ** 60n + 150n },
      { state: 'failed', count: 1, sumMinor: 100n },
    ]);
  });

  it('have percentiles that are right within 5 %', () => {
    const times = Array.from({ length: 1_000 }, (_, n) => 200 + 3 * n);
    const periods = [of([], times.slice(0, 300)), of([], times.slice(300))];
    for (const share of [0.01, 0.5, 0.95, 1]) {
      const exact = times[Math.ceil(share * times.length) - 1] ?? 0;
      const told = percentileMs(periods, share) ?? 0;
      assert.ok(Math.abs(told - exact) / exact < 0.05, `${share}: ${told}, exactly ${exact}`);
    }
  });

  it('have no percentile while nothing is paid', () => {
    assert.equal(percentileMs([of([group({ state: 'failed' })])], 0.5), null);
  });
});
