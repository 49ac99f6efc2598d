import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { basicAuthorization, memberOf, requestToken } from './mtn-client.ts';
import { startForTest } from './mtn-test-emulator.ts';

describe('MTN: provisioning', () => {
  const REFERENCE = '0e1c1ca4-2e0f-4a0e-8a66-0a4ad5a6c1b2';

  it('creates a user, then a key, and both together give access', async () => {
    await using mtn = await startForTest({ targetEnvironment: 'sandbox' });
    const create = (body: unknown, reference: string | null = REFERENCE) =>
      mtn.client.call('POST', '/v1_0/apiuser', { headers: { 'x-reference-id': reference }, body });
    assert.equal((await create({ providerCallbackHost: 'x.example' }, 'no-uuid')).status, 400);
    assert.equal((await create({ providerCallbackHost: 'x.example' }, null)).status, 400);
    assert.equal((await create({})).status, 400);
    assert.equal((await create({ providerCallbackHost: 'https://x.example' })).status, 400);
    assert.equal((await create('{')).status, 400);
    const made = await create({ providerCallbackHost: 'x.example' });
    assert.deepEqual([made.status, made.text], [201, '']);
    const again = await create({ providerCallbackHost: 'x.example' });
    assert.equal(again.status, 409);
    assert.equal(memberOf(again.json, 'code'), 'RESOURCE_ALREADY_EXIST');

    const shown = await mtn.client.call('GET', `/v1_0/apiuser/${REFERENCE}`);
    assert.deepEqual(shown.json, {
      providerCallbackHost: 'x.example',
      targetEnvironment: 'sandbox',
    });
    const keyPath = `/v1_0/apiuser/${REFERENCE}/apikey`;
    assert.equal((await mtn.client.call('POST', keyPath, { body: '{}' })).status, 400);
    const first = await mtn.client.call('POST', keyPath);
    assert.equal(first.status, 201);
    const second = await mtn.client.call('POST', keyPath);
    const tokenWith = (key: unknown) => {
      const authorization = basicAuthorization(REFERENCE, String(memberOf(key, 'apiKey')));
      return requestToken(mtn.emulator, { headers: { authorization } });
    };
    assert.match(String(memberOf(first.json, 'apiKey')), /^[0-9a-f]{32}$/);
    assert.equal((await tokenWith(first.json)).status, 401);
    assert.equal((await tokenWith(second.json)).status, 200);
  });

  it('does not find another user, and requires the subscription key', async () => {
    await using mtn = await startForTest({ targetEnvironment: 'sandbox' });
    const path = `/v1_0/apiuser/${REFERENCE}`;
    assert.equal((await mtn.client.call('GET', path)).status, 404);
    assert.equal((await mtn.client.call('POST', `${path}/apikey`)).status, 404);
    const headers = { 'ocp-apim-subscription-key': 'x' };
    assert.equal((await mtn.client.call('GET', path, { headers })).status, 401);
  });

  it('gives no access to a user without a key', async () => {
    await using mtn = await startForTest({ targetEnvironment: 'sandbox' });
    const headers = { 'x-reference-id': REFERENCE };
    const body = { providerCallbackHost: 'x.example' };
    await mtn.client.call('POST', '/v1_0/apiuser', { headers, body });
    for (const key of ['', 'null']) {
      const authorization = basicAuthorization(REFERENCE, key);
      assert.equal((await requestToken(mtn.emulator, { headers: { authorization } })).status, 401);
    }
  });

  it('does not exist in production', async () => {
    await using mtn = await startForTest();
    const headers = { 'x-reference-id': REFERENCE };
    const body = { providerCallbackHost: 'x.example' };
    assert.equal((await mtn.client.call('POST', '/v1_0/apiuser', { headers, body })).status, 404);
  });
});
