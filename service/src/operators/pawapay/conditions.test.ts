import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  connectorDeps,
  pawapaySettings,
  type Scripted,
  startServer,
} from '../../../test/fakes/fake-pawapay.ts';
import { PAWAPAY } from './connector.ts';

const PAYOUTS = {
  minAmount: '1',
  maxAmount: '10000',
  decimalsInAmount: 'TWO_PLACES',
  status: 'OPERATIONAL',
  callbackUrl: 'https://payouts.example.com/callbacks/pawapay',
};

function configuration(payouts: object, signedRequestsOnly = false): Scripted {
  const body = {
    companyName: 'Demo',
    signatureConfiguration: { signedRequestsOnly, signedCallbacks: true },
    countries: [
      {
        country: 'ZMB',
        prefix: '260',
        providers: [
          { provider: 'ZAMTEL_ZMB', currencies: [] },
          {
            provider: 'MTN_MOMO_ZMB',
            currencies: [
              { currency: 'USD', operationTypes: { PAYOUT: { ...PAYOUTS, status: 'CLOSED' } } },
              { currency: 'ZMW', operationTypes: { PAYOUT: payouts } },
            ],
          },
        ],
      },
    ],
  };
  return { status: 200, body };
}

function availability(status: string): Scripted {
  const operationTypes = [
    { operationType: 'DEPOSIT', status: 'CLOSED' },
    { operationType: 'PAYOUT', status },
  ];
  const providers = [{ provider: 'MTN_MOMO_ZMB', operationTypes }];
  return {
    status: 200,
    body: [
      { country: 'NGA', providers: [] },
      { country: 'ZMB', providers },
    ],
  };
}

async function conditions(
  active: Scripted,
  available: Scripted,
  settings: Parameters<typeof pawapaySettings>[1] = {},
) {
  const server = await startServer(({ path }) =>
    path.startsWith('/v2/active-conf?country=ZMB&operationType=PAYOUT') ? active : available,
  );
  const connector = PAWAPAY.create(pawapaySettings(server.baseUrl, settings), connectorDeps());
  const answer = await connector.readConditions?.();
  connector.close?.();
  await server.close();
  const urls = server.requests.map(({ path }) => path).toSorted();
  assert.deepEqual(urls, [
    '/v2/active-conf?country=ZMB&operationType=PAYOUT',
    '/v2/availability?country=ZMB',
  ]);
  return answer;
}

const BOUNDS = { minMinor: 100n, maxMinor: 1_000_000n, decimals: 2 };
const NOTHING: Scripted = { status: 503, body: '<html>' };

it('reads the bounds of the account and whether the provider is open', async () => {
  const open = { kind: 'known', open: true, bounds: BOUNDS };
  const shut = { kind: 'known', open: false, bounds: BOUNDS };
  const operational = configuration(PAYOUTS);
  assert.deepEqual(await conditions(operational, availability('OPERATIONAL')), open);
  assert.deepEqual(await conditions(operational, availability('DELAYED')), open);
  assert.deepEqual(await conditions(operational, availability('CLOSED')), shut);
  const closed = configuration({ ...PAYOUTS, status: 'CLOSED' });
  assert.deepEqual(await conditions(closed, availability('OPERATIONAL')), shut);
  assert.deepEqual(await conditions(operational, NOTHING), open);
  assert.deepEqual(await conditions(closed, NOTHING), shut);
});

it('reads whole amounts, and no bounds if they are incomplete', async () => {
  const bounds = async (change: object) => {
    const answer = await conditions(configuration({ ...PAYOUTS, ...change }), NOTHING);
    return answer?.kind === 'known' ? answer.bounds : undefined;
  };
  assert.deepEqual(await bounds({ decimalsInAmount: 'NONE' }), { ...BOUNDS, decimals: 0 });
  assert.deepEqual(await bounds({ minAmount: 0.5 }), { ...BOUNDS, minMinor: 50n });
  assert.equal(await bounds({ decimalsInAmount: 'THREE_PLACES' }), null);
  assert.equal(await bounds({ maxAmount: undefined }), null);
  assert.equal(await bounds({ minAmount: '10001' }), null);
});

it('is closed if the account has no such provider, or requires signatures and we have no key', async () => {
  const shut = { kind: 'known', open: false, bounds: null };
  const other = { provider: 'MTN_OTHER_ZMB' };
  const operational = availability('OPERATIONAL');
  assert.deepEqual(await conditions(configuration(PAYOUTS), operational, other), shut);
  const answer = await conditions(configuration(PAYOUTS, true), operational);
  assert.deepEqual(answer, { ...shut, bounds: BOUNDS });
});

it('is unreachable if the account cannot be read, or its status is missing', async () => {
  for (const active of [NOTHING, 'reset', { status: 200, body: [] }] as const) {
    assert.equal((await conditions(active, availability('OPERATIONAL')))?.kind, 'unreachable');
  }
  const silent = configuration({ ...PAYOUTS, status: 'NEW' });
  assert.equal((await conditions(silent, availability('NEW')))?.kind, 'unreachable');
});
