import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { startTestMerchant, type TestMerchant } from './test-merchant.ts';

describe('the toolkit', () => {
  let merchant: TestMerchant;

  before(async () => {
    merchant = await startTestMerchant({
      companyName: 'Test Company',
      callbackUrl: 'http://127.0.0.1:9/callbacks',
      signedCallbacks: true,
      floatMinor: 21_798_03n,
      availability: { ZAMTEL_ZMB: 'CLOSED' },
    });
  });
  after(() => merchant[Symbol.asyncDispose]());

  const get = async (path: string): Promise<unknown> => {
    const { status, body } = await merchant.call('GET', path);
    assert.equal(status, 200);
    return body;
  };

  it('returns the active configuration of one country', async () => {
    const conf = await get('/v2/active-conf?country=ZMB&operationType=PAYOUT');
    assert(typeof conf === 'object' && conf !== null && 'countries' in conf);
    const { countries, ...rest } = conf;
    assert.deepEqual(rest, {
      companyName: 'Test Company',
      signatureConfiguration: { signedRequestsOnly: false, signedCallbacks: true },
    });
    assert(Array.isArray(countries) && countries.length === 1);
    const [zambia] = countries;
    assert.equal(zambia.country, 'ZMB');
    assert.equal(zambia.prefix, '260');
    assert.deepEqual(
      zambia.providers.map(({ provider }: { provider: string }) => provider),
      ['AIRTEL_OAPI_ZMB', 'MTN_MOMO_ZMB', 'ZAMTEL_ZMB'],
    );
    const [{ currency, operationTypes }] = zambia.providers[1].currencies;
    assert.equal(currency, 'ZMW');
    assert.deepEqual(operationTypes, {
      PAYOUT: {
        minAmount: '1',
        maxAmount: '10000',
        decimalsInAmount: 'TWO_PLACES',
        status: 'OPERATIONAL',
        callbackUrl: 'http://127.0.0.1:9/callbacks',
      },
    });
  });

  it('returns all countries by default, and none for a country that is not configured', async () => {
    const countriesOf = async (query: string) => {
      const conf = await get(`/v2/active-conf${query}`);
      assert(typeof conf === 'object' && conf !== null && 'countries' in conf);
      assert(Array.isArray(conf.countries));
      return conf.countries.map(({ country }) => country);
    };
    assert.deepEqual(await countriesOf(''), ['ZMB', 'NGA']);
    assert.deepEqual(await countriesOf('?country=NGA'), ['NGA']);
    assert.deepEqual(await countriesOf('?country=KEN'), []);
    assert.deepEqual(await countriesOf('?operationType=DEPOSIT'), []);
  });

  it('refuses an invalid country or operation type', async () => {
    for (const query of ['country=zm', 'country=Zambia', 'operationType=PAYOUTS']) {
      for (const path of ['active-conf', 'availability']) {
        const { status, body } = await merchant.call('GET', `/v2/${path}?${query}`);
        assert.equal(status, 400);
        assert(JSON.stringify(body).includes('INVALID_PARAMETER'));
      }
    }
  });

  it('returns the availability of each provider', async () => {
    const operationType = 'PAYOUT';
    assert.deepEqual(await get('/v2/availability?country=ZMB'), [
      {
        country: 'ZMB',
        providers: [
          {
            provider: 'AIRTEL_OAPI_ZMB',
            operationTypes: [{ operationType, status: 'OPERATIONAL' }],
          },
          { provider: 'MTN_MOMO_ZMB', operationTypes: [{ operationType, status: 'OPERATIONAL' }] },
          { provider: 'ZAMTEL_ZMB', operationTypes: [{ operationType, status: 'CLOSED' }] },
        ],
      },
    ]);
  });

  it('returns the balances of the wallets', async () => {
    assert.deepEqual(await get('/v2/wallet-balances?country=ZMB'), {
      balances: [{ country: 'ZMB', balance: '21798.03', currency: 'ZMW', provider: '' }],
    });
    await merchant.pay({ amount: '98.03' });
    assert.deepEqual(await get('/v2/wallet-balances'), {
      balances: [
        { country: 'ZMB', balance: '21700.00', currency: 'ZMW', provider: '' },
        { country: 'NGA', balance: '21798.03', currency: 'NGN', provider: '' },
      ],
    });
  });

  it('predicts the provider of a number', async () => {
    const { status, body } = await merchant.call('POST', '/v2/predict-provider', {
      phoneNumber: '+260 763-456789',
    });
    assert.equal(status, 200);
    assert.deepEqual(body, {
      country: 'ZMB',
      provider: 'MTN_MOMO_ZMB',
      phoneNumber: '260763456789',
    });
    const refused = await merchant.call('POST', '/v2/predict-provider', { phoneNumber: '1' });
    assert.equal(refused.status, 400);
  });

  it('shows the key that callbacks are signed with', async () => {
    const keys = await get('/v2/public-key/http');
    assert(Array.isArray(keys) && keys.length === 1);
    assert.equal(keys[0].id, 'HTTP_EC_P256_KEY:1');
    assert.equal(keys[0].key, merchant.emulator.credentials.callbackKey.publicKeyPem);
    assert.equal(createPublicKey(keys[0].key).asymmetricKeyType, 'ec');
  });
});
