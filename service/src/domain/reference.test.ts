import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import {
  IDEMPOTENCY_KEY_LENGTH_MAX,
  parseIdempotencyKey,
  parseReference,
  REFERENCE_LENGTH_MAX,
} from './reference.ts';

describe('parseReference', () => {
  it('returns every valid reference as it was given', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zA-Z0-9._-]{1,100}$/), (text) => {
        assert.equal(parseReference(text), text);
      }),
    );
    for (const text of ['.', '..', '-', '_', 'A', 'a']) assert.equal(parseReference(text), text);
  });

  it('refuses everything else', () => {
    for (const text of ['', ' ', 'a b', 'a/b', 'a\n', '\na', 'ä', 'a\0', 'а', '%2e', 'a,b']) {
      assert.equal(parseReference(text), undefined, JSON.stringify(text));
    }
  });

  it('is 1 to 100 characters long', () => {
    assert.ok(parseReference('r'.repeat(REFERENCE_LENGTH_MAX)) !== undefined);
    assert.equal(parseReference('r'.repeat(REFERENCE_LENGTH_MAX + 1)), undefined);
    assert.equal(REFERENCE_LENGTH_MAX, 100);
  });
});

describe('parseIdempotencyKey', () => {
  it('takes printable ASCII, spaces inside included', () => {
    for (const text of ['k', 'a b', '"x"', '~!@#', 'order 7, part 2']) {
      assert.equal(parseIdempotencyKey(text), text);
    }
  });

  it('refuses leading and trailing spaces, control characters and anything beyond ASCII', () => {
    for (const text of ['', ' ', ' a', 'a ', 'a\tb', 'a\nb', 'a\x7f', 'é', '\u{1f600}', 'a\0']) {
      assert.equal(parseIdempotencyKey(text), undefined, JSON.stringify(text));
    }
  });

  it('is 1 to 255 characters long', () => {
    assert.ok(parseIdempotencyKey('k'.repeat(IDEMPOTENCY_KEY_LENGTH_MAX)) !== undefined);
    assert.equal(parseIdempotencyKey('k'.repeat(IDEMPOTENCY_KEY_LENGTH_MAX + 1)), undefined);
    assert.equal(IDEMPOTENCY_KEY_LENGTH_MAX, 255);
  });
});
