import assert from 'node:assert/strict';
import { createHash, createSign, createVerify, generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  API_TOKEN,
  COMPLETED,
  connectorDeps,
  PAYOUT,
  PAYOUT_ID,
  pawapaySettings,
  type Scripted,
  startServer,
} from '../../../test/fakes/fake-pawapay.ts';
import type { FakeRequest } from '../../../test/fakes/fake-server.ts';
import { pollUntil } from '../../../test/poll.ts';
import type { RawCallback } from '../contract/connector.ts';
import { PAWAPAY } from './connector.ts';

const PAIR = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const OTHER_KEYS = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const KEYS = [{ id: 'HTTP_EC_P256_KEY:1', key: PAIR.publicKey }];
const URL_OF_OURS = 'https://payouts.example.com/callbacks/pawapay';

function plainCallback(data: object = COMPLETED): RawCallback {
  return {
    method: 'POST',
    path: '/callbacks/pawapay',
    headers: { host: '127.0.0.1:3000', 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(data)),
  };
}

function signedCallback(privateKey: string = PAIR.privateKey, keyId = KEYS[0]?.id): RawCallback {
  const plain = plainCallback();
  const digest = `sha-256=:${createHash('sha256').update(plain.body).digest('base64')}:`;
  const created = Date.UTC(2026, 6, 1, 10) / 1_000;
  const parameters =
    '("@method" "@authority" "@path" "content-digest");alg="ecdsa-p256-sha256"' +
    `;keyid="${keyId}";created=${created};expires=${created + 60}`;
  const base =
    '"@method": POST\n"@authority": payouts.example.com\n"@path": /callbacks/pawapay\n' +
    `"content-digest": ${digest}\n"@signature-params": ${parameters}`;
  const signature = createSign('SHA256').update(base).sign(privateKey, 'base64');
  return {
    ...plain,
    headers: {
      ...plain.headers,
      'content-digest': digest,
      'signature-input': `sig-pp=${parameters}`,
      signature: `sig-pp=:${signature}:`,
    },
  };
}

function open(settings: Parameters<typeof pawapaySettings>[1], baseUrl = 'http://127.0.0.1:9') {
  const filled = pawapaySettings(baseUrl, settings);
  assert.deepEqual(PAWAPAY.checkSettings?.(filled), []);
  const connector = PAWAPAY.create(filled, connectorDeps({ callbackUrl: URL_OF_OURS }));
  return (callback: RawCallback) => connector.readCallback?.(callback);
}

describe('a callback', () => {
  const reported = { amountMinor: 1_500n, currency: 'ZMW', phone: '+260763456789' };
  const READ = { kind: 'read', operatorReference: PAYOUT_ID, claims: 'paid', reported } as const;

  it('is read with a valid signature, and marked as verified', () => {
    for (const callbackSignatures of ['required', 'optional'] as const) {
      const read = open({ callbackSignatures, callbackKeys: KEYS });
      assert.deepEqual(read(signedCallback()), { ...READ, verified: true });
    }
  });

  it('counts as forged if a signature is required and missing, wrong or of another key', () => {
    const read = open({ callbackSignatures: 'required', callbackKeys: KEYS });
    assert.equal(read(plainCallback())?.kind, 'forged');
    assert.equal(read(signedCallback(OTHER_KEYS.privateKey))?.kind, 'forged');
    assert.equal(read(signedCallback(OTHER_KEYS.privateKey, 'MINE'))?.kind, 'forged');
    const signed = signedCallback();
    const changed = { ...signed, body: Buffer.from(signed.body.toString().replace('15.00', '99')) };
    assert.equal(read(changed)?.kind, 'forged');
  });

  it('may be unsigned if no signature is required, but a signature that is present must be valid', () => {
    const read = open({ callbackKeys: KEYS });
    assert.deepEqual(read(plainCallback()), { ...READ, verified: false });
    assert.equal(read(signedCallback(OTHER_KEYS.privateKey))?.kind, 'forged');
    assert.deepEqual(read(signedCallback(PAIR.privateKey, 'ANOTHER')), {
      ...READ,
      verified: false,
    });
  });

  it('claims what its status says', () => {
    const read = open({});
    const claims = (data: object) => {
      const reading = read(plainCallback(data));
      return reading?.kind === 'read' ? reading.claims : reading?.kind;
    };
    assert.equal(claims({ ...COMPLETED, status: 'FAILED' }), 'failed');
    assert.equal(claims({ ...COMPLETED, status: 'ENQUEUED' }), 'pending');
    assert.equal(claims({ ...COMPLETED, status: 'NEW' }), 'unknown');
    assert.equal(claims({ ...COMPLETED, payoutId: PAYOUT_ID.toUpperCase() }), 'paid');
    assert.equal(claims({ ...COMPLETED, payoutId: 'x' }), 'unreadable');
    assert.equal(claims([]), 'unreadable');
    const notJson = { ...plainCallback(), body: Buffer.from('<xml/>') };
    assert.equal(read(notJson)?.kind, 'unreadable');
  });
});

