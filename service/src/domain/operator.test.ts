import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  COUNTRIES,
  currencyOf,
  isCountry,
  isOperator,
  OPERATOR_PAIRS,
  OPERATORS,
} from './operator.ts';

it('has all eight pairs of operator and country, each once', () => {
  const names = new Set(OPERATOR_PAIRS.map(({ operator, country }) => `${operator} ${country}`));
  assert.equal(OPERATOR_PAIRS.length, 8);
  assert.equal(names.size, 8);
});

it('derives the currency from the country', () => {
  assert.deepEqual(COUNTRIES.map(currencyOf), ['ZMW', 'NGN']);
});

it('accepts exactly the listed words, in lower case', () => {
  assert.ok(OPERATORS.every(isOperator));
  assert.ok(COUNTRIES.every(isCountry));
  for (const text of ['', 'MTN', ' mtn', 'mtn ', 'vodafone', 'toString', 'length', '__proto__']) {
    assert.equal(isOperator(text), false, text);
    assert.equal(isCountry(text), false, text);
  }
  assert.equal(isCountry('ZM'), false);
});
