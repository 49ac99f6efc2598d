import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FakeAnswer } from '../../../test/fakes/fake-server.ts';
import { connectToClosedPort, withGateway } from '../../../test/fakes/with-fake-airtel.ts';
import type { BalanceAnswer } from '../contract/connector.ts';

const READ = { response_code: 'DP02100000001', success: true };

function balance(data: unknown, status: unknown = READ, http: number = 200): FakeAnswer {
  return { status: http, body: JSON.stringify({ data, status }) };
}

async function readWith(answer: FakeAnswer): Promise<BalanceAnswer | undefined> {
  let read: BalanceAnswer | undefined;
  const path = '/standard/v2/users/balance?type=DISB';
  await withGateway({ [path]: () => answer }, async ({ connector }) => {
    read = await connector.balance?.();
  });
  return read;
}

describe('our balance', () => {
  it('is read exactly', async () => {
    const amounts: [unknown, bigint][] = [
      ['37600.00', 3_760_000n],
      [37_600.5, 3_760_050n],
      ['0', 0n],
      ['-12.30', -1_230n],
      ['90071992547409.93', 9_007_199_254_740_993n],
    ];
    for (const [amount, availableMinor] of amounts) {
      const answer = await readWith(balance({ balance: amount, currency: 'ZMW' }));
      assert.deepEqual(answer, { kind: 'known', availableMinor, currency: 'ZMW' });
    }
  });

  it('is unknown in any other case', async () => {
    const whole = { balance: '1.00', currency: 'ZMW' };
    const answers: FakeAnswer[] = [
      'reset',
      balance({ ...whole, balance: '1.005' }),
      balance({ ...whole, balance: 'lots' }),
      balance({ ...whole, balance: null }),
      balance({ ...whole, currency: undefined }),
      balance({ ...whole, currency: 'NGN' }),
      balance(whole, { response_code: 'DP02100000000', success: false }),
      balance(whole, { response_code: 'DP02100000002', success: false }),
      balance(whole, { ...READ, success: false }),
      balance(whole, READ, 500),
      { status: 200, body: '' },
    ];
    for (const answer of answers) {
      assert.equal((await readWith(answer))?.kind, 'unreachable', JSON.stringify(answer));
    }
    const connector = await connectToClosedPort();
    assert.equal((await connector.balance?.())?.kind, 'unreachable');
    connector.close?.();
  });

  it('is requested without a type in the first version', async () => {
    await withGateway(
      { '/standard/v1/users/balance': () => balance({ balance: '1', currency: 'ZMW' }) },
      async ({ connector, gateway }) => {
        assert.equal((await connector.balance?.())?.kind, 'known');
        assert.equal(gateway.requests.at(-1)?.path, '/standard/v1/users/balance');
      },
      { settings: { balanceVersion: 'v1' } },
    );
  });
});