describe('a verified callback', () => {
  const connector = PAWAPAY.create(pawapaySettings('http://127.0.0.1:9'), connectorDeps());
  const read = (data: unknown) => {
    const body = Buffer.from(typeof data === 'string' ? data : JSON.stringify(data));
    return connector.readAnswer?.({ method: 'POST', body }, PAYOUT);
  };
  const failed = (failureCode: string) => ({
    ...COMPLETED,
    status: 'FAILED',
    failureReason: { failureCode },
  });

  it('means the same as a status with the same content', async () => {
    const contents: readonly object[] = [
      COMPLETED,
      failed('RECIPIENT_NOT_FOUND'),
      failed('PAWAPAY_WALLET_OUT_OF_FUNDS'),
      failed('INVALID_INPUT'),
      failed('NEW'),
      { ...COMPLETED, status: 'FAILED' },
      { ...COMPLETED, status: 'PROCESSING' },
      { ...COMPLETED, status: 'NEW' },
      { ...COMPLETED, payoutId: '6f1f5e1c-5d3f-4a05-9c57-7a8a2f5c1b11' },
      ...['payoutId', 'amount', 'currency', 'recipient', 'status'].flatMap((field) =>
        ['COMPLETED', 'FAILED'].flatMap((status) =>
          [null, 'other', 7].map((value) => ({
            ...failed('RECIPIENT_NOT_FOUND'),
            status,
            [field]: value,
          })),
        ),
      ),
    ];
    for (const content of contents) {
      const server = await startServer(() => ({
        status: 200,
        body: { status: 'FOUND', data: content },
      }));
      // The age of the payout is 0 in both.
      const asked = PAWAPAY.create(pawapaySettings(server.baseUrl), connectorDeps());
      const { outcome } = await asked.inquire(PAYOUT, { checks: 0 });
      assert.deepEqual(read(content)?.outcome, outcome, JSON.stringify(content));
      asked.close?.();
      await server.close();
    }
    assert.equal(read(COMPLETED)?.outcome.kind, 'paid');
    assert.equal(read(failed('RECIPIENT_NOT_FOUND'))?.outcome.kind, 'rejected');
  });

  it('ends nothing if it is not JSON, or has the content of a status around it', () => {
    for (const data of ['', 'COMPLETED', '[]', 'null', { status: 'FOUND', data: COMPLETED }]) {
      assert.equal(read(data)?.outcome.kind, 'unknown', JSON.stringify(data));
    }
  });

  it('is recorded without secrets', () => {
    const { wire } = read({ ...COMPLETED, customerMessage: API_TOKEN }) ?? assert.fail();
    assert.equal(wire?.request, 'POST callback');
    assert.equal(wire?.httpStatus, null);
    assert.match(wire?.answer ?? '', /"payoutId"/);
    assert.ok(!wire?.answer.includes(API_TOKEN));
  });
});

