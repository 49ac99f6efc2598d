import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as fc from 'fast-check';
import { at, readExactJson, textAt } from './exact-json.ts';

it('keeps the text of a number', () => {
  const json = readExactJson('{"a":150.00,"b":"150.00","c":[1e2,9007199254740993],"d":-0}');
  assert.deepEqual(json, { a: '150.00', b: '150.00', c: ['1e2', '9007199254740993'], d: '-0' });
});

it('keeps true, false and null', () => {
  assert.deepEqual(readExactJson('[true,false,null]'), [true, false, null]);
});

it('accepts nothing but JSON', () => {
  for (const text of ['', ' ', '<html></html>', '{"a":', "{'a':1}", '{"a":NaN}', '[1,]', '01']) {
    assert.equal(readExactJson(text), undefined, text);
  }
});

it('refuses endless nesting without crashing', () => {
  assert.doesNotThrow(() => readExactJson('['.repeat(100_000) + ']'.repeat(100_000)));
  assert.equal(readExactJson('['.repeat(100_000)), undefined);
});

it('never throws, for any text', () => {
  fc.assert(fc.property(fc.string(), (text) => void readExactJson(text)));
  fc.assert(fc.property(fc.json(), (text) => assert.notEqual(readExactJson(text), undefined)));
});

it('finds the value at a path, and nothing at a missing path', () => {
  const json = readExactJson('{"payee":{"partyId":260966123456},"list":["x"],"none":null}');
  assert.equal(textAt(json, 'payee', 'partyId'), '260966123456');
  assert.deepEqual(at(json, 'payee'), { partyId: '260966123456' });
  assert.equal(at(json, 'none'), null);
  assert.equal(textAt(json, 'none'), undefined);
  assert.equal(textAt(json, 'payee'), undefined);
  assert.equal(at(json, 'payee', 'partyId', 'length'), undefined);
  assert.equal(at(json, 'list', '0'), undefined);
  assert.equal(at(undefined, 'a'), undefined);
});

it('finds no inherited members', () => {
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
    assert.equal(at(readExactJson('{}'), name), undefined, name);
  }
  assert.equal(textAt(readExactJson('{"__proto__":"x"}'), '__proto__'), 'x');
});
