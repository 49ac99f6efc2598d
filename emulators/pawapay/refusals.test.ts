import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { FINAL_CODES, INITIATION_CODES } from './failure-codes.ts';
import { DEFAULT_PROVIDERS } from './providers.ts';
import { payoutBody, recipientOf, startTestMerchant, type TestMerchant } from './test-merchant.ts';

/** Checks the shape of a refusal, which depends on the HTTP status, and returns its code. */
function codeOf(body: unknown, status: number): string {
  assert(typeof body === 'object' && body !== null && 'failureReason' in body);
  const { failureReason: reason, ...rest } = body;
  assert(typeof reason === 'object' && reason !== null);
  assert('failureCode' in reason && typeof reason.failureCode === 'string');
  assert('failureMessage' in reason && typeof reason.failureMessage === 'string');
  assert.equal('status' in rest && rest.status, status === 500 ? false : 'REJECTED');
  return reason.failureCode;
}

describe('a request that pawaPay refuses', () => {
  let merchant: TestMerchant;

  before(async () => {
    merchant = await startTestMerchant();
  });
  after(() => merchant[Symbol.asyncDispose]());

  const refuse = async (
    call: Readonly<{ path?: string; body: unknown; headers?: Record<string, string | null> }>,
    expected: Readonly<{ status: number; code: string }>,
  ): Promise<unknown> => {
    const { path = '/v2/payouts', body, headers = {} } = call;
    const answer = await merchant.call('POST', path, body, headers);
    const words = JSON.stringify({ body, answer });
    assert.equal(answer.status, expected.status, words);
    assert.equal(codeOf(answer.body, answer.status), expected.code, words);
    return answer.body;
  };

  it('has no token, an unknown one, or one that may not pay', async () => {
    const body = payoutBody();
    const noToken = { status: 401, code: 'NO_AUTHENTICATION' };
    await refuse({ body, headers: { authorization: null } }, noToken);
    await refuse({ body, headers: { authorization: 'Basic QTpC' } }, noToken);
    await refuse({ body, headers: { authorization: 'Bearer ' } }, noToken);
    const unknown = { status: 403, code: 'AUTHENTICATION_ERROR' };
    await refuse({ body, headers: { authorization: 'Bearer eyJ.eyJ.unknown' } }, unknown);
    const reader = { authorization: `Bearer ${merchant.emulator.credentials.readOnlyToken}` };
    const forbidden = { status: 403, code: 'AUTHORISATION_ERROR' };
    await refuse({ body, headers: reader }, forbidden);
    const cancelling = `/v2/payouts/fail-enqueued/${randomUUID()}`;
    await refuse({ path: cancelling, body: [body], headers: reader }, forbidden);
    const status = await merchant.call('GET', `/v2/payouts/${randomUUID()}`, undefined, reader);
    assert.deepEqual(status, { status: 200, body: { status: 'NOT_FOUND' } });
  });

  it('has no token, on any call of version 2', async () => {
    const gets = ['active-conf', 'availability', 'wallet-balances', 'public-key/http', 'nothing'];
    for (const path of gets) {
      const answer = await merchant.call('GET', `/v2/${path}`, undefined, { authorization: null });
      assert.equal(answer.status, 401, path);
      assert.equal(codeOf(answer.body, answer.status), 'NO_AUTHENTICATION');
    }
  });

  it('is not refused with the second token', async () => {
    const { secondApiToken } = merchant.emulator.credentials;
    const headers = { authorization: `Bearer ${secondApiToken}` };
    const answer = await merchant.call('POST', '/v2/payouts', payoutBody(), headers);
    assert.equal(answer.status, 200);
  });

  it('is not JSON', async () => {
    const invalid = { status: 400, code: 'INVALID_INPUT' };
    await refuse({ body: '' }, invalid);
    await refuse({ body: '{"payoutId":' }, invalid);
    await refuse({ body: '[]' }, invalid);
    await refuse({ body: '"text"' }, invalid);
    await refuse({ body: Buffer.from([0x7b, 0xff, 0x7d]) }, invalid);
    const headers = { 'content-type': 'text/plain' };
    await refuse({ body: JSON.stringify(payoutBody()), headers }, invalid);
  });

  it('lacks a parameter', async () => {
    const missing = { status: 400, code: 'MISSING_PARAMETER' };
    for (const name of ['payoutId', 'recipient', 'amount', 'currency']) {
      await refuse({ body: payoutBody({ [name]: undefined }) }, missing);
    }
    for (const name of ['phoneNumber', 'provider']) {
      const recipient = recipientOf({ [name]: undefined });
      await refuse({ body: payoutBody({ recipient }) }, missing);
    }
    await refuse({ body: payoutBody({ recipient: { type: 'MMO' } }) }, missing);
  });

  it('has a parameter that does not exist', async () => {
    const unsupported = { status: 400, code: 'UNSUPPORTED_PARAMETER' };
    await refuse({ body: payoutBody({ country: 'ZMB' }) }, unsupported);
    await refuse({ body: payoutBody({ recipient: recipientOf({ name: 'Grace' }) }) }, unsupported);
  });

  it('has a parameter in another form', async () => {
    const invalid = { status: 400, code: 'INVALID_PARAMETER' };
    const broken = [
      { payoutId: 'f4401bd2-1568-1140-bf2d-eb77d2b2b639' },
      { payoutId: 'INV-1' },
      { amount: 15 },
      { recipient: { ...recipientOf({}), type: 'MSISDN' } },
      { recipient: recipientOf({ phoneNumber: 260763456789 }) },
      { customerMessage: 'abc' },
      { customerMessage: 'a'.repeat(23) },
      { customerMessage: 'No. 7' },
      { metadata: { orderId: 'ORD-1' } },
      { metadata: Array.from({ length: 11 }, (_, index) => ({ [`f${index}`]: 'x' })) },
    ];
    for (const changes of broken) await refuse({ body: payoutBody(changes) }, invalid);
    const metadata = [{ orderId: '1' }, { orderId: '2' }];
    const twice = { status: 400, code: 'DUPLICATE_METADATA_FIELD' };
    await refuse({ body: payoutBody({ metadata }) }, twice);
  });

  it('queries an invalid id', async () => {
    for (const path of ['/v2/payouts/7', '/v2/payouts/']) {
      const answer = await merchant.call('GET', path);
      assert.equal(answer.status, 400, path);
      assert.equal(codeOf(answer.body, answer.status), 'INVALID_PARAMETER');
    }
    const invalid = { status: 400, code: 'INVALID_PARAMETER' };
    await refuse({ path: '/v2/payouts/resend-callback/7', body: undefined }, invalid);
    await refuse({ path: '/v2/payouts/fail-enqueued/7', body: undefined }, invalid);
  });

  it('cannot be paid, and is answered with HTTP 200 and its id', async () => {
    const cases: readonly (readonly [object, string])[] = [
      [{ amount: '5.' }, 'INVALID_AMOUNT'],
      [{ amount: '5.555' }, 'INVALID_AMOUNT'],
      [{ amount: '.5' }, 'INVALID_AMOUNT'],
      [{ amount: '-5.5' }, 'INVALID_AMOUNT'],
      [{ amount: '00.5' }, 'INVALID_AMOUNT'],
      [{ amount: '' }, 'INVALID_AMOUNT'],
      [{ amount: '1'.repeat(24) }, 'INVALID_AMOUNT'],
      [{ amount: '0.99' }, 'AMOUNT_OUT_OF_BOUNDS'],
      [{ amount: '0' }, 'AMOUNT_OUT_OF_BOUNDS'],
      [{ amount: '10000.01' }, 'AMOUNT_OUT_OF_BOUNDS'],
      [{ currency: 'NGN' }, 'INVALID_CURRENCY'],
      [{ currency: 'zmw' }, 'INVALID_CURRENCY'],
      [{ recipient: recipientOf({ provider: 'VODACOM_TZA' }) }, 'INVALID_PROVIDER'],
      [{ recipient: recipientOf({ provider: 'mtn' }) }, 'INVALID_PROVIDER'],
      [{ recipient: recipientOf({ phoneNumber: '2607634' }) }, 'INVALID_PHONE_NUMBER'],
      [{ recipient: recipientOf({ phoneNumber: '+260763456789' }) }, 'INVALID_PHONE_NUMBER'],
      [{ recipient: recipientOf({ phoneNumber: '0763456789' }) }, 'INVALID_PHONE_NUMBER'],
      [{ recipient: recipientOf({ phoneNumber: '2348134567899' }) }, 'INVALID_PHONE_NUMBER'],
      [{ recipient: recipientOf({ phoneNumber: '260211234567' }) }, 'INVALID_PHONE_NUMBER'],
      [{ recipient: recipientOf({ phoneNumber: '261763456789' }) }, 'INVALID_PHONE_NUMBER'],
    ];
    for (const [changes, code] of cases) {
      const body = payoutBody(changes);
      const answer = await refuse({ body }, { status: 200, code });
      assert(typeof answer === 'object' && answer !== null && 'payoutId' in answer);
      assert.equal(answer.payoutId, body.payoutId);
      assert.deepEqual(await merchant.statusOf(String(body.payoutId)), { status: 'NOT_FOUND' });
    }
  });

  it('does not use up its id', async () => {
    const payoutId = randomUUID();
    await refuse(
      { body: payoutBody({ payoutId, amount: '0' }) },
      {
        status: 200,
        code: 'AMOUNT_OUT_OF_BOUNDS',
      },
    );
    const { body } = await merchant.pay({ payoutId });
    assert(typeof body === 'object' && body !== null && 'status' in body);
    assert.equal(body.status, 'ACCEPTED');
  });

  it('is to a path or in a method that does not exist', async () => {
    assert.equal((await merchant.call('POST', '/payouts', payoutBody())).status, 404);
    assert.equal((await merchant.call('GET', '/v2/deposits')).status, 404);
    assert.equal((await merchant.call('PUT', '/v2/payouts', payoutBody())).status, 405);
    assert.equal((await merchant.call('DELETE', `/v2/payouts/${randomUUID()}`)).status, 405);
  });
});

