import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { contentDigest, digestMatches } from './content-digest.ts';

const BODY = Buffer.from('{"payoutId":"f4401bd2-1568-4140-bf2d-eb77d2b2b639"}');

describe('Content-Digest', () => {
  it('is the base64 of the hash between colons', () => {
    const hash = createHash('sha512').update(BODY).digest('base64');
    assert.equal(contentDigest('sha-512', BODY), `sha-512=:${hash}:`);
  });

  it('matches its own body and no other, for both algorithms', () => {
    const property = fc.property(
      fc.constantFrom('sha-256', 'sha-512'),
      fc.uint8Array({ maxLength: 200 }),
      fc.uint8Array({ maxLength: 200 }),
      (algorithm, one, other) => {
        const header = contentDigest(algorithm, Buffer.from(one));
        assert.equal(digestMatches(header, Buffer.from(one)), true);
        assert.equal(
          digestMatches(header, Buffer.from(other)),
          Buffer.from(one).equals(Buffer.from(other)),
        );
      },
    );
    fc.assert(property);
  });

  it('accepts two digests when both match, and ignores one of an unknown algorithm', () => {
    const both = `${contentDigest('sha-256', BODY)}, ${contentDigest('sha-512', BODY)}`;
    assert.equal(digestMatches(both, BODY), true);
    assert.equal(digestMatches(`md5=:AAAA:, ${contentDigest('sha-512', BODY)}`, BODY), true);
  });

  it('refuses two digests when one is wrong', () => {
    const half = `${contentDigest('sha-256', Buffer.from('x'))}, ${contentDigest('sha-512', BODY)}`;
    assert.equal(digestMatches(half, BODY), false);
  });

  it('refuses a header without a digest that can be checked', () => {
    const bare = createHash('sha256').update(BODY).digest('base64');
    for (const header of ['', 'md5=:AAAA:', `sha-256=${bare}`, `SHA-256=:${bare}:`, bare]) {
      assert.equal(digestMatches(header, BODY), false, header);
    }
  });
});
