import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as fc from 'fast-check';
import { keepAnswer, removeSecrets } from './wire-record.ts';

const PASSWORD = 'Zx/9+Q==';

it('removes a secret in every spelling in which an answer repeats it', () => {
  const echoes = [
    PASSWORD,
    encodeURIComponent(PASSWORD),
    encodeURIComponent(PASSWORD).toLowerCase().replace('zx', 'Zx').replace('q', 'Q'),
    JSON.stringify({ PASSWORD }).replaceAll('/', '\\/'),
  ];
  for (const echo of echoes) {
    assert.doesNotMatch(removeSecrets(`<p>${echo}</p>`, [PASSWORD]), /Zx/, echo);
  }
});

it('leaves no rest of a secret that contains another', () => {
  assert.equal(removeSecrets('key-1234-long', ['1234', 'key-1234-long']), '[removed]');
});

it('does not remove secrets that are too short to be distinctive', () => {
  assert.equal(removeSecrets('status 200', ['200', '']), 'status 200');
});

it('cuts an answer to its limit and removes what a text column cannot store', () => {
  assert.equal(keepAnswer('a\0b', []), 'a\u{FFFD}b');
  assert.equal(keepAnswer('x'.repeat(3_000), []).length, 2_000);
  assert.ok(keepAnswer(`${'x'.repeat(1_999)}😀`, []).isWellFormed());
});

it('contains no secret of any answer, wherever the answer is cut', () => {
  const secret = fc
    .string({ minLength: 4, maxLength: 20 })
    .filter((text) => !'[removed]'.includes(text));
  fc.assert(
    fc.property(secret, fc.nat(1_995), (one, at) => {
      const kept = keepAnswer('\u{1}'.repeat(at) + one, [one]);
      assert.ok(one.includes('\u{1}') || !kept.includes(one));
    }),
  );
});
