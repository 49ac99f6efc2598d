import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { PRESETS } from '../kernel/presets.ts';
import { memberOf } from './mtn-client.ts';
import { codeOf, endOf, startForTest, transferAs } from './mtn-test-emulator.ts';

describe('MTN: the sandbox', () => {
  it('accepts only euro', async () => {
    await using mtn = await startForTest({ targetEnvironment: 'sandbox' });
    assert.equal(codeOf((await transferAs(mtn, { currency: 'ZMW' })).seen), 'INVALID_CURRENCY');
    assert.equal((await transferAs(mtn, { currency: 'EUR' })).seen.status, 202);
  });

  const payee = (end: string) => ({
    payee: { partyIdType: 'MSISDN', partyId: `46733123${end}` },
  });
  const ends = {
    '450': 'INTERNAL_PROCESSING_ERROR',
    '451': 'APPROVAL_REJECTED',
    '452': 'EXPIRED',
    '455': 'NOT_ENOUGH_FUNDS',
    '456': 'PAYER_LIMIT_REACHED',
    '457': 'PAYEE_NOT_FOUND',
    '458': 'NOT_ALLOWED',
    '459': 'NOT_ALLOWED_TARGET_ENVIRONMENT',
    '460': 'INVALID_CALLBACK_URL_HOST',
    '461': 'INVALID_CURRENCY',
    '462': 'INTERNAL_PROCESSING_ERROR',
    '463': 'SERVICE_UNAVAILABLE',
    '464': 'TRANSFER_TYPE_UNKNOWN',
  } as const;

  it('decides about a transfer by its number', async () => {
    const options = { targetEnvironment: 'sandbox', reasonAs: 'text' } as const;
    await using mtn = await startForTest({ ...options, statusCallsPerSecondMax: 1_000 });
    for (const [end, code] of Object.entries(ends)) {
      const { reference } = await transferAs(mtn, payee(end));
      assert.equal(memberOf(await endOf(mtn, reference), 'reason'), code, end);
    }
    assert.deepEqual(mtn.emulator.backend.book(), []);
    const ordinary = await transferAs(mtn, payee('999'));
    assert.equal(memberOf(await endOf(mtn, ordinary.reference), 'status'), 'SUCCESSFUL');
  });

  it('answers 503 for the unavailable number, where it refuses submissions', async () => {
    await using mtn = await startForTest({ targetEnvironment: 'sandbox', refusals: 'onSubmit' });
    const { seen } = await transferAs(mtn, payee('463'));
    assert.deepEqual([seen.status, codeOf(seen)], [503, 'SERVICE_UNAVAILABLE']);
  });

  it('has one number that is pending for 30 s, and one that is pending for ever', async () => {
    await using mtn = await startForTest({ targetEnvironment: 'sandbox' });
    const ongoing = await transferAs(mtn, payee('453'));
    const delayed = await transferAs(mtn, payee('454'));
    assert.equal(memberOf(await endOf(mtn, ongoing.reference), 'status'), 'SUCCESSFUL');
    const seen = await mtn.client.status(delayed.reference);
    assert.equal(memberOf(seen.json, 'status'), 'PENDING');
    const payout = mtn.emulator.backend.find(ongoing.reference);
    assert.equal(payout?.pendingMs, 30_000);
    assert.equal(payout?.behaviour.execute, PRESETS.ok.execute);
  });

  it('has other numbers for deposits', async () => {
    await using mtn = await startForTest({ targetEnvironment: 'sandbox', refusals: 'onSubmit' });
    for (const [end, code] of [
      ['455', 'PAYER_NOT_FOUND'],
      ['456', 'PAYEE_NOT_ALLOWED_TO_RECEIVE'],
      ['463', 'COULD_NOT_PERFORM_TRANSACTION'],
    ] as const) {
      const headers = { 'x-reference-id': randomUUID(), 'content-type': 'application/json' };
      const texts = { externalId: '1', payerMessage: 'a', payeeNote: 'b' };
      const body = { amount: '10', currency: 'EUR', ...texts, ...payee(end) };
      const path = '/disbursement/v1_0/deposit';
      assert.equal(codeOf(await mtn.client.call('POST', path, { headers, body })), code);
    }
  });

  it('has no special numbers in production', async () => {
    await using mtn = await startForTest();
    const { reference } = await transferAs(mtn, payee('457'));
    assert.equal(memberOf(await endOf(mtn, reference), 'status'), 'SUCCESSFUL');
  });
});
