import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { anyText } from '../../test/any-text.ts';
import { harmless, harmlessDocument } from './harmless-text.ts';

describe('a text from outside', () => {
  it('shows an escape instead of obeying it', () => {
    assert.equal(harmless('a\u001b[2Jb'), 'a\\u001b[2Jb');
    assert.equal(harmless('a\u009b2Jb\u0007'), 'a\\u009b2Jb\\u0007');
  });

  it('stays on one line and reads in one direction', () => {
    assert.equal(harmless('{\r\n  "a": 1\n}'), '{ "a": 1 }');
    assert.equal(harmless('paid \u202eton'), 'paid \\u202eton');
    assert.equal(harmless('a\u2028b\ud800c'), 'a\\u2028b\\ud800c');
  });

  it('keeps what people write', () => {
    const text = "Ngozi O'Brien 🎉 Ẹ̀kọ́ — 100 %";
    assert.equal(harmless(text), text);
  });

  it('has no control character left, for any text', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        assert.doesNotMatch(
          harmless(text),
          /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u,
        );
      }),
    );
  });

  it('is made harmless wherever it stands in a document', () => {
    const at = new Date(0);
    const given = { a: ['\u001b', { b: '\u0007' }], at, none: null, n: 1, yes: true };
    const expected = { a: ['\\u001b', { b: '\\u0007' }], at, none: null, n: 1, yes: true };
    assert.deepEqual(harmlessDocument(given), expected);
  });
});
