import assert from 'node:assert/strict';
import { it } from 'node:test';
import { countMissingDigits } from './count-digits.ts';

it('counts the digits that a number lacks or has too many, however it is spelt', () => {
  const cases: readonly (readonly [string, string, number | undefined])[] = [
    ['097 33 4512', 'ZMW', 1],
    ['+260 97 33 451', 'ZMW', 2],
    ['09774335711', 'ZMW', -1],
    ['0803 362 691', 'NGN', 1],
    // As many as it must have: something else is wrong with it.
    ['0211 254 880', 'ZMW', undefined],
    ['12', 'ZMW', undefined],
    ['ask Mary', 'ZMW', undefined],
    ['097334512', 'KES', undefined],
  ];
  for (const [text, currency, missing] of cases) {
    assert.equal(countMissingDigits(text, currency), missing, text);
  }
});
