import assert from 'node:assert/strict';
import { createSign, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, it } from 'node:test';
import { findSignatureFault } from './check-signature.ts';
import { contentDigest } from './content-digest.ts';
import { type MessageSigner, signMessage } from './sign-message.ts';
import { type EcdsaEncoding, SIGNATURE_ALGORITHMS } from './signature-algorithms.ts';

const P256 = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const P384 = generateKeyPairSync('ec', { namedCurve: 'secp384r1' });
const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 });
const OTHER_KEY = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });

const PAIRS = {
  'ecdsa-p256-sha256': P256,
  'ecdsa-p384-sha384': P384,
  'rsa-v1_5-sha256': RSA,
  'rsa-pss-sha512': RSA,
} as const;

const KEYS: ReadonlyMap<string, KeyObject> = new Map([
  ['P256', P256.publicKey],
  ['P384', P384.publicKey],
  ['RSA', RSA.publicKey],
]);

const NOW = new Date('2026-07-01T10:00:00.500Z');
const BODY = Buffer.from('{"amount":"15"}');
const MESSAGE = {
  method: 'POST',
  authority: 'api.pawapay.io',
  path: '/v2/payouts',
  contentType: 'application/json; charset=UTF-8',
  body: BODY,
};

function signerOf(
  algorithm: MessageSigner['algorithm'],
  changes: Partial<MessageSigner> = {},
): MessageSigner {
  const { privateKey } = PAIRS[algorithm];
  const keyId =
    privateKey === P256.privateKey ? 'P256' : privateKey === RSA.privateKey ? 'RSA' : 'P384';
  return { algorithm, keyId, privateKey, encoding: 'der', digest: 'sha-512', ...changes };
}

type Changes = Partial<
  typeof MESSAGE & {
    headers: Readonly<Record<string, string | undefined>>;
    encodings: readonly EcdsaEncoding[];
    now: Date;
  }
>;

function findFault(signer: MessageSigner, changes: Changes = {}): string | undefined {
  const { headers, encodings = ['der'], now = NOW, ...message } = changes;
  const signed = signMessage(signer, MESSAGE, NOW);
  return findSignatureFault(
    { keys: KEYS, encodings, now },
    { ...MESSAGE, ...message, headers: { ...signed, ...headers } },
  );
}

