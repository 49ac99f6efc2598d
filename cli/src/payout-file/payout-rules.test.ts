import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import * as serviceMoney from '../../../service/src/domain/money.ts';
import { parsePhone } from '../../../service/src/domain/phone-number.ts';
import { checkPlainText } from '../../../service/src/domain/plain-text.ts';
import { formatMinor, formatMoney, parseAmount, parseBalance, toJsonNumber } from './amount.ts';
import { checkPayout } from './check-payout.ts';
import { nationalNumber } from './phone-shape.ts';

const WALLET = '01890a5d-ac96-774b-bcce-b302099a8057';
const DEFAULTS = { operator: 'mtn', country: 'zm', walletIds: { zm: WALLET } } as const;

describe('the amount', () => {
  it('is taken exactly where the service takes it', () => {
    const anyText = fc.oneof(
      fc.stringMatching(/^[0-9]{1,11}(\.[0-9]{0,3})?$/),
      fc.string({ unit: fc.constantFrom('0', '1', '9', '.', ',', '-', 'e', ' '), maxLength: 6 }),
    );
    fc.assert(
      fc.property(anyText, (text) => {
        assert.equal(parseAmount(text), serviceMoney.parseDecimal(text));
      }),
      { numRuns: 3_000 },
    );
  });

  it('arrives as the JSON number that the file says, to the last digit', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 100_000_000_000n }), (minor) => {
        assert.equal(serviceMoney.parseAmount(JSON.stringify(toJsonNumber(minor))), minor);
        assert.equal(parseAmount(formatMinor(minor)), minor);
      }),
      { numRuns: 3_000 },
    );
    assert.equal(JSON.stringify(toJsonNumber(99_999_999_999n)), '999999999.99');
  });

  it('is shown to people with thousands', () => {
    assert.equal(formatMoney(123_456_700n), '1,234,567.00');
    assert.equal(formatMoney(99n), '0.99');
    assert.equal(formatMoney(-100_000n), '-1,000.00');
    assert.equal(parseBalance('1000000.00'), 100_000_000n);
    assert.equal(parseBalance('1e3'), undefined);
  });
});

describe('the phone', () => {
  it('is never refused here when the service takes it, and spelt alike it is the same', () => {
    const anyNumber = fc.oneof(
      fc.tuple(fc.constant('zm' as const), fc.stringMatching(/^[579][5-9][0-9]{7}$/)),
      fc.tuple(fc.constant('ng' as const), fc.stringMatching(/^[789][0-2][0-9]{8}$/)),
    );
    const codes = { zm: '260', ng: '234' };
    fc.assert(
      fc.property(anyNumber, fc.nat({ max: 7 }), fc.boolean(), ([country, national], n, spaced) => {
        const code = codes[country];
        const prefixes = ['', '0', code, `+${code}`, `00${code}`, `(+${code}) `, `+${code} (0)`];
        const prefix = prefixes[n] ?? '009234';
        const end = spaced ? `${national.slice(0, 3)} ${national.slice(3)}` : national;
        const text = prefix + end;
        const e164 = parsePhone(text, country);
        if (e164 === undefined) return;
        assert.equal(`+${code}${nationalNumber(text, country)}`, e164, text);
      }),
      { numRuns: 3_000 },
    );
  });

  it('is refused where it is none', () => {
    for (const text of [
      '',
      '0977',
      '+2348031234567',
      '09774335712',
      '0977-CALL-ME',
      '٠٩٧٧٤٣٣٥٧١',
    ]) {
      assert.equal(nationalNumber(text, 'zm'), undefined, text);
    }
  });
});

describe('a text', () => {
  it('is taken exactly where the service takes it', () => {
    const anyText = fc.string({
      unit: fc.oneof(
        fc.constantFrom('a', '🙂', '\u0000', '\u007f', '\u0085', '\u2028', '\u202e', '\u2066'),
        fc.constantFrom('\u200d', '\u200e', '\u061c', 'é', ' ', "'"),
        fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      ),
      minLength: 1,
      maxLength: 110,
      size: 'max',
    });
    fc.assert(
      fc.property(anyText, (narration) => {
        const cells = { amount: '1', phone: '0977433571', narration } as Record<string, string>;
        const isTaken = 'line' in checkPayout(2, (column) => cells[column], DEFAULTS);
        assert.equal(isTaken, checkPlainText(narration, { codePointsMax: 100 }) === 'ok');
      }),
      { numRuns: 2_000 },
    );
  });
});
