import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { memberOf } from './mtn-client.ts';
import { codeOf, startForTest, transferAs } from './mtn-test-emulator.ts';

describe('MTN: account holders and balance', () => {
  const HOLDERS = '/disbursement/v1_0/accountholder';

  it('returns the name of a number', async () => {
    await using mtn = await startForTest();
    const seen = await mtn.client.call('GET', `${HOLDERS}/msisdn/260966123456/basicuserinfo`);
    const name = mtn.emulator.backend.accountName('260966123456');
    assert.equal(seen.status, 200);
    assert.equal(memberOf(seen.json, 'given_name'), name?.given);
    assert.equal(memberOf(seen.json, 'family_name'), name?.family);
    assert.equal(memberOf(seen.json, 'name'), `${name?.given} ${name?.family}`);
    const none = await mtn.client.call('GET', `${HOLDERS}/msisdn/260966123901/basicuserinfo`);
    assert.equal(none.status, 404);
    for (const wrong of [
      'msisdn/%2B260966123456',
      'MSISDN/260966123456',
      'email/a%40b.c',
      'msisdn/%zz',
    ]) {
      const { status } = await mtn.client.call('GET', `${HOLDERS}/${wrong}/basicuserinfo`);
      assert.equal(status, 400, wrong);
    }
  });

  it('says whether a holder is active', async () => {
    await using mtn = await startForTest();
    for (const holder of ['msisdn/260966123456', 'email/a%40b.c', 'party_code/x']) {
      const seen = await mtn.client.call('GET', `${HOLDERS}/${holder}/active`);
      assert.deepEqual([seen.status, seen.json], [200, { result: true }]);
    }
    const none = await mtn.client.call('GET', `${HOLDERS}/msisdn/260966123901/active`);
    assert.deepEqual([none.status, codeOf(none)], [404, 'RESOURCE_NOT_FOUND']);
    const shouted = await mtn.client.call('GET', `${HOLDERS}/MSISDN/260966123456/active`);
    assert.equal(shouted.status, 400);
  });

  it('decides by the number in the sandbox', async () => {
    await using mtn = await startForTest({ targetEnvironment: 'sandbox' });
    const expected = { 450: 404, 451: 200, 452: 500, 453: 500, 454: 500, 455: 503, 456: 200 };
    for (const [end, status] of Object.entries(expected)) {
      const seen = await mtn.client.call('GET', `${HOLDERS}/msisdn/46733123${end}/active`);
      assert.equal(seen.status, status, end);
      if (end === '451') assert.deepEqual(seen.json, { result: false });
    }
  });

  it('shows the remaining float', async () => {
    await using mtn = await startForTest({ floatMinor: 100_000n });
    const path = '/disbursement/v1_0/account/balance';
    await transferAs(mtn);
    const expected = { availableBalance: '849.50', currency: 'ZMW' };
    assert.deepEqual((await mtn.client.call('GET', path)).json, expected);
    assert.deepEqual((await mtn.client.call('GET', `${path}/ZMW`)).json, expected);
    assert.equal(codeOf(await mtn.client.call('GET', `${path}/NGN`)), 'INVALID_CURRENCY');
  });
});
