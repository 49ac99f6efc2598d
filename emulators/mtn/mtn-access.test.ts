import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { createConnection } from 'node:net';
import { describe, it } from 'node:test';
import { waitUntil } from '../kernel/wait-until.ts';
import { basicAuthorization, fetchAnswer, memberOf, requestToken } from './mtn-client.ts';
import { startForTest } from './mtn-test-emulator.ts';

const UNKNOWN_REFERENCE = 'd0f0c0de-0000-4000-8000-000000000000';
const STATUS_PATH = `/disbursement/v1_0/transfer/${UNKNOWN_REFERENCE}`;
/** The status for a caller with access: the backend does not find the reference. */
const ACCESS_GIVEN = 404;

describe('MTN: the token', () => {
  it('is issued to the API user, and gives access', async () => {
    await using mtn = await startForTest();
    const { status, json } = await requestToken(mtn.emulator);
    assert.equal(status, 200);
    assert.equal(memberOf(json, 'token_type'), 'access_token');
    assert.equal(memberOf(json, 'expires_in'), 3_600);
    assert.match(String(memberOf(json, 'access_token')), /^eyJ0eXAi/);
    assert.equal((await mtn.client.call('GET', STATUS_PATH)).status, ACCESS_GIVEN);
  });

  it('is refused with 411 without Content-Length', async () => {
    await using mtn = await startForTest();
    const { port, settings } = mtn.emulator;
    const { apiUser, apiKey, subscriptionKey } = settings.credentials;
    const socket = createConnection(port, '127.0.0.1');
    socket.write(
      [
        'POST /disbursement/token/ HTTP/1.1',
        'Host: localhost',
        `Authorization: ${basicAuthorization(apiUser, apiKey)}`,
        `Ocp-Apim-Subscription-Key: ${subscriptionKey}`,
        '\r\n',
      ].join('\r\n'),
    );
    const [answer]: unknown[] = await once(socket, 'data');
    socket.destroy();
    assert.match(String(answer), /^HTTP\/1\.1 411 /);
  });

  it('is also issued for an empty body with Content-Length', async () => {
    await using mtn = await startForTest();
    const { status, json } = await requestToken(mtn.emulator, { body: '' });
    assert.equal(status, 200);
    assert.equal(typeof memberOf(json, 'access_token'), 'string');
  });

  it('is not issued for a form, which gets an HTML page with status 200', async () => {
    await using mtn = await startForTest();
    const { status, contentType, text } = await requestToken(mtn.emulator, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials',
    });
    assert.equal(status, 200);
    assert.equal(contentType, 'text/html');
    assert.match(text, /Request Rejected/);
  });

  it('is refused for another body, another grant, and at another path', async () => {
    await using mtn = await startForTest();
    for (const body of ['{', '[]', '{}', { grant_type: 'password' }]) {
      assert.equal((await requestToken(mtn.emulator, { body })).status, 400);
    }
    const { subscriptionKey, apiUser, apiKey } = mtn.emulator.settings.credentials;
    const headers = {
      'ocp-apim-subscription-key': subscriptionKey,
      authorization: basicAuthorization(apiUser, apiKey),
    };
    const noSlash = `${mtn.emulator.url}/disbursement/token`;
    assert.equal((await fetchAnswer(noSlash, 'POST', { headers, body: '{}' })).status, 404);
  });

  it('is refused with 401 for a wrong user, key or scheme', async () => {
    await using mtn = await startForTest();
    const { apiUser, apiKey } = mtn.emulator.settings.credentials;
    const wrong = [
      null,
      'Basic',
      'Basic !!!',
      `Bearer ${apiKey}`,
      basicAuthorization(apiUser, 'x'),
      basicAuthorization('x', apiKey),
      basicAuthorization(apiUser, ''),
      `Basic ${Buffer.from(apiUser).toString('base64')}`,
    ];
    for (const authorization of wrong) {
      const { status } = await requestToken(mtn.emulator, { headers: { authorization } });
      assert.equal(status, 401, String(authorization));
    }
  });

  it('expires', async () => {
    await using mtn = await startForTest({ tokenLifetimeS: 0.05 });
    await waitUntil('the token has expired', async () => {
      const { status } = await mtn.client.call('GET', STATUS_PATH);
      return status === 401;
    });
  });
});

