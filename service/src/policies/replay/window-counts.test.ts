import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as fc from 'fast-check';
import { ORDER } from '../../../test/test-policy.ts';
import type { Order } from '../../domain/policy/order.ts';
import { COUNTED_BY, type CountedBy, type Window } from '../../domain/policy/policy.ts';
import { bucketSecondsOf } from '../../domain/policy/window-buckets.ts';
import { windowNeed } from '../../domain/policy/window-need.ts';
import { WindowCounts } from './window-counts.ts';

const anyOrder: fc.Arbitrary<Order> = fc
  .record({
    amountMinor: fc.bigInt({ min: 1n, max: 1_000n }),
    phone: fc.constantFrom('+260977433571', '+260977433572'),
    operator: fc.constantFrom('mtn' as const, 'airtel' as const),
    isNigerian: fc.boolean(),
    atMs: fc.integer({ min: 0, max: 3 * 24 * 3_600_000 }),
  })
  .map(({ isNigerian, atMs, ...order }) => ({
    ...ORDER,
    ...order,
    ...(isNigerian ? ({ country: 'ng', currency: 'NGN' } as const) : {}),
    at: new Date(ORDER.at.getTime() + atMs),
  }));

const anyWindow: fc.Arbitrary<Window> = fc.oneof(
  fc.constant({ kind: 'day' as const }),
  fc.integer({ min: 1, max: 2 * 86_400 }).map((seconds) => ({ kind: 'sliding' as const, seconds })),
);

function isSame(by: CountedBy, one: Order, other: Order): boolean {
  const name = {
    wallet: 'walletId',
    key: 'keyId',
    person: 'personId',
    recipient: 'phone',
  } as const;
  const key = by === 'operator' ? by : name[by];
  return one.currency === other.currency && one[key] === other[key];
}

it('counts every order of the window, and none that is older by more than a bucket', () => {
  const anyCase = fc.tuple(
    fc.array(anyOrder, { maxLength: 30 }),
    fc.constantFrom(...COUNTED_BY.filter((by) => by !== 'person')),
    anyWindow,
  );
  fc.assert(
    fc.property(anyCase, ([orders, by, window]) => {
      const past = orders.toSorted((a, b) => a.at.getTime() - b.at.getTime());
      const counts = new WindowCounts([{ by, window }]);
      for (const [index, order] of past.entries()) {
        const need = windowNeed(order, by, window);
        assert.ok(need !== null);
        const { count, sumMinor } = counts.read(need, order.at);
        const within = (slackMs: number) =>
          past.slice(0, index).filter((one) => {
            if (!isSame(by, one, order)) return false;
            if (need.window.kind === 'day') return one.at >= need.window.startsAt;
            const ageMs = order.at.getTime() - one.at.getTime();
            return ageMs <= need.window.seconds * 1_000 + slackMs;
          });
        const bucketMs = window.kind === 'day' ? 0 : bucketSecondsOf(window.seconds) * 1_000;
        const [least, most] = [within(0), within(bucketMs)];
        assert.ok(count >= least.length && count <= most.length);
        const sumOf = (of: readonly Order[]) => of.reduce((sum, one) => sum + one.amountMinor, 0n);
        assert.ok(sumMinor >= sumOf(least) && sumMinor <= sumOf(most));
        counts.add(order);
      }
      assert.ok(counts.isExact);
    }),
  );
});

it('counts nothing for an order that has no such subject', () => {
  const counts = new WindowCounts([{ by: 'person', window: { kind: 'day' } }]);
  counts.add(ORDER);
  const byPerson = { ...ORDER, personId: '019b7e1c-0000-7000-8000-000000000009' };
  const need = windowNeed(byPerson, 'person', { kind: 'day' });
  assert.ok(need !== null);
  assert.equal(counts.read(need, ORDER.at).count, 0);
});

it('counts what is exactly as old as the window', () => {
  const window = { kind: 'sliding', seconds: 6_400 } as const;
  const counts = new WindowCounts([{ by: 'wallet', window }]);
  counts.add(ORDER);
  const need = windowNeed(ORDER, 'wallet', window);
  assert.ok(need !== null);
  const countAfter = (seconds: number) =>
    counts.read(need, new Date(ORDER.at.getTime() + seconds * 1_000)).count;
  assert.equal(countAfter(6_400), 1);
  assert.equal(countAfter(6_500), 0);
});
