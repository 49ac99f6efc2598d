import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { anyText } from '../../../test/any-text.ts';
import { PAYOUT } from '../../../test/fakes/fake-pawapay.ts';
import { payoutBody } from './shapes.ts';

describe('what is sent', () => {
  const sent = (changes: Partial<typeof PAYOUT>) =>
    JSON.parse(payoutBody({ ...PAYOUT, ...changes }, 'MTN_MOMO_ZMB'));

  it('writes amounts as the documentation allows, exactly', () => {
    const amounts = [1n, 50n, 500n, 555n, 15_000n, 100_000_000_000n];
    assert.deepEqual(
      amounts.map((amountMinor) => sent({ amountMinor }).amount),
      ['0.01', '0.50', '5', '5.55', '150', '1000000000'],
    );
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 100_000_000_000n }), (amountMinor) => {
        const { amount } = sent({ amountMinor });
        assert.match(amount, /^(?:0|[1-9][0-9]*)(?:\.[0-9]{1,2})?$/);
        assert.ok(amount.length <= 23);
        const [whole = '', fraction = ''] = amount.split('.');
        assert.equal(BigInt(whole + fraction.padEnd(2, '0')), amountMinor);
      }),
    );
  });

  it('has a message of 4 to 22 letters, digits and spaces, or none', () => {
    const message = (narration: string | null) => sent({ narration }).customerMessage;
    assert.equal(message(null), undefined);
    assert.equal(message('abc'), undefined);
    assert.equal(message('a-b'), undefined);
    assert.equal(message('abcd'), 'abcd');
    assert.equal(message('João’s salary: 50%'), 'Joao s salary 50');
    assert.equal(message('1234567890123456789012345'), '1234567890123456789012');
    assert.equal(message('123456789012345678901 34'), '123456789012345678901');
    fc.assert(
      fc.property(anyText({ maxLength: 100 }), (narration) => {
        const text = message(narration);
        if (text !== undefined)
          assert.match(text, /^[0-9A-Za-z](?:[0-9A-Za-z ]{2,20})[0-9A-Za-z]$/);
      }),
    );
  });
});
