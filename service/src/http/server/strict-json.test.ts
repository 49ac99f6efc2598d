import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { type JsonLimits, ListTooLong, StrictJsonError } from './json-limits.ts';
import { JsonNumber, type JsonValue, parseStrictJson } from './strict-json.ts';

const LIMITS: JsonLimits = {
  depthMax: 8,
  valuesMax: 10_000,
  itemsMax: 10_000,
  keysMax: 10_000,
  stringLengthMax: 10_000,
};
const DEEP: JsonLimits = { ...LIMITS, depthMax: 1000 };

/** Pieces to damage a text with: JSON, text that looks like JSON, and invisible characters. */
const SCRAPS: readonly string[] = [
  ...Array.from('"\\{}[]:,.-+01eE\'/ \n\t\u000b\u00a0\ufeff\u2028\0\u001f\u007fä\u{1f600}'),
  ...'\\u \\ud800 \\n 00 1e5 -0 0.5 true false null nul NaN /**/'.split(' '),
  '',
];

function nested(levels: number): string {
  return `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`;
}

function quoted(...bytes: number[]): Uint8Array {
  return Uint8Array.from([0x22, ...bytes, 0x22]);
}

function parseText(text: string, limits = LIMITS): JsonValue {
  return parseStrictJson(Buffer.from(text, 'utf8'), limits);
}

/** The same value as JSON.parse would return. */
function toPlain(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return Number(value.lexeme);
  if (Array.isArray(value)) return value.map(toPlain);
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([key, member]) => [key, toPlain(member)]));
  }
  return value;
}

function assertRefused(input: string | Uint8Array, message: RegExp): void {
  const bytes = typeof input === 'string' ? Buffer.from(input, 'utf8') : input;
  assert.throws(
    () => parseStrictJson(bytes, LIMITS),
    (error: unknown) => {
      assert.ok(error instanceof StrictJsonError);
      assert.match(error.message, message);
      return true;
    },
  );
}

/** Undefined if the text is refused for a duplicate key, which JSON.parse accepts. */
function isAccepted(text: string): boolean | undefined {
  try {
    parseText(text, DEEP);
    return true;
  } catch (error) {
    assert.ok(error instanceof StrictJsonError);
    return error.message.startsWith('Duplicate key') ? undefined : false;
  }
}

function isAcceptedByPlatform(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('parseStrictJson agrees with JSON.parse', () => {
  it('on the meaning of any value', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5, stringUnit: 'binary' }), (text) => {
        assert.deepEqual(toPlain(parseText(text)), JSON.parse(text));
      }),
      { numRuns: 1000 },
    );
  });

  it('on the meaning of any value written with spaces', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 5 }),
        fc.constantFrom(1, 3, '\t', ' \n'),
        (value, space) => {
          const text = ` \r\n\t${JSON.stringify(value, null, space)}\n`;
          assert.deepEqual(toPlain(parseText(text)), JSON.parse(text));
        },
      ),
    );
  });

  it('on which damaged texts are still JSON', () => {
    const anyDamage = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 2 }), fc.constantFrom(...SCRAPS)), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), anyDamage, (whole, damage) => {
        let text = whole;
        for (const [position, dropped, scrap] of damage) {
          const at = position % (text.length + 1);
          text = text.slice(0, at) + scrap + text.slice(at + dropped);
        }
        fc.pre(text.isWellFormed());
        const accepted = isAccepted(text);
        if (accepted === undefined) return;
        assert.equal(accepted, isAcceptedByPlatform(text));
        if (accepted) assert.deepEqual(toPlain(parseText(text, DEEP)), JSON.parse(text));
      }),
      { numRuns: 10_000 },
    );
  });

  it('on which short texts of JSON characters are JSON', () => {
    const anyText = fc
      .array(fc.constantFrom(...Array.from('{}[]:,"\\-+.0123eEtfnrulas/ ')), { maxLength: 6 })
      .map((characters) => characters.join(''));
    fc.assert(
      fc.property(anyText, (text) => {
        assert.equal(isAccepted(text), isAcceptedByPlatform(text));
      }),
      { numRuns: 10_000 },
    );
  });
});

