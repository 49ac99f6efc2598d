import assert from 'node:assert/strict';
import { createPrivateKey, randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { createPawapayCredentials } from './credentials.ts';
import { type MessageSigner, signMessage } from './signatures/sign-message.ts';
import { SIGNATURE_ALGORITHMS } from './signatures/signature-algorithms.ts';
import { payoutBody, startTestMerchant, type TestMerchant } from './test-merchant.ts';

const CONTENT_TYPE = 'application/json; charset=UTF-8';

type Changes = Readonly<{
  signer?: Partial<MessageSigner>;
  authority?: string;
  now?: Date;
  /** Changes to the sent headers; the signature covers the original ones. */
  headers?: Readonly<Record<string, string | null>>;
  sentBody?: string;
  path?: string;
  signedPath?: string;
}>;

/** Posts a payout that is signed with the merchant's key, and returns the body of the answer as text. */
async function paySigned(
  { emulator, call }: TestMerchant,
  changes: Changes = {},
): Promise<Readonly<{ status: number; text: string }>> {
  const { requestKey } = emulator.credentials;
  const { path = '/v2/payouts', now = new Date() } = changes;
  const body = JSON.stringify(payoutBody());
  const signer: MessageSigner = {
    keyId: requestKey.keyId,
    algorithm: requestKey.algorithm,
    privateKey: createPrivateKey(requestKey.privateKeyPem),
    encoding: 'der',
    digest: 'sha-256',
    ...changes.signer,
  };
  const message = {
    method: 'POST',
    authority: changes.authority ?? new URL(emulator.url).host,
    path: changes.signedPath ?? path,
    contentType: CONTENT_TYPE,
    body: Buffer.from(body),
  };
  const headers = { ...signMessage(signer, message, now), ...changes.headers };
  const answer = await call('POST', path, changes.sentBody ?? body, headers);
  return { status: answer.status, text: JSON.stringify(answer.body) };
}

describe('an account that requires signed requests', () => {
  for (const requestAlgorithm of SIGNATURE_ALGORITHMS) {
    it(`accepts one that is signed with ${requestAlgorithm}`, async () => {
      const credentials = createPawapayCredentials({ requestAlgorithm });
      await using merchant = await startTestMerchant({ signedRequestsOnly: true, credentials });
      for (const digest of ['sha-256', 'sha-512'] as const) {
        const { status, text } = await paySigned(merchant, { signer: { digest } });
        assert.equal(status, 200, text);
        assert(text.includes('"ACCEPTED"'));
      }
    });
  }

  it('shows that in its configuration', async () => {
    await using merchant = await startTestMerchant({ signedRequestsOnly: true });
    const { body } = await merchant.call('GET', '/v2/active-conf');
    assert(JSON.stringify(body).includes('"signedRequestsOnly":true'));
  });

  it('refuses one that is not signed, or whose signature is wrong in any part', async () => {
    await using merchant = await startTestMerchant({ signedRequestsOnly: true });
    const otherKey = createPawapayCredentials().requestKey;
    const minutesAgo = new Date(Date.now() - 120_000);
    const inAnHour = new Date(Date.now() + 3_600_000);
    const cases: readonly (readonly [string, Changes])[] = [
      ['no signature', { headers: { signature: null, 'signature-input': null } }],
      ['no Signature', { headers: { signature: null } }],
      ['no Signature-Input', { headers: { 'signature-input': null } }],
      ['no Content-Digest', { headers: { 'content-digest': null } }],
      ['no Signature-Date', { headers: { 'signature-date': null } }],
      ['another body', { sentBody: JSON.stringify(payoutBody({ amount: '16' })) }],
      ['another type', { headers: { 'content-type': 'application/json' } }],
      ['another host', { authority: 'api.pawapay.io' }],
      ['another path', { signedPath: '/v2/payouts/other' }],
      ['another key', { signer: { privateKey: createPrivateKey(otherKey.privateKeyPem) } }],
      ['an unknown key', { signer: { keyId: 'MERCHANT_KEY:2' } }],
      ['raw r and s', { signer: { encoding: 'raw' } }],
      ['an old one', { now: minutesAgo }],
      ['one from the future', { now: inAnHour }],
    ];
    for (const [name, changes] of cases) {
      const { status, text } = await paySigned(merchant, changes);
      assert.equal(status, 403, name);
      assert(text.includes('"HTTP_SIGNATURE_ERROR"'), `${name}: ${text}`);
      assert(text.startsWith('{"status":"REJECTED"'), name);
    }
    assert.deepEqual(merchant.emulator.backend.book(), []);
    const { text } = await paySigned(merchant);
    assert(text.includes('"ACCEPTED"'));
  });

  it('checks the token before the signature', async () => {
    await using merchant = await startTestMerchant({ signedRequestsOnly: true });
    const { status } = await paySigned(merchant, { headers: { authorization: null } });
    assert.equal(status, 401);
  });

  it('does not require signatures for calls that move no money', async () => {
    await using merchant = await startTestMerchant({ signedRequestsOnly: true });
    const payoutId = randomUUID();
    assert.equal((await merchant.call('GET', `/v2/payouts/${payoutId}`)).status, 200);
    const resend = await merchant.call('POST', `/v2/payouts/resend-callback/${payoutId}`);
    assert.equal(resend.status, 200);
    const predict = { phoneNumber: '260763456789' };
    assert.equal((await merchant.call('POST', '/v2/predict-provider', predict)).status, 200);
  });

  it('can answer with 401, as in one version of the documentation', async () => {
    const options = { signedRequestsOnly: true, signatureErrorStatus: 401 } as const;
    await using merchant = await startTestMerchant(options);
    const { status, body } = await merchant.pay();
    assert.equal(status, 401);
    assert(JSON.stringify(body).includes('"HTTP_SIGNATURE_ERROR"'));
  });

  it('can accept raw r and s too', async () => {
    await using merchant = await startTestMerchant({
      signedRequestsOnly: true,
      requestEncodings: ['der', 'raw'],
    });
    for (const encoding of ['der', 'raw'] as const) {
      const { text } = await paySigned(merchant, { signer: { encoding } });
      assert(text.includes('"ACCEPTED"'));
    }
  });

  it('checks the signature against its public host when it is behind a proxy', async () => {
    await using merchant = await startTestMerchant({
      signedRequestsOnly: true,
      publicAuthority: 'api.sandbox.pawapay.io',
    });
    const authority = 'api.sandbox.pawapay.io';
    assert((await paySigned(merchant, { authority })).text.includes('"ACCEPTED"'));
    assert.equal((await paySigned(merchant)).status, 403);
  });
});

describe('an account that accepts unsigned requests', () => {
  it('does not check signatures', async () => {
    await using merchant = await startTestMerchant();
    const { text } = await paySigned(merchant, { headers: { signature: 'sig-pp=:AAAA:' } });
    assert(text.includes('"ACCEPTED"'));
  });
});
