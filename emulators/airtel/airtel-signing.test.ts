import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { at, getKey, idOf, orderFor, pay, sign } from './airtel-caller.ts';
import { startAirtelForTest, type TestAirtel } from './start-for-test.ts';
import { PADDINGS } from './unseal.ts';

describe('message signing', () => {
  let emulator: TestAirtel;
  before(async () => {
    emulator = await startAirtelForTest({ settings: { signing: true } });
  });
  after(() => emulator[Symbol.asyncDispose]());

  for (const version of ['v2', 'v3'] as const) {
    it(`accepts a signed payout of ${version} under every padding of x-key`, async () => {
      for (const padding of PADDINGS) {
        const order = await orderFor(emulator, version);
        const headers = sign(await getKey(emulator), JSON.stringify(order), padding);
        const reply = await pay(emulator, order, version, headers);
        assert.equal(at(reply, 'data.transaction.status'), 'TS', padding);
        assert.equal(emulator.backend.find(idOf(order))?.extra['keyPadding'], padding);
      }
    });

    it(`refuses a payout of ${version} whose body was changed after signing`, async () => {
      const order = await orderFor(emulator, version);
      const headers = sign(await getKey(emulator), `${JSON.stringify(order)} `, 'oaep-sha1');
      const reply = await pay(emulator, order, version, headers);
      assert.equal(reply.status, 403);
      assert.equal(at(reply, 'status.response_code'), 'DP00900001016');
      assert.equal(emulator.backend.find(idOf(order)), undefined);
    });

    it(`refuses a payout of ${version} without either header`, async () => {
      const order = await orderFor(emulator, version);
      const headers = sign(await getKey(emulator), JSON.stringify(order), 'oaep-sha1');
      for (const missing of ['x-key', 'x-signature']) {
        const reply = await pay(emulator, order, version, { ...headers, [missing]: null });
        assert.equal(reply.status, 400);
        assert.equal(at(reply, 'status.response_code'), 'ROUTER003');
      }
    });
  }

  it('is not required of v1', async () => {
    const reply = await pay(emulator, await orderFor(emulator, 'v1'), 'v1');
    assert.equal(at(reply, 'data.transaction.status'), 'TS');
  });

  it('refuses an x-key under a padding that is not configured', async () => {
    await using strict = await startAirtelForTest({
      settings: { signing: true, paddings: ['oaep-sha256-mgf1sha256'] },
    });
    const order = await orderFor(strict, 'v3');
    const headers = sign(await getKey(strict), JSON.stringify(order), 'oaep-sha1');
    const reply = await pay(strict, order, 'v3', headers);
    assert.equal(at(reply, 'status.response_code'), 'DP00900001016');
  });

  it('answers a mismatch with the other code where that is configured', async () => {
    await using other = await startAirtelForTest({
      settings: { signing: true, signatureMismatchCode: 'DP00900001018' },
    });
    const headers = sign(await getKey(other), 'something else', 'oaep-sha1');
    const reply = await pay(other, await orderFor(other, 'v3'), 'v3', headers);
    assert.equal(reply.status, 403);
    assert.equal(at(reply, 'status.response_code'), 'DP00900001018');
  });

  it('is not checked while it is disabled', async () => {
    await using off = await startAirtelForTest();
    const headers = { 'x-key': 'nonsense', 'x-signature': 'nonsense' };
    const reply = await pay(off, await orderFor(off, 'v3'), 'v3', headers);
    assert.equal(at(reply, 'data.transaction.status'), 'TS');
  });
});