describe('parseStrictJson', () => {
  it('reads objects of a list that have the same keys, or nearly', () => {
    // Keys that begin alike, or would have to be escaped.
    const keys = ['a', 'ab', 'b', '', 'a"', '\\', 'a\\', '"a', 'ä', '\n', '__proto__'];
    const object = fc.uniqueArray(fc.constantFrom(...keys), { maxLength: 4 }).map((names) => {
      return Object.fromEntries(names.map((name, index) => [name, index]));
    });
    const item = fc.tuple(object, object).map(([outer, inner]) => ({ ...outer, c: [inner] }));
    // Not compared with JSON.parse, which in Node 24 takes the key a" for a\ if it has read that before.
    const items = fc.array(item, { maxLength: 6 }).map((some) => [...some, ...some]);
    const property = fc.property(items, fc.nat({ max: 2 }), (given, indent) => {
      const read = toPlain(parseText(JSON.stringify(given, null, indent)));
      assert.equal(JSON.stringify(read), JSON.stringify(given));
    });
    fc.assert(property);
    assertRefused('[{"a":1,"b":2},{"a":1,"a":2}]', /Duplicate key, at character 23/);
    assertRefused('[{"ab":1},{"ab:1}]', /too early|Unexpected/);
  });

  it('keeps the text of every number', () => {
    for (const lexeme of ['0', '-0', '1.10', '1e2', '1E+2', '0.010000000000000000001', '1e400']) {
      assert.deepEqual(parseText(lexeme), new JsonNumber(lexeme));
      assert.deepEqual(parseText(`[${lexeme}]`), [new JsonNumber(lexeme)]);
    }
  });

  it('refuses a key given twice, also when spelled differently or deep inside', () => {
    for (const text of ['{"a":1,"a":1}', '{"a":1,"\\u0061":2}', '[{"b":{"a":1,"c":2,"a":3}}]']) {
      assertRefused(text, /^Duplicate key, at character \d+\.$/);
    }
    assertRefused('{"__proto__":1,"__proto__":2}', /^Duplicate key/);
    assert.ok(parseText('[{"a":1},{"a":1}]') !== null);
    assert.ok(parseText('{"a":{"a":1},"A":1}') !== null);
  });

  it('treats __proto__ and constructor as keys like any other', () => {
    const value = parseText('{"__proto__":{"polluted":true},"constructor":null,"toString":"x"}');
    assert.ok(value instanceof Map);
    assert.deepEqual([...value.keys()], ['__proto__', 'constructor', 'toString']);
    assert.equal(Reflect.get({}, 'polluted'), undefined);
  });

  it('limits the depth of objects and arrays together', () => {
    assert.ok(parseText(nested(8)) !== null);
    assertRefused(`[${nested(8)}]`, /^Nested more than 8 levels deep/);
    assertRefused('['.repeat(1_000_000), /^Nested more than 8 levels deep/);
    const wide = `[${Array.from({ length: 100 }, () => '[[]]').join(',')}]`;
    assert.ok(Array.isArray(parseText(wide, { ...LIMITS, depthMax: 3 })));
  });

  it('limits values, items, members and the length of strings', () => {
    const refused = (text: string, limit: Partial<JsonLimits>, message: RegExp) => {
      assert.throws(() => parseText(text, { ...LIMITS, ...limit }), message);
    };
    const small = { valuesMax: 4, itemsMax: 3, keysMax: 2, stringLengthMax: 5 };
    assert.ok(parseText('[1,"12345",[]]', { ...LIMITS, ...small }) !== null);
    refused('[[],[1],2]', { valuesMax: 4 }, /^StrictJsonError: There are more than 4 values\.$/);
    refused('{"a":[1,2,3,4]}', { itemsMax: 3 }, /^ListTooLong: An array has more than 3 items\.$/);
    refused('{"a":1,"b":2,"c":3}', { keysMax: 2 }, /^StrictJsonError: An object has more than 2/);
    refused('{"123456":1}', { stringLengthMax: 5 }, /^StrictJsonError: A string is longer than 5/);
    refused('"\\n3456"', { stringLengthMax: 5 }, /^StrictJsonError: A string is longer than 5/);
  });

  it('reports the depth of a list that is too long', () => {
    for (const [text, depth] of [
      ['[1,2]', 1],
      ['{"a":[1,2]}', 2],
      ['{"a":[{"b":[1,2]}]}', 4],
    ] as const) {
      assert.throws(
        () => parseText(text, { ...LIMITS, itemsMax: 1 }),
        (error) => error instanceof ListTooLong && error.depth === depth,
      );
    }
  });

  it('refuses bytes that are not UTF-8, and a byte order mark', () => {
    assertRefused(quoted(0xff), /not valid UTF-8/);
    assertRefused(quoted(0xc0, 0xaf), /not valid UTF-8/);
    assertRefused(quoted(0xc0, 0x80), /not valid UTF-8/);
    assertRefused(quoted(0xed, 0xa0, 0x80), /not valid UTF-8/);
    assertRefused(quoted(0xf4, 0x90, 0x80, 0x80), /not valid UTF-8/);
    assertRefused(quoted(0xe2, 0x82), /not valid UTF-8/);
    assertRefused(Uint8Array.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]), /^Unexpected character/);
    assertRefused(Buffer.from('{}', 'utf16le'), /^Unexpected character/);
  });

  it('refuses NUL and other control characters that are not escaped', () => {
    for (const text of ['"\0"', '"a\nb"', '"\t"', '"\u001f"']) {
      assertRefused(text, /^Control character in a string/);
    }
    assertRefused('{}\0', /after the value/);
    assert.equal(parseText('"\\u0000"'), '\0');
    assert.equal(parseText('"\u007f"'), '\u007f');
  });

  it('says what is wrong and where, and never repeats what was sent', () => {
    assertRefused('', /^The text ends too early, at character 1\.$/);
    assertRefused('   ', /^The text ends too early/);
    assertRefused('{"secret', /^The text ends too early, at character 9\.$/);
    assertRefused('{"a":1}x', /^Unexpected text after the value, at character 8\.$/);
    assertRefused('{"a":1,}', /^Unexpected character, at character 8\.$/);
    assertRefused('{"\\x":1}', /^Unknown escape in a string, at character 4\.$/);
    assertRefused('{"secret":1,"secret":2}', /^(?!.*secret)/);
    assertRefused('{"a":secret}', /^(?!.*secret)/);
  });

  it('reads only its own part of a larger buffer', () => {
    const bytes = Buffer.from('xx{"a":1}yy');
    const value = parseStrictJson(bytes.subarray(2, 9), LIMITS);
    assert.deepEqual(toPlain(value), { a: 1 });
  });

  it('throws nothing but StrictJsonError for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        try {
          parseStrictJson(bytes, LIMITS);
        } catch (error) {
          assert.ok(error instanceof StrictJsonError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
