import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { BodyScanner } from './body-scanner.ts';
import { type JsonLimits, ListTooLong, StrictJsonError } from './json-limits.ts';
import { parseStrictJson } from './strict-json.ts';

const LIMITS: JsonLimits = {
  depthMax: 4,
  valuesMax: 20,
  itemsMax: 6,
  keysMax: 5,
  stringLengthMax: 8,
};

function scanInPieces(text: string, size: number, limits = LIMITS): BodyScanner {
  const scanner = new BodyScanner(limits);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) scanner.scan(bytes.subarray(at, at + size));
  return scanner;
}

describe('BodyScanner', () => {
  it('refuses at the first excess, long before the end', () => {
    for (const [unit, limits, message] of [
      ['{},', { itemsMax: 1_000 }, /^ListTooLong: An array has more than 1000 items/],
      ['0,', { valuesMax: 1_000 }, /^StrictJsonError: There are more than 1000 values/],
      ['[', {}, /^StrictJsonError: Nested more than 4 levels deep/],
      [`"${'x'.repeat(40)}`, {}, /^StrictJsonError: A string is longer than 8 characters/],
    ] as const) {
      const many = { ...LIMITS, itemsMax: 1_000_000, valuesMax: 1_000_000, ...limits };
      const scanner = new BodyScanner(many);
      scanner.scan(Buffer.from('{"transfers":['));
      let sent = 0;
      assert.throws(() => {
        for (; sent < 1_000_000; sent += 1) scanner.scan(Buffer.from(unit));
      }, message);
      assert.ok(sent <= 2_000, `${unit} was read ${sent} times`);
    }
    const keys = '"a":1,'.repeat(5);
    assert.throws(() => scanInPieces(`{${keys}`, 3), /An object has more than 5 members/);
  });

  it('reports the depth of a list that is too long', () => {
    assert.throws(
      () => scanInPieces('{"transfers":[1,2,3,4,5,6,7]}', 1),
      (error) => error instanceof ListTooLong && error.depth === 2,
    );
  });

  it('ignores brackets, commas and quotes in strings', () => {
    const text = '{"a":",,,,[[","b":"\\"{{{{","c":"\\\\","d":["]"]}';
    for (let size = 1; size < text.length; size += 1) scanInPieces(text, size);
    assert.throws(() => scanInPieces('["\\\\",[[[[', 1), /Nested/);
  });

  it('never refuses what the parser accepts, however it is split into chunks', () => {
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 5, stringUnit: 'binary' }),
        fc.integer({ min: 1, max: 9 }),
        (text, size) => {
          try {
            parseStrictJson(Buffer.from(text), LIMITS);
          } catch (error) {
            assert.ok(error instanceof StrictJsonError);
            return;
          }
          scanInPieces(text, size);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('counts at least as many values as the parser would create', () => {
    assert.ok(scanInPieces('{"a":[1,{"b":null}],"c":"x"}', 2).values >= 6);
  });
});
