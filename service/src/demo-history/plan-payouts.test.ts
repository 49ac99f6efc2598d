import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { planAnswers } from './answers.ts';
import { type PlannedPayout, planPayouts } from './plan-payouts.ts';
import { createSeededRandom } from './seeded-random.ts';
import type { Story } from './stories.ts';

const HOUR_MS = 3_600_000;
const COUNT = 150;
/** Every day of two months, at different hours: week-ends, ends of months, the middle of the night. */
const TIMES = Array.from({ length: 62 }, (_, day) =>
  [0, 3, 7, 12, 20].map((hour) => new Date(Date.UTC(2026, 8, 1 + day, hour, (day * 7) % 60))),
).flat();

/** Stories that can be told of any payout, also of the youngest. */
const USUAL: readonly Story[] = [
  'paid',
  'paid slowly',
  'failed',
  'in doubt, then paid',
  'in doubt',
];

type Plan = Readonly<{ now: Date; payouts: readonly PlannedPayout[] }>;
const PLANS: readonly Plan[] = TIMES.map((now) => ({
  now,
  payouts: planPayouts(createSeededRandom(1), { now, count: COUNT }),
}));

/** The ages of the payouts with a story, in hours. */
function agesOf({ now, payouts }: Plan, wanted: Story): readonly number[] {
  return payouts
    .filter(({ story }) => story === wanted)
    .map(({ at }) => (now.getTime() - at.getTime()) / HOUR_MS);
}

function assertEach(holds: (plan: Plan) => boolean): void {
  const wrong = PLANS.filter((plan) => !holds(plan)).map(({ now }) => now.toISOString());
  assert.deepEqual(wrong, []);
}

describe('the payouts of the demo, whenever it is run', () => {
  it('are about as many as wanted, in the order of time, each reference once', () => {
    assertEach(({ payouts, now }) => {
      const times = payouts.map(({ at }) => at.getTime());
      const isOrdered = times.every((ms, index) => ms >= (times[index - 1] ?? 0));
      const references = new Set(payouts.map(({ reference }) => reference));
      return (
        isOrdered &&
        references.size === payouts.length &&
        Math.abs(payouts.length - COUNT) < 15 &&
        times.every((ms) => ms < now.getTime())
      );
    });
  });

  it('have every operator, both countries and all three wallets', () => {
    assertEach(({ payouts }) => {
      const words = payouts.flatMap(({ payee, wallet }) => [payee.operator, payee.country, wallet]);
      return new Set(words).size === 4 + 2 + 3;
    });
  });

  it('tell every story that is told once, at an age at which it can have ended', () => {
    const within = (ages: readonly number[], range: readonly [number, number], count: number) =>
      ages.length === count && ages.every((age) => age >= range[0] && age < range[1]);
    assertEach((plan) => {
      return (
        within(agesOf(plan, 'in doubt'), [0.05, 70], 3) &&
        within(agesOf(plan, 'in doubt, needs a person'), [80, 300], 1) &&
        within(agesOf(plan, 'in doubt, proposed'), [80, 300], 1) &&
        within(agesOf(plan, 'returned'), [150, 510], 1) &&
        within(agesOf(plan, 'reversed by people'), [110, 510], 1) &&
        within(agesOf(plan, 'in doubt, decided by people'), [30, 510], 1) &&
        within(agesOf(plan, 'failed, and paid after all'), [6, 510], 1) &&
        within(agesOf(plan, 'paid, and reported otherwise'), [30, 510], 1) &&
        within(agesOf(plan, 'cancelled'), [0.05, 510], 6)
      );
    });
  });

  it('are answered before now', () => {
    assertEach(({ now, payouts }) => {
      const random = createSeededRandom(2);
      const at = new Date(now.getTime() - 4 * 60_000);
      const youngest = USUAL.flatMap((story) =>
        payouts.slice(-1).map((one) => ({ ...one, at, story })),
      );
      return [...payouts, ...youngest].every((payout) => {
        const answers = planAnswers(random, payout, now);
        const isOrdered = answers.every(
          ({ afterMs }, index) => afterMs > (answers[index - 1]?.afterMs ?? 0),
        );
        const last = answers.at(-1)?.afterMs ?? 0;
        return isOrdered && payout.at.getTime() + last < now.getTime();
      });
    });
  });

  it('are many more on the last weekday of a month than on a Sunday', () => {
    const { payouts } = PLANS.find(({ now }) => now.getUTCDate() === 9) ?? { payouts: [] };
    const countOn = (day: string): number =>
      payouts.filter(({ at }) => at.toISOString().startsWith(day)).length;
    assert.ok(countOn('2026-08-31') > 20, `${countOn('2026-08-31')} on the pay day`);
    assert.ok(countOn('2026-08-30') < 4, `${countOn('2026-08-30')} on the Sunday`);
  });
});
