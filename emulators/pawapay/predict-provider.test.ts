import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Rejection } from './failure-codes.ts';
import { predictProvider } from './predict-provider.ts';
import { DEFAULT_PROVIDERS } from './providers.ts';

const RULES = { providers: DEFAULT_PROVIDERS, usesSandboxNumbers: false };

describe('the prediction of a provider', () => {
  it('accepts any international spelling and returns digits only', () => {
    for (const phoneNumber of ['+260 763-456789', '260763456789', '+260 (76) 345.6789']) {
      assert.deepEqual(predictProvider(RULES, { phoneNumber }), {
        country: 'ZMB',
        provider: 'MTN_MOMO_ZMB',
        phoneNumber: '260763456789',
      });
    }
  });

  it('knows the prefixes of every provider', () => {
    const expected = {
      '260971234567': 'AIRTEL_OAPI_ZMB',
      '260571234567': 'AIRTEL_OAPI_ZMB',
      '260561234567': 'MTN_MOMO_ZMB',
      '260751234567': 'ZAMTEL_ZMB',
      '2348021234567': 'AIRTEL_NGA',
      '2349031234567': 'MTN_MOMO_NGA',
      '2347025123456': 'MTN_MOMO_NGA',
    };
    for (const [phoneNumber, provider] of Object.entries(expected)) {
      assert.equal(predictProvider(RULES, { phoneNumber }).provider, provider, phoneNumber);
    }
  });

  it('uses the sandbox numbers first where they are enabled', () => {
    const phoneNumber = '2349034567899';
    const sandbox = { ...RULES, usesSandboxNumbers: true };
    assert.equal(predictProvider(RULES, { phoneNumber }).provider, 'MTN_MOMO_NGA');
    assert.equal(predictProvider(sandbox, { phoneNumber }).provider, 'AIRTEL_NGA');
  });

  it('refuses an unreadable number and one that no provider serves', () => {
    const cases: readonly (readonly [unknown, string])[] = [
      [{}, 'MISSING_PARAMETER'],
      [{ msisdn: '260763456789' }, 'MISSING_PARAMETER'],
      [{ phoneNumber: '260763456789', country: 'ZMB' }, 'UNSUPPORTED_PARAMETER'],
      [{ phoneNumber: 260763456789 }, 'INVALID_PARAMETER'],
      [{ phoneNumber: 'call me' }, 'INVALID_PARAMETER'],
      [{ phoneNumber: '0763456789' }, 'INVALID_PARAMETER'],
      [{ phoneNumber: '2607634' }, 'INVALID_PARAMETER'],
      [{ phoneNumber: '260981234567' }, 'INVALID_PARAMETER'],
      [{ phoneNumber: '2348051234567' }, 'INVALID_PARAMETER'],
      ['260763456789', 'INVALID_INPUT'],
    ];
    for (const [body, code] of cases) {
      assert.throws(
        () => predictProvider(RULES, body),
        (error) => error instanceof Rejection && error.code === code,
        JSON.stringify(body),
      );
    }
  });
});
