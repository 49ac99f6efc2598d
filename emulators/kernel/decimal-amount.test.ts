import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { readDecimalAmount, writeDecimalAmount } from './decimal-amount.ts';

describe('amounts as decimal texts', () => {
  it('are read exactly as they were written', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 19n }), (amountMinor) => {
        assert.equal(readDecimalAmount(writeDecimalAmount(amountMinor)), amountMinor);
      }),
    );
  });

  it('may have fewer decimals', () => {
    assert.equal(readDecimalAmount('150'), 15_000n);
    assert.equal(readDecimalAmount('150.5'), 15_050n);
    assert.equal(readDecimalAmount('0.05'), 5n);
  });

  it('are refused in any other form', () => {
    for (const text of ['', '.5', '5.', '-5', '+5', '1e2', '00.5', '5.555', ' 5', '5,00', '٥']) {
      assert.equal(readDecimalAmount(text), null, text);
    }
    assert.equal(readDecimalAmount('5.5', 0), null);
    assert.equal(readDecimalAmount('5.55', 1), null);
  });
});
