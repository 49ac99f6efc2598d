import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import {
  AMOUNT_MAX_MINOR,
  AMOUNT_MIN_MINOR,
  CURRENCIES,
  formatMinor,
  MINOR_DIGITS,
  minorToNumber,
  parseAmount,
  parseDecimal,
} from './money.ts';

const anyAmountMinor = fc.bigInt({ min: AMOUNT_MIN_MINOR, max: AMOUNT_MAX_MINOR });

/** Counts in tiny fractions of a minor unit: slow, but obviously right. */
function readSlowly(lexeme: string): bigint | undefined {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(lexeme);
  assert.ok(parts !== null);
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts;
  const decimals = BigInt(fraction.length) - BigInt(exponent);
  const tiny = BigInt(whole + fraction) * 10n ** (40n - decimals);
  const tinyPerMinor = 10n ** 38n;
  if (sign === '-' || tiny % tinyPerMinor !== 0n) return undefined;
  const minor = tiny / tinyPerMinor;
  return minor >= 1n && minor <= 100_000_000_000n ? minor : undefined;
}

describe('parseAmount', () => {
  it('reads what the number means, in any spelling JSON allows', () => {
    const meanings: readonly (readonly [string, bigint])[] = [
      ['1', 100n],
      ['0.01', 1n],
      ['0.1', 10n],
      ['1.10', 110n],
      ['19.99', 1999n],
      ['1e2', 10_000n],
      ['1E+2', 10_000n],
      ['1e-2', 1n],
      ['1.5e1', 1500n],
      ['1.005e1', 1005n],
      ['0.00001e5', 100n],
      ['1e0000000000000000000000002', 10_000n],
      ['1000000000', AMOUNT_MAX_MINOR],
      ['1000000000.00', AMOUNT_MAX_MINOR],
      ['1e9', AMOUNT_MAX_MINOR],
      ['0.000000000000000000001e21', 100n],
      ['10.010', 1_001n],
      ['1.000', 100n],
      ['100000e-3', 10_000n],
      ['0.0100000000000000000000', 1n],
      ['1000000000.000000', AMOUNT_MAX_MINOR],
      [`1${'0'.repeat(16_384)}e-16384`, 100n],
    ];
    for (const [lexeme, minor] of meanings) assert.equal(parseAmount(lexeme), minor, lexeme);
  });

  it('refuses more than two decimals in value, even where a double would hide them', () => {
    for (const lexeme of [
      '1.005',
      '10.001',
      '10.0010',
      '100005e-3',
      '1e-3',
      '0.1000000000000000000001',
      '0.010000000000000000001',
      '100.00000000000000000001',
    ]) {
      assert.equal(parseAmount(lexeme), undefined, lexeme);
    }
  });

  it('refuses amounts out of bounds', () => {
    for (const lexeme of ['0', '0.00', '-0', '0e5', '-1', '-0.01', '1000000000.01', '1e10']) {
      assert.equal(parseAmount(lexeme), undefined, lexeme);
    }
  });

  it('refuses text that is not a JSON number', () => {
    for (const text of ['', ' 1', '1 ', '1\n', '01', '1.', '.5', '+1', '0x10', '1e', '1e+', '１']) {
      assert.equal(parseAmount(text), undefined, JSON.stringify(text));
    }
    for (const text of ['NaN', 'Infinity', '1_000', '1,000', '1n']) {
      assert.equal(parseAmount(text), undefined, text);
    }
  });

  it('answers at once for absurd exponents and lengths', () => {
    const startedAt = performance.now();
    const lengths = 16_384;
    for (const lexeme of [
      '1e400',
      '1e999999999',
      '1e-999999999',
      '0e999999999',
      `1e${'9'.repeat(lengths)}`,
      `1e-${'9'.repeat(lengths)}`,
      '9'.repeat(lengths),
      `0.${'0'.repeat(lengths)}1`,
      `1${'0'.repeat(lengths)}e-${lengths}x`,
    ]) {
      assert.equal(parseAmount(lexeme), undefined);
    }
    assert.ok(performance.now() - startedAt < 1_000);
  });

  it('agrees with slow exact arithmetic for any JSON number', () => {
    const anyLexeme = fc
      .tuple(
        fc.constantFrom('', '', '', '-'),
        fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9][0-9]{0,11}$/)),
        fc.option(fc.stringMatching(/^[0-9]{1,12}$/), { nil: undefined }),
        fc.option(fc.integer({ min: -15, max: 15 }), { nil: undefined }),
        fc.constantFrom('e', 'E', 'e+'),
      )
      .map(([sign, whole, fraction, exponent, mark]) => {
        const decimals = fraction === undefined ? '' : `.${fraction}`;
        if (exponent === undefined) return `${sign}${whole}${decimals}`;
        const power = exponent < 0 ? `e${exponent}` : `${mark}${exponent}`;
        return `${sign}${whole}${decimals}${power}`;
      });
    fc.assert(
      fc.property(anyLexeme, (lexeme) => {
        assert.equal(parseAmount(lexeme), readSlowly(lexeme));
      }),
      { numRuns: 5000 },
    );
  });
});

describe('parseDecimal', () => {
  it('reads an amount as people type it', () => {
    assert.equal(parseDecimal('1000'), 100_000n);
    assert.equal(parseDecimal('1000.5'), 100_050n);
    assert.equal(parseDecimal('1000.50'), 100_050n);
    assert.equal(parseDecimal('0.01'), 1n);
    for (const text of [
      '1e2',
      '1E2',
      '1,000',
      '0',
      '-5',
      '5.',
      '.5',
      '1.005',
      '1000000000.01',
      '1.000',
    ]) {
      assert.equal(parseDecimal(text), undefined, text);
    }
  });
});

describe('formatMinor and minorToNumber', () => {
  it('write what parsing reads back unchanged', () => {
    fc.assert(
      fc.property(anyAmountMinor, (minor) => {
        assert.equal(parseDecimal(formatMinor(minor)), minor);
        assert.equal(parseAmount(JSON.stringify(minorToNumber(minor))), minor);
      }),
      { numRuns: 2000 },
    );
  });

  it('always show two decimals, below zero too', () => {
    assert.equal(formatMinor(123_450n), '1234.50');
    assert.equal(formatMinor(0n), '0.00');
    assert.equal(formatMinor(7n), '0.07');
    assert.equal(formatMinor(-7n), '-0.07');
    assert.equal(formatMinor(-123_450n), '-1234.50');
    assert.equal(minorToNumber(-1n), -0.01);
    assert.equal(formatMinor(0n).split('.')[1]?.length, MINOR_DIGITS);
  });

  it('refuse to make a number that a double cannot hold exactly', () => {
    assert.throws(() => minorToNumber(10n ** 15n), RangeError);
    assert.equal(String(minorToNumber(10n ** 15n - 1n)), '9999999999999.99');
  });
});

it('has exactly two currencies', () => {
  assert.deepEqual(CURRENCIES, ['ZMW', 'NGN']);
});
