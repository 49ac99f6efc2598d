import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { createApiKey, readApiKey } from './api-key.ts';

const MODES = ['test', 'live'] as const;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const anyMode = fc.constantFrom(...MODES);

describe('an API key', () => {
  it('has its prefix, 27 characters of secret and 6 of checksum', () => {
    for (const mode of MODES) {
      const { text } = createApiKey(mode, randomBytes);
      assert.match(text, new RegExp(`^sk_${mode}_[0-9A-Za-z]{33}$`));
    }
  });

  it('keeps its length when the random bytes are all zero', () => {
    const { text } = createApiKey('test', (size) => new Uint8Array(size));
    assert.equal(text.slice(0, 35), `sk_test_${'0'.repeat(27)}`);
    assert.equal(text.length, 41);
    assert.notEqual(readApiKey(text), undefined);
  });

  it('reads back as its mode and the SHA-256 of its text', () => {
    fc.assert(
      fc.property(anyMode, (mode) => {
        const key = createApiKey(mode, randomBytes);
        const expected = createHash('sha256').update(key.text).digest('hex');
        assert.deepEqual(readApiKey(key.text), { mode, hash: expected });
        assert.equal(key.hash, expected);
      }),
    );
  });

  it('is refused when any one character is another', () => {
    fc.assert(
      fc.property(
        anyMode,
        fc.nat(40),
        fc.constantFrom(...BASE62.split(''), '_', ' ', 'é'),
        (mode, at, put) => {
          const { text } = createApiKey(mode, randomBytes);
          fc.pre(text[at] !== put);
          assert.equal(readApiKey(text.slice(0, at) + put + text.slice(at + 1)), undefined);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('is refused when it is cut, longer, spaced or of the other mode', () => {
    const { text } = createApiKey('test', randomBytes);
    const others = [
      '',
      text.slice(0, -1),
      `${text}0`,
      ` ${text}`,
      `${text}\n`,
      text.replace('_test_', '_live_'),
      text.toUpperCase(),
      `${text}, ${text}`,
      'x'.repeat(1_000_000),
    ];
    for (const other of others) assert.equal(readApiKey(other), undefined);
  });

  it('is never read from arbitrary text', () => {
    fc.assert(fc.property(fc.string(), (text) => readApiKey(text) === undefined));
  });

  it('draws all 62 characters equally often at every place', () => {
    const keys = 4_000;
    const counts = new Map<string, number>();
    const atPlace = Array.from({ length: 27 }, () => new Set<string>());
    for (let index = 0; index < keys; index += 1) {
      const { text } = createApiKey('live', randomBytes);
      for (const [place, character] of text.slice(8, 35).split('').entries()) {
        counts.set(character, (counts.get(character) ?? 0) + 1);
        atPlace[place]?.add(character);
      }
    }
    const mean = (keys * 27) / 62;
    // Six standard deviations: a bias by the modulo would be one of 24 percent, far outside.
    const allowed = 6 * Math.sqrt(mean);
    for (const character of BASE62) {
      assert.ok(Math.abs((counts.get(character) ?? 0) - mean) < allowed, character);
    }
    for (const seen of atPlace) assert.equal(seen.size, 62);
  });

  it('throws rather than loop for ever on a broken source of randomness', () => {
    assert.throws(() => createApiKey('test', (size) => new Uint8Array(size).fill(255)), /broken/);
  });

  it('has a hint of its first and last four characters and nothing between', () => {
    const { text, hint } = createApiKey('live', randomBytes);
    assert.equal(hint, `${text.slice(0, 12)}…${text.slice(-4)}`);
  });
});
