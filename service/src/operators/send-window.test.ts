import assert from 'node:assert/strict';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { startFakeServer } from '../../test/fakes/fake-server.ts';
import { CONNECTOR_KINDS } from './connector-kinds.ts';
import type { Payout } from './contract/connector.ts';
import { NOTHING_KEPT } from './credentials/credential-store.ts';

const PUBLIC_KEY = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  .publicKey.export({ type: 'spki', format: 'der' })
  .toString('base64');

type Sample = Readonly<{
  pair: Pick<Payout, 'operator' | 'country' | 'currency'>;
  settings: Readonly<Record<string, unknown>>;
  /** The path of the request that submits the payout. */
  pays: RegExp;
}>;

const ZAMBIA = { country: 'zm', currency: 'ZMW' } as const;

/** What each connector needs to send a payout. */
const SAMPLES: Readonly<Record<string, Sample>> = {
  mtn: {
    pair: { operator: 'mtn', ...ZAMBIA },
    settings: { subscriptionKey: 'key', apiUser: 'user', apiKey: 'key' },
    pays: /\/transfer$/,
  },
  airtel: {
    pair: { operator: 'airtel', ...ZAMBIA },
    settings: { clientId: 'id', clientSecret: 'secret', pin: '1234', publicKey: PUBLIC_KEY },
    pays: /\/disbursements$/,
  },
  vodacom: {
    pair: { operator: 'vodacom', ...ZAMBIA },
    settings: {
      environment: 'sandbox',
      market: 'vodacomTZN',
      country: 'TZN',
      currency: 'ZMW',
      serviceProviderCode: '000000',
      apiKey: 'abcdefgh',
      publicKey: PUBLIC_KEY,
      sessionActivationMs: 0,
    },
    pays: /\/b2cPayment\//,
  },
  zamtel: {
    pair: { operator: 'zamtel', ...ZAMBIA },
    settings: {
      thirdPartyId: 'id',
      password: 'password',
      shortcode: '100',
      identifier: 'we',
      credential: 'credential',
    },
    pays: /\/B2CReq/,
  },
  pawapay: {
    pair: { operator: 'mtn', ...ZAMBIA },
    settings: { apiToken: 'token-token' },
    pays: /\/payouts$/,
  },
};

/** Answers to the requests that a connector makes before it submits. */
const PREPARES = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    access_token: 'a-token',
    token_type: 'Bearer',
    expires_in: 3_600,
    output_ResponseCode: 'INS-0',
    output_SessionID: 'a-session',
  }),
} as const;

/** Counts how often the payout itself reaches the operator. */
async function countPayouts(kindName: string, mayStillSend: () => boolean): Promise<number> {
  const kind = CONNECTOR_KINDS.find(({ name }) => name === kindName);
  const sample = SAMPLES[kindName];
  assert.ok(kind !== undefined && sample !== undefined, `there is no sample of ${kindName}`);
  const server = await startFakeServer(() => PREPARES);
  const connector = kind.create(
    { ...sample.settings, baseUrl: server.baseUrl },
    {
      ...sample.pair,
      timeouts: {
        tokenMs: 10_000,
        submitMs: 10_000,
        inquireMs: 10_000,
        nameMs: 10_000,
        balanceMs: 10_000,
      },
      connectionsMax: 2,
      callbackUrl: null,
      referenceMemoryMs: 12 * 60 * 60_000,
      timeScale: 1,
      now: () => new Date(),
      monotonicMs: () => performance.now(),
      wait: () => Promise.resolve(),
      newUuid: randomUUID,
      credentials: NOTHING_KEPT,
    },
  );
  try {
    await connector.submit({
      ...sample.pair,
      operatorReference: randomUUID(),
      phone: '+260977433571',
      amountMinor: 100n,
      narration: null,
      createdAt: new Date(),
      mayStillSend,
    });
    return server.requests.filter(({ path }) => sample.pays.test(path.split('?', 1)[0] ?? ''))
      .length;
  } finally {
    connector.close?.();
    await server.close();
  }
}

describe('a payout whose send window has ended is not sent', () => {
  for (const { name } of CONNECTOR_KINDS) {
    it(`by ${name}`, async () => {
      assert.equal(await countPayouts(name, () => true), 1);
      assert.equal(await countPayouts(name, () => false), 0);
    });
  }
});
