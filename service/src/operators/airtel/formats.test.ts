import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { AMOUNT_MAX_MINOR } from '../../domain/money.ts';
import { fromAirtelId, jsonAmount, nationalNumber, readMinor, toAirtelId } from './formats.ts';

describe('an id', () => {
  it('is alphanumeric, fits 64 characters and maps back to its reference', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        const id = toAirtelId(uuid);
        assert.match(id, /^[0-9a-z]{1,64}$/);
        assert.equal(fromAirtelId(id), uuid);
        assert.equal(fromAirtelId(id.toUpperCase()), uuid);
      }),
    );
  });

  it('that is not ours maps to nothing', () => {
    const id = toAirtelId('6f1c2b34-5d6e-4f70-8a9b-0c1d2e3f4a5b');
    for (const other of [
      '',
      'PO01J8ABCDEF',
      id.slice(1),
      `${id}0`,
      ` ${id}`,
      id.replace('6', 'g'),
    ]) {
      assert.equal(fromAirtelId(other), undefined, other);
    }
  });
});

describe('a number', () => {
  it('is sent without country code and without a leading zero', () => {
    assert.equal(nationalNumber('+260977123456', 'zm'), '977123456');
    assert.equal(nationalNumber('+260571234567', 'zm'), '571234567');
    assert.equal(nationalNumber('+2348021234567', 'ng'), '8021234567');
    // The national part may begin with the digits of the country code.
    assert.equal(nationalNumber('+2347023456789', 'ng'), '7023456789');
  });

  it('of another country is not cut to fit', () => {
    assert.throws(() => nationalNumber('+2348021234567', 'zm'));
  });
});

describe('an amount', () => {
  it('is a JSON number written from its digits', () => {
    assert.equal(jsonAmount(1n), '0.01');
    assert.equal(jsonAmount(10n), '0.1');
    assert.equal(jsonAmount(100n), '1');
    assert.equal(jsonAmount(1_000n), '10');
    assert.equal(jsonAmount(15_050n), '150.5');
    assert.equal(jsonAmount(1_999n), '19.99');
    assert.equal(jsonAmount(100_001n), '1000.01');
    assert.equal(jsonAmount(AMOUNT_MAX_MINOR), '1000000000');
    assert.equal(jsonAmount(9_007_199_254_740_993n), '90071992547409.93');
  });

  it('reads back as it was written, at any size', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 99_999_999_999_999_999n }), (amountMinor) => {
        const text = jsonAmount(amountMinor);
        assert.match(text, /^(0|[1-9][0-9]*)(\.[0-9]{0,1}[1-9])?$/);
        assert.equal(readMinor(text), amountMinor);
      }),
    );
  });

  it('is read in every exact spelling, and in no other', () => {
    const spellings: [string, bigint | undefined][] = [
      ['37600.00', 3_760_000n],
      ['37600', 3_760_000n],
      ['0', 0n],
      ['-5.5', -550n],
      ['9,849.50', 984_950n],
      ['1,234,567.8', 123_456_780n],
      ['150.5000', 15_050n],
      ['1.0E7', 1_000_000_000n],
      ['150.505', undefined],
      ['9,84.50', undefined],
      ['1.5.0', undefined],
      ['', undefined],
      ['NaN', undefined],
      ['ZMW 5', undefined],
    ];
    for (const [text, expected] of spellings) assert.equal(readMinor(text), expected, text);
  });
});
