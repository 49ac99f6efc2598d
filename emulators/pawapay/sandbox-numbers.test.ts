import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { recipientOf, startTestMerchant, type TestMerchant } from './test-merchant.ts';

describe('the numbers of the sandbox', () => {
  const payTo = async (
    merchant: TestMerchant,
    [provider, phoneNumber]: readonly [string, string],
  ): Promise<string> => {
    const payoutId = randomUUID();
    const currency = provider.endsWith('NGA') ? 'NGN' : 'ZMW';
    await merchant.pay({ payoutId, currency, recipient: recipientOf({ provider, phoneNumber }) });
    return payoutId;
  };

  it('end as documented', async () => {
    await using merchant = await startTestMerchant({ usesSandboxNumbers: true });
    const completed = [
      ['AIRTEL_OAPI_ZMB', '260973456789'],
      ['MTN_MOMO_ZMB', '260763456789'],
      ['ZAMTEL_ZMB', '260953456700'],
      ['AIRTEL_NGA', '2349034567899'],
      ['MTN_MOMO_NGA', '2348134567899'],
    ] as const;
    for (const number of completed) {
      await merchant.waitFor(await payTo(merchant, number), 'COMPLETED');
    }
    const failed = [
      ['AIRTEL_OAPI_ZMB', '260973456089', 'RECIPIENT_NOT_FOUND'],
      ['MTN_MOMO_ZMB', '260763456079', 'RECIPIENT_NOT_FOUND'],
      ['AIRTEL_NGA', '2349034567089', 'RECIPIENT_NOT_FOUND'],
      ['MTN_MOMO_NGA', '2348134567089', 'RECIPIENT_NOT_FOUND'],
      ['MTN_MOMO_NGA', '2348134567099', 'WALLET_LIMIT_REACHED'],
      ['AIRTEL_OAPI_ZMB', '260973456119', 'UNSPECIFIED_FAILURE'],
      ['MTN_MOMO_ZMB', '260763456119', 'UNSPECIFIED_FAILURE'],
      ['ZAMTEL_ZMB', '260953456712', 'UNSPECIFIED_FAILURE'],
      ['AIRTEL_NGA', '2349034567119', 'UNSPECIFIED_FAILURE'],
      ['MTN_MOMO_NGA', '2348134567119', 'UNSPECIFIED_FAILURE'],
    ] as const;
    for (const [provider, number, code] of failed) {
      const payoutId = await payTo(merchant, [provider, number]);
      const { failureReason } = await merchant.waitFor(payoutId, 'FAILED');
      assert(JSON.stringify(failureReason).includes(`"${code}"`), number);
    }
    assert.equal(merchant.emulator.backend.book().length, completed.length);
  });

  it('can be stuck, and then stay in reconciliation for ever', async () => {
    await using merchant = await startTestMerchant({ usesSandboxNumbers: true, timeScale: 0.001 });
    const stuck = [
      ['AIRTEL_OAPI_ZMB', '260973456129'],
      ['MTN_MOMO_ZMB', '260763456129'],
      ['ZAMTEL_ZMB', '260953456789'],
      ['AIRTEL_NGA', '2349034567129'],
      ['MTN_MOMO_NGA', '2348134567129'],
    ] as const;
    for (const number of stuck) {
      await merchant.waitFor(await payTo(merchant, number), 'IN_RECONCILIATION');
    }
    assert.deepEqual(merchant.emulator.backend.book(), []);
  });

  it('have no effect with another provider', async () => {
    await using merchant = await startTestMerchant({ usesSandboxNumbers: true });
    const payoutId = await payTo(merchant, ['AIRTEL_OAPI_ZMB', '260763456079']);
    await merchant.waitFor(payoutId, 'COMPLETED');
  });

  it('have no effect outside the sandbox', async () => {
    await using merchant = await startTestMerchant();
    await merchant.waitFor(await payTo(merchant, ['ZAMTEL_ZMB', '260953456789']), 'COMPLETED');
    await merchant.waitFor(await payTo(merchant, ['MTN_MOMO_ZMB', '260763456079']), 'COMPLETED');
  });
});
