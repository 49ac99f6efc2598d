import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  at,
  call,
  enquireAbout,
  getKey,
  headersFor,
  idOf,
  orderFor,
  PAY_PATHS,
  pay,
  type Reply,
  seal,
} from './airtel-caller.ts';
import { startAirtelForTest, type TestAirtel } from './start-for-test.ts';
import { PADDINGS } from './unseal.ts';

function requestToken(emulator: TestAirtel, body: string): Promise<Reply> {
  const headers = { 'content-type': 'application/json' };
  return call(emulator, { method: 'POST', path: '/auth/oauth2/token', headers, body });
}

function requestBalance(
  emulator: TestAirtel,
  headers: Record<string, string | null>,
): Promise<Reply> {
  return call(emulator, { path: '/standard/v1/users/balance', headers });
}

describe('a token', () => {
  let nowMs = Date.parse('2026-07-01T10:00:00Z');
  let emulator: TestAirtel;
  before(async () => {
    emulator = await startAirtelForTest({ now: () => nowMs });
  });
  after(() => emulator[Symbol.asyncDispose]());

  it('lives for 180 seconds, reported as a string', async () => {
    const { clientId, clientSecret } = emulator.credentials;
    const fields = { client_id: clientId, client_secret: clientSecret };
    const reply = await requestToken(
      emulator,
      JSON.stringify({ ...fields, grant_type: 'client_credentials' }),
    );
    assert.equal(reply.status, 200);
    assert.equal(at(reply, 'expires_in'), '180');
    assert.equal(at(reply, 'token_type'), 'bearer');
    assert.match(String(at(reply, 'access_token')), /^[0-9a-f]{32}$/);

    const headers = await headersFor(emulator);
    nowMs += 179_999;
    assert.equal((await requestBalance(emulator, headers)).status, 200);
    nowMs += 1;
    const late = await requestBalance(emulator, headers);
    assert.equal(late.status, 401);
    assert.equal(at(late, 'error'), 'invalid_token');
    assert.equal(at(late, 'status_code'), '401');
  });

  it('is refused for wrong credentials and for malformed requests', async () => {
    const { clientId, clientSecret } = emulator.credentials;
    const right = {
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: 'client_credentials',
    };
    const cases: readonly (readonly [string, number, string])[] = [
      [JSON.stringify({ ...right, client_secret: 'x' }), 401, 'invalid_client'],
      [JSON.stringify({ ...right, client_id: 'x' }), 401, 'invalid_client'],
      [JSON.stringify({ ...right, grant_type: 'password' }), 400, 'unsupported_grant_type'],
      [JSON.stringify({ ...right, client_id: undefined }), 400, 'invalid_request'],
      [JSON.stringify({ ...right, grant_type: undefined }), 400, 'invalid_request'],
      ['grant_type=client_credentials', 400, 'invalid_request'],
      ['', 400, 'invalid_request'],
    ];
    for (const [body, status, error] of cases) {
      const reply = await requestToken(emulator, body);
      assert.equal(reply.status, status, body);
      assert.equal(at(reply, 'error'), error, body);
    }
  });

  it('is needed for every business call', async () => {
    const headers = await headersFor(emulator);
    const calls = [
      ['GET', '/v1/rsa/encryption-keys'],
      ['GET', '/standard/v1/users/977123456'],
      ['GET', '/standard/v2/users/977123456'],
      ['GET', '/standard/v1/users/balance'],
      ['GET', '/standard/v3/disbursements/PO1'],
      ['POST', PAY_PATHS.v1],
      ['POST', PAY_PATHS.v2],
      ['POST', PAY_PATHS.v3],
    ] as const;
    for (const [method, path] of calls) {
      for (const authorization of [null, 'Bearer nonsense', headers['authorization']?.slice(7)]) {
        const body = method === 'POST' ? { body: '{}' } : {};
        const spoiled = { ...headers, authorization: authorization ?? null };
        const reply = await call(emulator, { method, path, headers: spoiled, ...body });
        assert.equal(reply.status, 401, `${method} ${path} ${authorization}`);
      }
    }
  });

  it('can report its lifetime as a number', async () => {
    await using other = await startAirtelForTest({
      settings: { expiresInAs: 'number', tokenLifetimeSeconds: 60 },
      credentials: { clientId: 'me', clientSecret: 'mine' },
    });
    const fields = { client_id: 'me', client_secret: 'mine', grant_type: 'client_credentials' };
    const reply = await requestToken(other, JSON.stringify(fields));
    assert.equal(at(reply, 'expires_in'), 60);
  });
});