describe('an account with another configuration', () => {
  it('may be without payouts', async () => {
    await using merchant = await startTestMerchant({ payoutsAllowed: false });
    const { status, body } = await merchant.pay();
    assert.equal(status, 403);
    assert.equal(codeOf(body, status), 'PAYOUTS_NOT_ALLOWED');
  });

  it('can get 401 for a wrong token, as in some versions of the documentation', async () => {
    await using merchant = await startTestMerchant({ authenticationErrorStatus: 401 });
    const headers = { authorization: 'Bearer eyJ.eyJ.unknown' };
    const { status, body } = await merchant.call('POST', '/v2/payouts', payoutBody(), headers);
    assert.equal(status, 401);
    assert.equal(codeOf(body, status), 'AUTHENTICATION_ERROR');
  });

  it('pays whole amounts where the provider accepts no decimals', async () => {
    const providers = DEFAULT_PROVIDERS.map((provider) => ({
      ...provider,
      decimalsInAmount: 'NONE' as const,
    }));
    await using merchant = await startTestMerchant({ providers });
    const refused = await merchant.pay({ amount: '15.50' });
    assert.equal(codeOf(refused.body, refused.status), 'INVALID_AMOUNT');
    const taken = await merchant.pay({ amount: '15' });
    assert(JSON.stringify(taken.body).includes('ACCEPTED'));
  });

  it('refuses more than its wallet holds after earlier payouts', async () => {
    await using merchant = await startTestMerchant({ floatMinor: 20_00n });
    assert(JSON.stringify((await merchant.pay({ amount: '15' })).body).includes('ACCEPTED'));
    const { status, body } = await merchant.pay({ amount: '5.01' });
    assert.equal(status, 200);
    assert.equal(codeOf(body, status), 'PAWAPAY_WALLET_OUT_OF_FUNDS');
    assert(JSON.stringify((await merchant.pay({ amount: '5' })).body).includes('ACCEPTED'));
    assert.equal(merchant.emulator.backend.book().length, 2);
  });
});

