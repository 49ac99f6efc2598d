import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as fc from 'fast-check';
import { feeOf } from './fee.ts';

const anyTerms = fc.record({
  fixedMinor: fc.bigInt({ min: 0n, max: 1_000_000n }),
  basisPoints: fc.integer({ min: 0, max: 10_000 }),
});
const anyAmountMinor = fc.bigInt({ min: 1n, max: 100_000_000_000n });

it('adds the fixed part and the share, and rounds half a minor unit up', () => {
  assert.equal(feeOf({ fixedMinor: 0n, basisPoints: 0 }, 100n), 0n);
  assert.equal(feeOf({ fixedMinor: 50n, basisPoints: 0 }, 100n), 50n);
  assert.equal(feeOf({ fixedMinor: 50n, basisPoints: 100 }, 10_000n), 150n);
  assert.equal(feeOf({ fixedMinor: 0n, basisPoints: 50 }, 100n), 1n);
  assert.equal(feeOf({ fixedMinor: 0n, basisPoints: 49 }, 100n), 0n);
  assert.equal(feeOf({ fixedMinor: 0n, basisPoints: 10_000 }, 100_000_000_000n), 100_000_000_000n);
});

it('is never further than half a minor unit from the exact share', () => {
  fc.assert(
    fc.property(anyTerms, anyAmountMinor, (terms, amountMinor) => {
      const exact = amountMinor * BigInt(terms.basisPoints);
      const rounded = (feeOf(terms, amountMinor) - terms.fixedMinor) * 10_000n;
      assert.ok(rounded - exact <= 5_000n && exact - rounded < 5_000n);
    }),
  );
});

it('never falls when the amount rises', () => {
  fc.assert(
    fc.property(anyTerms, anyAmountMinor, anyAmountMinor, (terms, one, other) => {
      const [less, more] = one < other ? [one, other] : [other, one];
      assert.ok(feeOf(terms, less) <= feeOf(terms, more));
    }),
  );
});

it('refuses terms that no configuration may hold', () => {
  assert.throws(() => feeOf({ fixedMinor: -1n, basisPoints: 0 }, 1n), RangeError);
  assert.throws(() => feeOf({ fixedMinor: 0n, basisPoints: -1 }, 1n), RangeError);
  assert.throws(() => feeOf({ fixedMinor: 0n, basisPoints: 1.5 }, 1n), RangeError);
  assert.throws(() => feeOf({ fixedMinor: 0n, basisPoints: 1 }, -1n), RangeError);
});