describe('country and currency', () => {
  let emulator: TestAirtel;
  before(async () => {
    emulator = await startAirtelForTest({
      settings: {
        countries: ['ZM'],
        products: { disbursement: true, userEnquiry: false, balance: true },
      },
    });
  });
  after(() => emulator[Symbol.asyncDispose]());

  const cases: readonly (readonly [string, Record<string, string | null>, string, string])[] = [
    ['no country', { 'x-country': null }, 'ROUTER003', 'ESB000008'],
    ['a country that does not exist', { 'x-country': 'Zambia' }, 'ROUTER006', 'ESB000034'],
    ['a country without a route', { 'x-country': 'TD' }, 'ROUTER005', 'ESB000039'],
    [
      'a country that is not allowed',
      { 'x-country': 'NG', 'x-currency': 'NGN' },
      'ROUTER007',
      'ESB000039',
    ],
    ['no currency', { 'x-currency': null }, 'ROUTER119', 'ESB000035'],
    ['the currency of another country', { 'x-currency': 'NGN' }, 'ROUTER112', 'ESB000035'],
  ];
  for (const [what, spoiled, code, resultCode] of cases) {
    it(`${what} is refused with ${code}`, async () => {
      const reply = await requestBalance(emulator, { ...(await headersFor(emulator)), ...spoiled });
      assert.equal(reply.status, 400);
      assert.equal(at(reply, 'status.response_code'), code);
      assert.equal(at(reply, 'status.result_code'), resultCode);
      assert.equal(at(reply, 'status.code'), '400');
      assert.equal(at(reply, 'status.success'), false);
    });
  }

  it('a product that is not enabled is forbidden', async () => {
    const headers = await headersFor(emulator);
    const reply = await call(emulator, { path: '/standard/v1/users/977123456', headers });
    assert.equal(reply.status, 403);
  });

  it('router errors have the gateway’s shape where that is configured', async () => {
    await using other = await startAirtelForTest({ settings: { routerErrorsAs: 'gateway' } });
    const reply = await requestBalance(other, { ...(await headersFor(other)), 'x-country': null });
    assert.equal(reply.status, 400);
    assert.equal(at(reply, 'status_code'), 'ROUTER003');
    assert.equal(at(reply, 'status'), undefined);
  });
});

describe('the encryption key', () => {
  it('is a 2048-bit key that decrypts what was encrypted for it, until it is rotated', async () => {
    await using emulator = await startAirtelForTest();
    const headers = await headersFor(emulator);
    const reply = await call(emulator, { path: '/v1/rsa/encryption-keys', headers });
    assert.equal(reply.status, 200);
    assert.equal(at(reply, 'status.response_code'), 'DP02010001001');
    assert.match(String(at(reply, 'data.valid_upto')), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    assert.doesNotMatch(String(at(reply, 'data.key')), /-----|\n/);
    const key = await getKey(emulator);
    assert.equal(key.asymmetricKeyDetails?.modulusLength, 2048);

    const order = await orderFor(emulator, 'v3');
    await emulator.rotateKey();
    const again = await call(emulator, { path: '/v1/rsa/encryption-keys', headers });
    assert.notEqual(at(again, 'data.key_id'), at(reply, 'data.key_id'));
    assert.equal(at(await pay(emulator, order), 'status.response_code'), 'ROUTER116');
  });

  it('can be unavailable', async () => {
    await using emulator = await startAirtelForTest();
    emulator.setAnswer('keys', 'DP02010001000');
    const headers = await headersFor(emulator);
    const reply = await call(emulator, { path: '/v1/rsa/encryption-keys', headers });
    assert.equal(at(reply, 'status.response_code'), 'DP02010001000');
    assert.equal(at(reply, 'status.success'), false);
    assert.equal(at(reply, 'data'), undefined);
  });
});

describe('the PIN', () => {
  let emulator: TestAirtel;
  before(async () => {
    emulator = await startAirtelForTest();
  });
  after(() => emulator[Symbol.asyncDispose]());

  for (const padding of PADDINGS) {
    it(`is read when it is padded as ${padding}, and the journal records the padding`, async () => {
      const order = await orderFor(emulator, 'v3', { padding });
      const reply = await pay(emulator, order);
      assert.equal(at(reply, 'data.transaction.status'), 'TS');
      assert.equal(emulator.backend.find(idOf(order))?.extra['pinPadding'], padding);
    });
  }

  it('is refused when it is wrong, unreadable or missing, and nothing is stored', async () => {
    const key = await getKey(emulator);
    const cases = [
      [seal(key, '9999', 'oaep-sha1'), 'ROUTER115'],
      [seal(key, '', 'oaep-sha1'), 'ROUTER115'],
      ['4321', 'ROUTER116'],
      [Buffer.alloc(256, 1).toString('base64'), 'ROUTER116'],
      [undefined, 'ROUTER003'],
    ] as const;
    for (const [pin, code] of cases) {
      const order = await orderFor(emulator, 'v3', { order: { pin } });
      const reply = await pay(emulator, order);
      assert.equal(reply.status, 400, code);
      assert.equal(at(reply, 'status.response_code'), code);
      const enquired = await enquireAbout(emulator, idOf(order));
      assert.equal(at(enquired, 'status.response_code'), 'DP00900001015');
      const repaired = await orderFor(emulator, 'v3', { transaction: { id: idOf(order) } });
      assert.equal(at(await pay(emulator, repaired), 'data.transaction.status'), 'TS');
    }
  });

  it('is refused under a padding that is not configured', async () => {
    await using strict = await startAirtelForTest({ settings: { paddings: ['pkcs1'] } });
    const wrong = await pay(strict, await orderFor(strict, 'v3', { padding: 'oaep-sha1' }));
    assert.equal(at(wrong, 'status.response_code'), 'ROUTER116');
    const right = await pay(strict, await orderFor(strict, 'v3', { padding: 'pkcs1' }));
    assert.equal(at(right, 'data.transaction.status'), 'TS');
  });
});