describe('the published keys', () => {
  const publish = (request: FakeRequest): Scripted =>
    request.path === '/v2/public-key/http'
      ? { status: 200, body: KEYS }
      : { status: 200, body: { payoutId: PAYOUT_ID, status: 'ACCEPTED' } };

  it('are fetched with the first payout, once, and then callbacks can be compared', async () => {
    const server = await startServer(publish);
    const settings = pawapaySettings(server.baseUrl, { callbackSignatures: 'required' });
    const connector = PAWAPAY.create(settings, connectorDeps({ callbackUrl: URL_OF_OURS }));
    await Promise.all(Array.from({ length: 50 }, () => connector.submit(PAYOUT)));
    const isVerified = () => {
      const reading = connector.readCallback?.(signedCallback());
      return reading?.kind === 'read' && reading.verified;
    };
    await pollUntil('the keys', isVerified);
    const asked = server.requests.filter(({ path }) => path === '/v2/public-key/http');
    assert.equal(asked.length, 1);
    assert.equal(asked[0]?.headers.authorization, `Bearer ${API_TOKEN}`);
    assert.equal(connector.readCallback?.(signedCallback(OTHER_KEYS.privateKey))?.kind, 'forged');
    connector.close?.();
    await server.close();
  });

  it('that are not known yet make a callback unreadable, and are fetched at most once a minute', () =>
    askForKeys(1));

  it('are fetched as often as the time scale of the route allows', () => askForKeys(0.5));

  async function askForKeys(timeScale: number): Promise<void> {
    let nowMs = 0;
    let answer: Scripted = { status: 503, body: '' };
    const server = await startServer(() => answer);
    const settings = pawapaySettings(server.baseUrl, { callbackSignatures: 'required' });
    const deps = connectorDeps({ callbackUrl: URL_OF_OURS, monotonicMs: () => nowMs, timeScale });
    const connector = PAWAPAY.create(settings, deps);
    const kind = () => connector.readCallback?.(signedCallback())?.kind;
    for (let count = 0; count < 20; count += 1) assert.equal(kind(), 'unreadable');
    await pollUntil('the first request', () => server.requests.length === 1);
    answer = { status: 200, body: [{ id: 'broken', key: 'x' }, 7, null, ...KEYS] };
    nowMs = 60_000 * timeScale - 1;
    assert.equal(kind(), 'unreadable');
    nowMs = 60_000 * timeScale;
    await pollUntil('the key', () => kind() === 'read');
    assert.equal(server.requests.length, 2);
    connector.close?.();
    await server.close();
  }
});

it('signs payouts, and nothing else, if there is a signing key', async () => {
  const server = await startServer(() => ({ status: 200, body: {} }));
  const settings = pawapaySettings(`${server.baseUrl}/proxy/`, {
    signingKeyId: 'MY_KEY',
    signingPrivateKey: PAIR.privateKey,
  });
  assert.deepEqual(PAWAPAY.checkSettings?.(settings), []);
  const connector = PAWAPAY.create(settings, connectorDeps());
  await connector.submit(PAYOUT);
  await connector.inquire(PAYOUT, { checks: 0 });
  const [payout, inquiry] = server.requests;
  assert.equal(payout?.path, '/proxy/v2/payouts');
  const headers = payout?.headers ?? {};
  const input = String(headers['signature-input']).replace('sig-pp=', '');
  const base = [
    '"@method": POST',
    `"@authority": ${headers.host}`,
    '"@path": /proxy/v2/payouts',
    `"signature-date": ${String(headers['signature-date'])}`,
    `"content-digest": sha-512=:${createHash('sha512')
      .update(payout?.body ?? '')
      .digest('base64')}:`,
    `"content-type": ${headers['content-type']}`,
    `"@signature-params": ${input}`,
  ].join('\n');
  const signature = String(headers.signature).slice('sig-pp=:'.length, -1);
  assert.ok(createVerify('SHA256').update(base).verify(PAIR.publicKey, signature, 'base64'));
  assert.equal(inquiry?.headers.signature, undefined);
  connector.close?.();
  await server.close();
});

it('names each setting that cannot work', () => {
  const check = (settings: Parameters<typeof pawapaySettings>[1]) =>
    PAWAPAY.checkSettings?.(pawapaySettings('https://api.pawapay.io', settings))?.join() ?? '';
  assert.equal(check({}), '');
  assert.match(check({ baseUrl: 'http://api.pawapay.io' }), /^baseUrl: /);
  assert.match(check({ signingKeyId: 'MY_KEY' }), /^signingPrivateKey: /);
  const { privateKey: signingPrivateKey } = PAIR;
  assert.match(check({ signingPrivateKey }), /^signingKeyId: /);
  assert.match(check({ signingKeyId: 'K', signingPrivateKey: 'x' }), /^signingPrivateKey: /);
  const signingAlgorithm = 'rsa-pss-sha512';
  const signing = { signingKeyId: 'K', signingPrivateKey, signingAlgorithm } as const;
  assert.match(check(signing), /^signingAlgorithm: /);
  assert.match(check({ callbackKeys: [{ id: 'K', key: 'x' }] }), /^callbackKeys: K/);
  assert.doesNotMatch(check({ signingKeyId: 'K', signingPrivateKey: 'hush' }), /hush/);
});
