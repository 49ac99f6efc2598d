import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as fc from 'fast-check';
import { AMOUNT_MAX_MINOR } from '../../domain/money.ts';
import { readAmountText, writeAmountText } from './amount-text.ts';

it('reads the same amount from all its spellings', () => {
  for (const text of ['150', '150.0', '150.00', '150.000', '0150.00']) {
    assert.equal(readAmountText(text), 15_000n, text);
  }
  assert.equal(readAmountText('0'), 0n);
  assert.equal(readAmountText('0.01'), 1n);
  assert.equal(readAmountText('-5.5'), -550n);
  assert.equal(readAmountText('9007199254740.93'), 900_719_925_474_093n);
});

it('refuses an amount that is finer than minor units or not a plain decimal', () => {
  const refused = ['', '.5', '5.', '1,000.00', '1e2', ' 1', '1 ', '+1', '0x10', '1.005', '١٥٠'];
  for (const text of [...refused, 'NaN', 'Infinity', '1.2.3', '--1', '1'.repeat(16)]) {
    assert.equal(readAmountText(text), undefined, text);
  }
});

it("writes an amount with the market's decimals", () => {
  assert.equal(writeAmountText(15_050n, 2), '150.50');
  assert.equal(writeAmountText(15_050n, 1), '150.5');
  assert.equal(writeAmountText(15_000n, 0), '150');
  assert.equal(writeAmountText(1n, 2), '0.01');
  assert.equal(writeAmountText(AMOUNT_MAX_MINOR, 2), '1000000000.00');
});

it('returns undefined rather than round', () => {
  assert.equal(writeAmountText(15_050n, 0), undefined);
  assert.equal(writeAmountText(15_001n, 1), undefined);
  assert.equal(writeAmountText(-100n, 2), undefined);
});

it('reads back every amount that it writes', () => {
  const amount = fc.bigInt({ min: 0n, max: AMOUNT_MAX_MINOR });
  fc.assert(
    fc.property(amount, fc.integer({ min: 0, max: 2 }), (amountMinor, decimals) => {
      const text = writeAmountText(amountMinor, decimals);
      const isExact = amountMinor % 10n ** BigInt(2 - decimals) === 0n;
      assert.equal(
        text === undefined ? undefined : readAmountText(text),
        isExact ? amountMinor : undefined,
      );
    }),
  );
});