describe('MTN: access control', () => {
  it('requires one of two subscription keys on every call', async () => {
    await using mtn = await startForTest();
    const { secondarySubscriptionKey } = mtn.emulator.settings.credentials;
    for (const key of [null, '', 'x']) {
      const headers = { 'ocp-apim-subscription-key': key };
      const status = await mtn.client.call('GET', STATUS_PATH, { headers });
      assert.equal(status.status, 401);
      assert.equal(memberOf(status.json, 'statusCode'), 401);
      assert.match(String(memberOf(status.json, 'message')), /invalid subscription key/);
      assert.equal((await requestToken(mtn.emulator, { headers })).status, 401);
    }
    const headers = { 'ocp-apim-subscription-key': secondarySubscriptionKey };
    assert.equal((await mtn.client.call('GET', STATUS_PATH, { headers })).status, ACCESS_GIVEN);
  });

  it('requires a Bearer token that it issued', async () => {
    await using mtn = await startForTest();
    for (const authorization of [null, 'Bearer x', mtn.client.token, `Basic ${mtn.client.token}`]) {
      const { status } = await mtn.client.call('GET', STATUS_PATH, { headers: { authorization } });
      assert.equal(status, 401);
    }
  });

  it('requires the target environment of the account', async () => {
    await using mtn = await startForTest();
    const wrong = await mtn.client.transfer({}, { headers: { 'x-target-environment': 'sandbox' } });
    assert.equal(wrong.status, 500);
    assert.equal(memberOf(wrong.json, 'code'), 'NOT_ALLOWED_TARGET_ENVIRONMENT');
    const none = await mtn.client.transfer({}, { headers: { 'x-target-environment': null } });
    assert.equal(none.status, 400);
    assert.deepEqual(mtn.emulator.backend.book(), []);
  });

  it('allows only listed addresses', async () => {
    await using mtn = await startForTest({ addressesAllowed: ['127.0.0.1'] });
    assert.equal((await mtn.client.call('GET', STATUS_PATH)).status, ACCESS_GIVEN);
    await using elsewhere = await startForTest({ addressesAllowed: ['192.0.2.1'] });
    for (const seen of [
      await requestToken(elsewhere.emulator),
      await elsewhere.client.transfer(),
    ]) {
      assert.equal(seen.status, 403);
      assert.equal(memberOf(seen.json, 'code'), 'FORBIDDEN IP');
    }
  });

  it('limits status calls per second', async () => {
    await using mtn = await startForTest();
    const seen = await Promise.all(
      Array.from({ length: 40 }, () => mtn.client.call('GET', STATUS_PATH)),
    );
    const allowed = seen.filter(({ status }) => status === ACCESS_GIVEN).length;
    const tooMany = seen.filter(({ status }) => status === 429).length;
    assert.ok(
      allowed >= 10 && tooMany > 0 && allowed + tooMany === 40,
      `${allowed} and ${tooMany}`,
    );
    await waitUntil('a second has passed', async () => {
      return (await mtn.client.call('GET', STATUS_PATH)).status === ACCESS_GIVEN;
    });
  });

  it('accepts ten status calls a second by default, and counts those above', async () => {
    await using mtn = await startForTest();
    for (let call = 0; call < 12; call += 1) await mtn.client.call('GET', STATUS_PATH);
    const { inquiry, submission } = mtn.emulator.counts();
    assert.equal(inquiry.perSecondMax, 10);
    assert.equal(inquiry.calls, 12);
    assert.ok(inquiry.refused <= 2);
    assert.equal(submission.calls, 0);
  });

  it('refuses a body on calls that have none', async () => {
    await using mtn = await startForTest();
    const { settings, port } = mtn.emulator;
    const call = request({
      port,
      path: STATUS_PATH,
      method: 'GET',
      headers: {
        authorization: `Bearer ${mtn.client.token}`,
        'ocp-apim-subscription-key': settings.credentials.subscriptionKey,
        'x-target-environment': settings.targetEnvironment,
        'content-length': 2,
      },
    });
    call.end('{}');
    const [answer]: IncomingMessage[] = await once(call, 'response');
    answer?.resume();
    assert.equal(answer?.statusCode, 400);
  });

  it('does not count other calls towards that limit', async () => {
    await using mtn = await startForTest({ statusCallsPerSecondMax: 1 });
    for (let call = 0; call < 5; call += 1) {
      const { status } = await mtn.client.call('GET', '/disbursement/v1_0/account/balance');
      assert.equal(status, 200);
      assert.equal((await mtn.client.transfer()).status, 202);
    }
  });

  it('has no other paths and methods', async () => {
    await using mtn = await startForTest();
    for (const [method, path] of [
      ['GET', '/disbursement/v1_0/transfer'],
      ['PUT', '/disbursement/v1_0/transfer'],
      ['POST', '/disbursement/v2_0/transfer'],
      ['POST', '/collection/v1_0/requesttopay'],
      ['GET', '/'],
    ] as const) {
      assert.equal((await mtn.client.call(method, path)).status, 404);
    }
  });
});
