import assert from 'node:assert/strict';
import { createHash, createSign, type KeyObject } from 'node:crypto';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import {
  extras,
  HASHES,
  OTHER_P256,
  P256,
  PAIRS,
} from '../../../test/fakes/pawapay-signature-keys.ts';
import type { RawCallback } from '../contract/connector.ts';
import { SIGNATURE_ALGORITHMS, type SignatureAlgorithm } from './http-signature.ts';
import { verifyCallback } from './verify-callback.ts';

const NOW = new Date('2026-07-01T10:00:30.500Z');
const CREATED = Date.UTC(2026, 6, 1, 10, 0, 30) / 1_000;
const BODY = '{"payoutId":"f4401bd2-1568-4140-bf2d-eb77d2b2b639","status":"COMPLETED"}';

const COVERED = [
  '@method',
  '@authority',
  '@path',
  'signature-date',
  'content-digest',
  'content-type',
];

type Forgery = Readonly<{
  algorithm?: SignatureAlgorithm;
  form?: 'der' | 'ieee-p1363';
  key?: KeyObject;
  covered?: readonly string[];
  times?: string;
  keyId?: string;
  digest?: string;
  /** Applied after signing. */
  change?: Partial<RawCallback>;
  headers?: Record<string, string>;
}>;

/** A callback as pawaPay signs it, written from the documentation. */
function signedCallback(forgery: Forgery = {}): RawCallback {
  const algorithm = forgery.algorithm ?? 'ecdsa-p256-sha256';
  const covered = forgery.covered ?? COVERED;
  const digest =
    forgery.digest ?? `sha-512=:${createHash('sha512').update(BODY).digest('base64')}:`;
  const values: Record<string, string> = {
    '@method': 'POST',
    '@authority': 'payouts.example.com',
    '@path': '/callbacks/pawapay',
    'signature-date': '2026-07-01T10:00:30.123456Z',
    'content-digest': digest,
    'content-type': 'application/json; charset=UTF-8',
    'content-length': String(BODY.length),
  };
  const parameters =
    `(${covered.map((name) => `"${name}"`).join(' ')});alg="${algorithm}"` +
    `;keyid="${forgery.keyId ?? 'HTTP_KEY:1'}"` +
    (forgery.times ?? `;created=${CREATED};expires=${CREATED + 60}`);
  const base =
    covered.map((name) => `"${name}": ${values[name]}\n`).join('') +
    `"@signature-params": ${parameters}`;
  const key = forgery.key ?? PAIRS[algorithm].privateKey;
  const signature = createSign(HASHES[algorithm])
    .update(base)
    .sign({ key, ...extras(algorithm, forgery.form ?? 'der') }, 'base64');
  return {
    method: 'POST',
    path: '/callbacks/pawapay?from=pawapay',
    headers: {
      host: 'payouts.example.com',
      'content-type': 'application/json; charset=UTF-8',
      'content-length': String(BODY.length),
      'content-digest': digest,
      'signature-date': '2026-07-01T10:00:30.123456Z',
      'signature-input': `sig-pp=${parameters}`,
      signature: `sig-pp=:${signature}:`,
      ...forgery.headers,
    },
    body: Buffer.from(BODY),
    ...forgery.change,
  };
}

function judge(forgery: Forgery = {}, known: Readonly<{ now?: Date; authority?: string }> = {}) {
  const algorithm = forgery.algorithm ?? 'ecdsa-p256-sha256';
  return verifyCallback(signedCallback(forgery), {
    keyOf: (keyId) => (keyId === 'HTTP_KEY:1' ? PAIRS[algorithm].publicKey : undefined),
    authority: known.authority ?? null,
    now: known.now ?? NOW,
  });
}

/** A member after ours, spaces, and unused bits of base64 do not change the meaning. */
function meansTheSame(name: string, value: string, changed: string): boolean {
  const bytes = (text: string) => Buffer.from(text.replace('sig-pp=:', ''), 'base64');
  if (name === 'signature' && bytes(changed).equals(bytes(value))) return true;
  const rest = changed.slice(value.length);
  return changed.trim() === value || (changed.startsWith(value) && /^[ \t]*,/.test(rest));
}