describe('a signature', () => {
  for (const algorithm of SIGNATURE_ALGORITHMS) {
    it(`of ${algorithm} is accepted, and not with another body, path, method, host or header`, () => {
      const signer = signerOf(algorithm);
      assert.equal(findFault(signer), undefined);
      assert.match(findFault(signer, { body: Buffer.from('{"amount":"16"}') }) ?? '', /Digest/);
      assert.match(findFault(signer, { path: '/v2/payouts/other' }) ?? '', /wrong/);
      assert.match(findFault(signer, { method: 'PUT' }) ?? '', /wrong/);
      assert.match(findFault(signer, { authority: 'api.sandbox.pawapay.io' }) ?? '', /wrong/);
      const otherType = { 'content-type': 'text/plain' };
      assert.match(findFault(signer, { headers: otherType }) ?? '', /wrong/);
      const otherDate = { 'signature-date': '2026-07-01T10:00:01Z' };
      assert.match(findFault(signer, { headers: otherDate }) ?? '', /wrong/);
    });
  }

  it('of raw r and s is accepted only where that is allowed', () => {
    for (const algorithm of ['ecdsa-p256-sha256', 'ecdsa-p384-sha384'] as const) {
      const signer = signerOf(algorithm, { encoding: 'raw' });
      assert.match(findFault(signer) ?? '', /wrong/);
      assert.equal(findFault(signer, { encodings: ['der', 'raw'] }), undefined);
    }
  });

  it('equals Node’s DER signature of the base text', () => {
    const digest = contentDigest('sha-256', BODY);
    const created = Math.floor(NOW.getTime() / 1_000);
    const parameters =
      '("@method" "@authority" "@path" "signature-date" "content-digest" "content-type" "content-length")' +
      `;alg="ecdsa-p256-sha256";keyid="P256";created=${created};expires=${created + 60}`;
    const base = [
      '"@method": POST',
      '"@authority": api.pawapay.io',
      '"@path": /v2/payouts',
      '"signature-date": 2026-07-01T10:00:00.123456Z',
      `"content-digest": ${digest}`,
      '"content-type": application/json; charset=UTF-8',
      `"content-length": ${BODY.length}`,
      `"@signature-params": ${parameters}`,
    ].join('\n');
    const signature = createSign('SHA256').update(base).sign(P256.privateKey, 'base64');
    const headers = {
      'content-digest': digest,
      'content-type': MESSAGE.contentType,
      'content-length': String(BODY.length),
      'signature-date': '2026-07-01T10:00:00.123456Z',
      'signature-input': `sig-pp=${parameters}`,
      signature: `sig-pp=:${signature}:`,
    };
    const deps = { keys: KEYS, encodings: ['der'], now: NOW } as const;
    assert.equal(findSignatureFault(deps, { ...MESSAGE, headers }), undefined);
  });

  it('is refused when it is missing, under another label, or unreadable', () => {
    const signer = signerOf('ecdsa-p256-sha256');
    const { signature = '', 'signature-input': input = '' } = signMessage(signer, MESSAGE, NOW);
    const relabel = (header: string) => header.replace('sig-pp', 'sig1');
    const cases: readonly (readonly [Record<string, string | undefined>, RegExp])[] = [
      [{ signature: undefined }, /No sig-pp/],
      [{ 'signature-input': undefined }, /No sig-pp/],
      [{ signature: relabel(signature), 'signature-input': relabel(input) }, /No sig-pp/],
      [{ signature: signature.replaceAll(':', '') }, /Signature could not be read/],
      [{ 'signature-input': 'sig-pp=nonsense' }, /Signature-Input could not be read/],
      [{ 'content-digest': undefined }, /Content-Digest/],
      [{ 'signature-date': 'yesterday' }, /Signature-Date/],
      [{ 'content-type': undefined }, /missing from the request/],
    ];
    for (const [headers, fault] of cases) assert.match(findFault(signer, { headers }) ?? '', fault);
  });

  it('is found among signatures with other labels', () => {
    const signer = signerOf('ecdsa-p256-sha256');
    const signed = signMessage(signer, MESSAGE, NOW);
    const headers = {
      signature: `other=:AAAA:, ${signed.signature}`,
      'signature-input': `other=("@method");keyid="a, b", ${signed['signature-input']}`,
    };
    assert.equal(findFault(signer, { headers }), undefined);
  });

  it('is refused when it has expired, is from the future, or has no dates', () => {
    const signer = signerOf('ecdsa-p256-sha256');
    const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
    assert.equal(findFault(signer, { now: later(59) }), undefined);
    assert.match(findFault(signer, { now: later(60) }) ?? '', /expired/);
    assert.equal(findFault(signer, { now: later(-59) }), undefined);
    assert.match(findFault(signer, { now: later(-62) }) ?? '', /future/);
    const { 'signature-input': input = '' } = signMessage(signer, MESSAGE, NOW);
    for (const dateless of [/;created=\d+/, /;expires=\d+/]) {
      const headers = { 'signature-input': input.replace(dateless, '') };
      assert.match(findFault(signer, { headers }) ?? '', /does not say when/);
    }
  });

  it('is refused when it does not cover a required component', () => {
    const created = Math.floor(NOW.getTime() / 1_000);
    const written =
      '("@method" "@authority" "@path" "signature-date" "content-type")' +
      `;alg="ecdsa-p256-sha256";keyid="P256";created=${created};expires=${created + 60}`;
    const headers = { 'signature-input': `sig-pp=${written}` };
    const fault = findFault(signerOf('ecdsa-p256-sha256'), { headers });
    assert.match(fault ?? '', /does not cover content-digest/);
  });

  it('is refused with an unknown key, another key, or a key of another algorithm', () => {
    const p256 = 'ecdsa-p256-sha256';
    assert.match(findFault(signerOf(p256, { keyId: 'UNKNOWN' })) ?? '', /not known/);
    assert.match(findFault(signerOf(p256, { privateKey: OTHER_KEY.privateKey })) ?? '', /wrong/);
    assert.match(findFault(signerOf(p256, { keyId: 'P384' })) ?? '', /not one for that/);
    assert.match(findFault(signerOf(p256, { keyId: 'RSA' })) ?? '', /not one for that/);
    const input = signMessage(signerOf(p256), MESSAGE, NOW)['signature-input'] ?? '';
    const headers = { 'signature-input': input.replace(p256, 'hmac-sha256') };
    assert.match(findFault(signerOf(p256), { headers }) ?? '', /algorithm .* not supported/);
  });

  it('of rsa-pss has a salt of 64 bytes', () => {
    const signer = signerOf('rsa-pss-sha512');
    const signed = signMessage(signer, MESSAGE, NOW);
    const base = [
      '"@method": POST',
      '"@authority": api.pawapay.io',
      '"@path": /v2/payouts',
      `"signature-date": ${signed['signature-date']}`,
      `"content-digest": ${signed['content-digest']}`,
      `"content-type": ${signed['content-type']}`,
      `"@signature-params": ${signed['signature-input']?.slice('sig-pp='.length)}`,
    ].join('\n');
    const padding = 6;
    const saltOf = (saltLength: number) => ({
      signature: `sig-pp=:${sign('sha512', Buffer.from(base), { key: RSA.privateKey, padding, saltLength }).toString('base64')}:`,
    });
    assert.equal(findFault(signer, { headers: saltOf(64) }), undefined);
    assert.match(findFault(signer, { headers: saltOf(32) }) ?? '', /wrong/);
  });
});
