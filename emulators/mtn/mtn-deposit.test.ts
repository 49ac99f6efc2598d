import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { waitUntil } from '../kernel/wait-until.ts';
import { memberOf } from './mtn-client.ts';
import { codeOf, startForTest } from './mtn-test-emulator.ts';

describe('MTN: deposits and refunds', () => {
  it('deposits like a transfer, in both versions, with a status path of its own', async () => {
    await using mtn = await startForTest();
    for (const version of ['v1_0', 'v2_0']) {
      const reference = randomUUID();
      const headers = { 'x-reference-id': reference, 'content-type': 'application/json' };
      const body = {
        amount: '10',
        currency: 'ZMW',
        externalId: '1',
        payee: { partyIdType: 'MSISDN', partyId: '260966123456' },
        payerMessage: 'a',
        payeeNote: 'b',
      };
      const path = `/disbursement/${version}/deposit`;
      assert.equal((await mtn.client.call('POST', path, { headers, body })).status, 202);
      assert.equal((await mtn.client.call('POST', path, { headers, body })).status, 409);
      await waitUntil('the deposit has succeeded', async () => {
        const seen = await mtn.client.call('GET', `/disbursement/v1_0/deposit/${reference}`);
        return memberOf(seen.json, 'status') === 'SUCCESSFUL';
      });
    }
    assert.equal(mtn.emulator.backend.book().length, 2);
  });

  it('finds nothing to refund, because no payer was charged', async () => {
    await using mtn = await startForTest();
    const refund = (referenceIdToRefund: unknown, version: string) => {
      const reference = randomUUID();
      const headers = { 'x-reference-id': reference, 'content-type': 'application/json' };
      const texts = { externalId: '1', payerMessage: 'a', payeeNote: 'b' };
      const body = { amount: '10', currency: 'ZMW', ...texts, referenceIdToRefund };
      const path = `/disbursement/${version}/refund`;
      return { reference, seen: mtn.client.call('POST', path, { headers, body }) };
    };
    assert.equal(codeOf(await refund('x', 'v1_0').seen), 'VALIDATION_ERROR');
    for (const version of ['v1_0', 'v2_0']) {
      const { reference, seen } = refund(randomUUID(), version);
      assert.equal((await seen).status, 202);
      await waitUntil('the refund has ended', async () => {
        const status = await mtn.client.call('GET', `/disbursement/v1_0/refund/${reference}`);
        return memberOf(memberOf(status.json, 'reason'), 'code') === 'RESOURCE_NOT_FOUND';
      });
    }
    assert.deepEqual(mtn.emulator.backend.book(), []);
  });
});
