import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { anyText } from '../../test/any-text.ts';
import { checkPlainText } from './plain-text.ts';

const LIMITS = { codePointsMax: 100 };
const FAMILY = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}';

describe('checkPlainText', () => {
  it('accepts what people write', () => {
    for (const text of [
      '',
      "O'Brien",
      'Salary, November – 2nd half',
      'Ọlá Ṣẹ́gun',
      FAMILY,
      '\u{1f1ff}\u{1f1f2}',
      'محمد\u200f!',
      '李小龍',
      '<script>',
    ]) {
      assert.equal(checkPlainText(text, LIMITS), 'ok', text);
    }
  });

  it('refuses control characters, line separators and bidirectional overrides', () => {
    const ranges: readonly (readonly [number, number])[] = [
      [0x00, 0x1f],
      [0x7f, 0x9f],
      [0x2028, 0x202e],
      [0x2066, 0x2069],
      [0xd800, 0xdfff],
    ];
    const isRefused = (unit: number): boolean =>
      ranges.some(([first, last]) => unit >= first && unit <= last);
    for (let unit = 0; unit <= 0xffff; unit += 1) {
      const verdict = checkPlainText(`a${String.fromCharCode(unit)}b`, LIMITS);
      assert.equal(verdict, isRefused(unit) ? 'INVALID_TEXT' : 'ok', unit.toString(16));
    }
  });

  it('refuses half a surrogate pair at any position', () => {
    for (const text of [
      '\ud83d',
      '\ude00',
      'a\ud83d',
      '\ude00a',
      '\ude00\ud83d',
      '\ud83d\ud83d\ude00',
    ]) {
      assert.equal(checkPlainText(text, LIMITS), 'INVALID_TEXT');
    }
  });

  it('counts code points, not code units', () => {
    assert.equal(checkPlainText('\u{1f600}'.repeat(100), LIMITS), 'ok');
    assert.equal(checkPlainText('\u{1f600}'.repeat(101), LIMITS), 'TOO_LONG');
    assert.equal(checkPlainText('a'.repeat(100), LIMITS), 'ok');
    assert.equal(checkPlainText('a'.repeat(101), LIMITS), 'TOO_LONG');
    assert.equal(checkPlainText('\0'.repeat(101), LIMITS), 'TOO_LONG');
  });

  it('agrees with the platform on any text', () => {
    // oxlint-disable-next-line no-control-regex -- control characters are what this is about.
    const forbidden = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
    fc.assert(
      fc.property(anyText({ maxLength: 20 }), (text) => {
        const codePointsMax = 10;
        const isInvalid = forbidden.test(text) || !text.isWellFormed();
        const verdict = isInvalid ? 'INVALID_TEXT' : 'ok';
        const expected = Array.from(text).length > codePointsMax ? 'TOO_LONG' : verdict;
        assert.equal(checkPlainText(text, { codePointsMax }), expected);
      }),
      { numRuns: 2000 },
    );
  });
});