describe('every code of the documentation', () => {
  it('can refuse a payout on arrival, with its HTTP status', async () => {
    await using merchant = await startTestMerchant();
    for (const [code, status] of Object.entries(INITIATION_CODES)) {
      const behaviour = { execute: 'never', refusal: `REJECTED:${code}` } as const;
      merchant.emulator.chooser.setRules([{ match: {}, behaviour }]);
      const request = payoutBody();
      for (const answer of [await merchant.pay(request), await merchant.pay(request)]) {
        assert.equal(answer.status, status, code);
        assert.equal(codeOf(answer.body, answer.status), code);
        const namesPayout = JSON.stringify(answer.body).includes(String(request.payoutId));
        assert.equal(namesPayout, status === 200, code);
      }
      assert.deepEqual(await merchant.statusOf(String(request.payoutId)), { status: 'NOT_FOUND' });
    }
    assert.deepEqual(merchant.emulator.backend.book(), []);
  });

  it('can be the end of a payout that was accepted', async () => {
    await using merchant = await startTestMerchant({ processingMs: 0 });
    for (const code of FINAL_CODES) {
      const behaviour = { execute: 'never', refusal: code } as const;
      merchant.emulator.chooser.setRules([{ match: {}, behaviour }]);
      const request = payoutBody();
      assert(JSON.stringify((await merchant.pay(request)).body).includes('ACCEPTED'));
      const found = await merchant.statusOf(String(request.payoutId));
      assert(typeof found === 'object' && found !== null && 'data' in found);
      const { data } = found;
      assert(typeof data === 'object' && data !== null && 'status' in data);
      assert.equal(data.status, 'FAILED');
      assert('failureReason' in data && !('providerTransactionId' in data));
      assert(JSON.stringify(data.failureReason).includes(`"${code}"`));
    }
    assert.deepEqual(merchant.emulator.backend.book(), []);
  });
});
