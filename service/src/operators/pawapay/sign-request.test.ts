import assert from 'node:assert/strict';
import { createHash, createVerify } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  extras,
  HASHES,
  P256,
  P384,
  PAIRS,
  RSA,
} from '../../../test/fakes/pawapay-signature-keys.ts';
import { isKeyFor, readPublicKey, SIGNATURE_ALGORITHMS } from './http-signature.ts';
import { signRequest } from './sign-request.ts';

const NOW = new Date('2026-07-01T10:00:30.500Z');
const CREATED = Date.UTC(2026, 6, 1, 10, 0, 30) / 1_000;
const BODY = '{"payoutId":"f4401bd2-1568-4140-bf2d-eb77d2b2b639","status":"COMPLETED"}';

describe('a signed request', () => {
  for (const algorithm of SIGNATURE_ALGORITHMS) {
    it(`can be verified from a rebuilt signature base, under ${algorithm}`, () => {
      for (const digest of ['sha-256', 'sha-512'] as const) {
        const signer = { key: PAIRS[algorithm].privateKey, keyId: 'MY_KEY', algorithm, digest };
        const headers = signRequest(signer, {
          method: 'POST',
          authority: 'api.pawapay.io',
          path: '/v2/payouts',
          contentType: 'application/json; charset=UTF-8',
          body: BODY,
          now: NOW,
        });
        const hash = createHash(digest.replace('-', '')).update(BODY).digest('base64');
        assert.equal(headers['content-digest'], `${digest}=:${hash}:`);
        assert.equal(headers['signature-date'], '2026-07-01T10:00:30.500Z');
        const parameters =
          '("@method" "@authority" "@path" "signature-date" "content-digest" "content-type")' +
          `;alg="${algorithm}";keyid="MY_KEY";created=${CREATED};expires=${CREATED + 60}`;
        assert.equal(headers['signature-input'], `sig-pp=${parameters}`);
        const base = [
          '"@method": POST',
          '"@authority": api.pawapay.io',
          '"@path": /v2/payouts',
          '"signature-date": 2026-07-01T10:00:30.500Z',
          `"content-digest": ${digest}=:${hash}:`,
          '"content-type": application/json; charset=UTF-8',
          `"@signature-params": ${parameters}`,
        ].join('\n');
        const [, signature = ''] = /^sig-pp=:(.+):$/.exec(headers.signature ?? '') ?? [];
        const key = PAIRS[algorithm].publicKey;
        const verifier = createVerify(HASHES[algorithm]).update(base);
        assert.ok(verifier.verify({ key, ...extras(algorithm, 'der') }, signature, 'base64'));
      }
    });
  }

  it('requires a key of the right kind', () => {
    assert.ok(isKeyFor(P256.publicKey, 'ecdsa-p256-sha256'));
    assert.ok(!isKeyFor(P256.publicKey, 'ecdsa-p384-sha384'));
    assert.ok(!isKeyFor(RSA.publicKey, 'ecdsa-p256-sha256'));
    assert.ok(!isKeyFor(P384.publicKey, 'rsa-pss-sha512'));
    const secret = P256.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    assert.equal(readPublicKey(secret), undefined);
    assert.equal(readPublicKey('nonsense'), undefined);
  });
});
