import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { readAmount, writeAmount, writeLimit } from './amounts.ts';

describe('an amount', () => {
  it('is read exactly in each documented spelling', () => {
    const spellings = { '5': 500n, '5.0': 500n, '5.00': 500n, '5.55': 555n, '0.5': 50n, '0': 0n };
    for (const [written, amountMinor] of Object.entries(spellings)) {
      assert.equal(readAmount(written, 'TWO_PLACES'), amountMinor, written);
    }
  });

  it('is refused in each spelling that is documented as invalid, and in similar ones', () => {
    const broken = ['5.', '5.555', '.5', '-5.5', '00.5', '05', '', ' 5', '5 ', '+5', '1e2', '5,0'];
    for (const written of [...broken, '٥', '0x5', '5.5.5', 'NaN', 'Infinity', '5\n']) {
      assert.equal(readAmount(written, 'TWO_PLACES'), undefined, JSON.stringify(written));
    }
  });

  it('has at most 23 characters', () => {
    assert.equal(readAmount('1'.repeat(23), 'TWO_PLACES'), BigInt(`${'1'.repeat(23)}00`));
    assert.equal(readAmount('1'.repeat(24), 'TWO_PLACES'), undefined);
  });

  it('has no decimals where the provider accepts none', () => {
    assert.equal(readAmount('5', 'NONE'), 500n);
    assert.equal(readAmount('5.50', 'NONE'), undefined);
    assert.equal(readAmount('5.00', 'NONE'), undefined);
  });

  it('is the same after writing and reading it', () => {
    const property = fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), (amountMinor) => {
      assert.equal(readAmount(writeAmount(amountMinor), 'TWO_PLACES'), amountMinor);
      assert.equal(readAmount(writeLimit(amountMinor), 'TWO_PLACES'), amountMinor);
    });
    fc.assert(property);
  });

  it('is written with two decimals, a limit with no more than it needs', () => {
    assert.equal(writeAmount(1500n), '15.00');
    assert.equal(writeAmount(5n), '0.05');
    assert.equal(writeAmount(-5n), '-0.05');
    assert.equal(writeLimit(100n), '1');
    assert.equal(writeLimit(150n), '1.50');
  });
});