describe('a signed callback', () => {
  for (const algorithm of SIGNATURE_ALGORITHMS) {
    it(`is valid under ${algorithm}`, () => {
      assert.deepEqual(judge({ algorithm }), { kind: 'holds' });
      const otherKey = algorithm === 'ecdsa-p256-sha256' ? OTHER_P256.privateKey : undefined;
      if (otherKey !== undefined) {
        assert.equal(judge({ algorithm, key: otherKey }).kind, 'wrong');
      }
    });
  }

  it('is valid with ECDSA as two bare numbers, as RFC 9421 requires', () => {
    for (const algorithm of ['ecdsa-p256-sha256', 'ecdsa-p384-sha384'] as const) {
      assert.deepEqual(judge({ algorithm, form: 'ieee-p1363' }), { kind: 'holds' });
    }
  });

  it('is valid with either digest, and with a covered length', () => {
    const sha256 = createHash('sha256').update(BODY).digest('base64');
    const sha512 = createHash('sha512').update(BODY).digest('base64');
    assert.equal(judge({ digest: `sha-256=:${sha256}:` }).kind, 'holds');
    const both = `sha-256=:${sha256}:, sha-512=:${sha512}:`;
    assert.equal(judge({ digest: both }).kind, 'holds');
    const covered = ['@method', '@authority', '@path', 'content-digest', 'content-length'];
    assert.equal(judge({ covered }).kind, 'holds');
  });

  it('is wrong if body, digest, method, path or host differ from what was signed', () => {
    const causes: readonly (readonly [RegExp, Forgery])[] = [
      [/content-digest/, { change: { body: Buffer.from(BODY.replace('COMPLETED', 'FAILED')) } }],
      [/content-digest/, { digest: `sha-512=:${'A'.repeat(86)}==:` }],
      [/content-digest/, { digest: 'md5=:AAAA:' }],
      [/content-digest/, { digest: '' }],
      [/does not hold/, { change: { method: 'PUT' } }],
      [/does not hold/, { change: { path: '/callbacks/other' } }],
      [/does not hold/, { headers: { host: 'other.example.com' } }],
      [/does not hold/, { headers: { 'content-type': 'text/plain' } }],
      [/does not hold/, { key: OTHER_P256.privateKey }],
    ];
    for (const [cause, forgery] of causes) {
      const verdict = judge(forgery);
      assert.equal(verdict.kind, 'wrong');
      assert.match(verdict.kind === 'wrong' ? verdict.cause : '', cause);
    }
    const sha256 = createHash('sha256').update(BODY).digest('base64');
    const halfWrong = `sha-256=:${sha256}:, sha-512=:AAAA:`;
    assert.equal(judge({ digest: halfWrong }).kind, 'wrong');
  });

  it('is compared with the host that pawaPay calls, not with the Host of a proxy', () => {
    const behindProxy = { headers: { host: '10.0.0.7:3000' } };
    assert.equal(judge(behindProxy).kind, 'wrong');
    assert.equal(judge(behindProxy, { authority: 'payouts.example.com' }).kind, 'holds');
    assert.equal(judge({}, { authority: 'other.example.com' }).kind, 'wrong');
  });

  it('is wrong if it does not cover the body or the URL', () => {
    const all = ['@method', '@authority', '@path', 'content-digest'];
    for (const left of all) {
      const verdict = judge({ covered: all.filter((name) => name !== left) });
      assert.deepEqual(verdict, {
        kind: 'wrong',
        cause: `the signature does not cover ${left}`,
      });
    }
    const twice = [...all, '@method'];
    assert.equal(judge({ covered: twice }).kind, 'wrong');
    assert.equal(judge({ covered: [...all, '@status'] }).kind, 'wrong');
    assert.equal(judge({ covered: [...all, 'x-absent'] }).kind, 'wrong');
  });

  it('is valid from creation to expiry, with a minute of clock skew', () => {
    const at = (seconds: number) => new Date((CREATED + seconds) * 1_000);
    const kinds = [-61, -60, 0, 60, 120, 121].map(
      (seconds) => judge({}, { now: at(seconds) }).kind,
    );
    assert.deepEqual(kinds, ['wrong', 'holds', 'holds', 'holds', 'holds', 'wrong']);
    const noEnd = { times: `;created=${CREATED}` };
    assert.equal(judge(noEnd, { now: at(960) }).kind, 'holds');
    assert.equal(judge(noEnd, { now: at(961) }).kind, 'wrong');
    assert.equal(judge({ times: `;expires=${CREATED + 60}` }).kind, 'wrong');
  });

  it('is reported as missing, of an unknown key, or unreadable', () => {
    const { signature, 'signature-input': input, ...bare } = signedCallback().headers;
    assert.equal(judge({ change: { headers: bare } }).kind, 'missing');
    assert.equal(
      judge({ change: { headers: { ...bare, signature: signature ?? '' } } }).kind,
      'wrong',
    );
    const inputOnly = { ...bare, 'signature-input': input ?? '' };
    assert.equal(judge({ change: { headers: inputOnly } }).kind, 'wrong');
    assert.deepEqual(judge({ keyId: 'HTTP_KEY:2' }), { kind: 'unknownKey' });
  });

  it('is found among others by its label', () => {
    const { headers } = signedCallback();
    const among = {
      'signature-input': `proxy=("@path");keyid="a,b", ${headers['signature-input']}`,
      signature: `proxy=:AAAA:, ${headers.signature}`,
    };
    const callback = { ...signedCallback(), headers: { ...headers, ...among } };
    const known = { keyOf: () => P256.publicKey, authority: null, now: NOW };
    assert.equal(verifyCallback(callback, known).kind, 'holds');
    const renamed = {
      'signature-input': headers['signature-input']?.replace('sig-pp', 'sig1') ?? '',
      signature: headers.signature?.replace('sig-pp', 'sig1') ?? '',
    };
    const other = { ...callback, headers: { ...headers, ...renamed } };
    assert.equal(verifyCallback(other, known).kind, 'wrong');
  });

  it('is never valid after any change of a header, and never throws', () => {
    const names = ['signature-input', 'signature', 'content-digest', 'signature-date'];
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.nat(), fc.string(), (name, place, text) => {
        const callback = signedCallback();
        const value = callback.headers[name] ?? '';
        const at = place % (value.length + 1);
        const changed = value.slice(0, at) + text + value.slice(at + text.length);
        const headers = { ...callback.headers, [name]: changed };
        const known = { keyOf: () => P256.publicKey, authority: null, now: NOW };
        const { kind } = verifyCallback({ ...callback, headers }, known);
        if (!meansTheSame(name, value, changed)) assert.notEqual(kind, 'holds', changed);
      }),
    );
  });
});
