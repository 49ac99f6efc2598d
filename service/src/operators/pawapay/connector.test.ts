import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  API_TOKEN,
  COMPLETED,
  connectorDeps,
  PAYOUT,
  PAYOUT_ID,
  pawapaySettings,
  type Scripted,
  startServer,
} from '../../../test/fakes/fake-pawapay.ts';
import type { FakeRequest } from '../../../test/fakes/fake-server.ts';
import { REPORTED_FIELDS } from '../../domain/outcome.ts';
import { PAWAPAY } from './connector.ts';

type Settings = Parameters<typeof pawapaySettings>[1];
type Deps = Parameters<typeof connectorDeps>[0];

async function open(
  answer: (request: FakeRequest) => Scripted,
  changes: Readonly<{ settings?: Settings; deps?: Deps }> = {},
) {
  const server = await startServer(answer);
  const settings = pawapaySettings(server.baseUrl, changes.settings);
  assert.deepEqual(PAWAPAY.checkSettings?.(settings), []);
  const connector = PAWAPAY.create(settings, connectorDeps(changes.deps));
  const close = (): void => {
    connector.close?.();
    void server.close();
  };
  return { server, connector, [Symbol.dispose]: close };
}

const ok = (body: unknown): Scripted => ({ status: 200, body });
const ACCEPTED = { payoutId: PAYOUT_ID, status: 'ACCEPTED', created: '2026-07-01T10:00:00Z' };

describe('a payout', () => {
  it('is sent as documented, under our reference', async () => {
    using line = await open(() => ok(ACCEPTED));
    const { outcome, wire } = await line.connector.submit(PAYOUT);
    assert.deepEqual(outcome, { kind: 'pending', inquireInMs: 5_000 });
    assert.equal(wire?.request, 'POST /v2/payouts');
    assert.equal(wire?.httpStatus, 200);
    const [seen] = line.server.requests;
    assert.equal(seen?.method, 'POST');
    assert.equal(seen?.path, '/v2/payouts');
    assert.equal(seen?.headers.authorization, `Bearer ${API_TOKEN}`);
    assert.equal(seen?.headers['content-type'], 'application/json; charset=UTF-8');
    assert.equal(seen?.headers.signature, undefined);
    assert.deepEqual(JSON.parse(seen?.body ?? ''), {
      payoutId: PAYOUT_ID,
      recipient: {
        type: 'MMO',
        accountDetails: { phoneNumber: '260763456789', provider: 'MTN_MOMO_ZMB' },
      },
      amount: '15',
      currency: 'ZMW',
      customerMessage: 'Salary June',
    });
  });

  it('goes to the provider of the pair, or to the one of the settings', async () => {
    const provider = async (deps: Deps, settings: Settings = {}) => {
      using line = await open(() => ok(ACCEPTED), { deps: deps ?? {}, settings: settings ?? {} });
      await line.connector.submit(PAYOUT);
      return JSON.parse(line.server.requests[0]?.body ?? '').recipient.accountDetails.provider;
    };
    assert.equal(await provider({ operator: 'airtel' }), 'AIRTEL_OAPI_ZMB');
    assert.equal(await provider({ operator: 'mtn' }), 'MTN_MOMO_ZMB');
    assert.equal(await provider({ operator: 'zamtel' }), 'ZAMTEL_ZMB');
    assert.equal(await provider({ operator: 'airtel', country: 'ng' }), 'AIRTEL_NGA');
    assert.equal(await provider({ operator: 'mtn', country: 'ng' }), 'MTN_MOMO_NGA');
    assert.equal(await provider({}, { provider: 'MTN_OTHER_ZMB' }), 'MTN_OTHER_ZMB');
    const settings = pawapaySettings('http://127.0.0.1:9');
    const nowhere = connectorDeps({ operator: 'zamtel', country: 'ng' });
    assert.throws(() => PAWAPAY.create(settings, nowhere), /zamtel in ng/);
    assert.equal(PAWAPAY.pairs?.length, 5);
  });

  it('is unknown without an answer, and if the answer is unreadable', async () => {
    const worse: readonly Scripted[] = [
      'reset',
      'hang',
      { status: 502, body: '<html>Bad Gateway</html>' },
      { status: 500, body: { failureReason: { failureCode: 'UNKNOWN_ERROR' } } },
      { status: 500, body: ACCEPTED },
      ok({ ...ACCEPTED, status: 'DUPLICATE_IGNORED' }),
      ok({ ...ACCEPTED, payoutId: null }),
      ok(''),
    ];
    for (const scripted of worse) {
      const submitMs = scripted === 'hang' ? 1_500 : 5_000;
      const timeouts = { ...connectorDeps().timeouts, submitMs };
      using line = await open(() => scripted, { deps: { timeouts } });
      const { outcome } = await line.connector.submit(PAYOUT);
      assert.equal(outcome.kind, 'unknown', JSON.stringify(scripted));
      assert.equal(line.server.requests.length, 1);
    }
  });

  it('is "not sent" if the connection is refused; an inquiry is then "unanswered"', async () => {
    const gone = await startServer(() => 'hang');
    await gone.close();
    const connector = PAWAPAY.create(pawapaySettings(gone.baseUrl), connectorDeps());
    const { outcome, wire } = await connector.submit(PAYOUT);
    assert.deepEqual(outcome, { kind: 'notSent', cause: 'ECONNREFUSED', retryInMs: 5_000 });
    assert.equal(wire?.httpStatus, null);
    assert.equal((await connector.inquire(PAYOUT, { checks: 0 })).outcome.kind, 'unanswered');
    const known = { operatorTransactionId: null };
    assert.equal((await connector.recall?.(PAYOUT, known))?.outcome.kind, 'unknown');
    assert.equal((await connector.balance?.())?.kind, 'unreachable');
    assert.equal((await connector.readConditions?.())?.kind, 'unreachable');
    assert.equal((await connector.predictOperator?.('+260763456789'))?.kind, 'unreachable');
  });

  it('is refused with a failure code that the merchant can act on', async () => {
    const failureReason = { failureCode: 'INVALID_PHONE_NUMBER', failureMessage: 'No.' };
    using line = await open(() => ok({ payoutId: PAYOUT_ID, status: 'REJECTED', failureReason }));
    assert.deepEqual((await line.connector.submit(PAYOUT)).outcome, {
      kind: 'rejected',
      failure: 'RECIPIENT_NOT_FOUND',
      cause: 'HTTP 200 REJECTED INVALID_PHONE_NUMBER',
    });
  });
});

describe('an inquiry', () => {
  it('uses our reference, and is "paid" if every field equals what we sent', async () => {
    using line = await open(() => ok({ status: 'FOUND', data: COMPLETED }));
    const { outcome, wire } = await line.connector.inquire(PAYOUT, { checks: 0 });
    assert.deepEqual(outcome, {
      kind: 'paid',
      operatorTransactionId: '12356789',
      confirmed: REPORTED_FIELDS,
    });
    assert.equal(wire?.request, `GET /v2/payouts/${PAYOUT_ID}`);
    assert.equal(line.server.requests[0]?.path, `/v2/payouts/${PAYOUT_ID}`);
    assert.equal(line.server.requests[0]?.headers.authorization, `Bearer ${API_TOKEN}`);
  });

  it('that finds nothing is "not found"', async () => {
    using line = await open(() => ok({ status: 'NOT_FOUND' }));
    const { outcome } = await line.connector.inquire(PAYOUT, { checks: 0 });
    assert.deepEqual(outcome, { kind: 'notFound' });
  });
});

describe('a recall', () => {
  const known = { operatorTransactionId: null };

  it('cancels an enqueued payout, and only an inquiry shows whether it did', async () => {
    using line = await open(() => ok({ payoutId: PAYOUT_ID, status: 'ACCEPTED' }));
    const reply = await line.connector.recall?.(PAYOUT, known);
    assert.deepEqual(reply?.outcome, { kind: 'pending', inquireInMs: 5_000 });
    const [seen] = line.server.requests;
    assert.equal(seen?.method, 'POST');
    assert.equal(seen?.path, `/v2/payouts/fail-enqueued/${PAYOUT_ID}`);
    assert.equal(seen?.headers['content-length'], '0');
  });

  it('that comes too late never ends the payout', async () => {
    for (const failureCode of ['INVALID_STATE', 'NOT_FOUND', 'MANUALLY_CANCELLED']) {
      const body = { payoutId: PAYOUT_ID, status: 'REJECTED', failureReason: { failureCode } };
      using line = await open(() => ok(body));
      assert.equal((await line.connector.recall?.(PAYOUT, known))?.outcome.kind, 'unknown');
    }
  });
});

describe('the balance', () => {
  it('is the provider’s own if there is one, else the common one of the country', async () => {
    const common = { country: 'ZMB', balance: '21798.03', currency: 'ZMW', provider: '' };
    const balance = async (...balances: readonly object[]) => {
      using line = await open(() => ok({ balances }));
      const answer = await line.connector.balance?.();
      assert.equal(line.server.requests[0]?.path, '/v2/wallet-balances?country=ZMB');
      return answer?.kind === 'known' ? answer.availableMinor : answer?.kind;
    };
    assert.equal(await balance(common), 2_179_803n);
    assert.equal(await balance({ ...common, balance: '0' }), 0n);
    assert.equal(await balance({ ...common, provider: undefined }), 2_179_803n);
    const own = { ...common, provider: 'MTN_MOMO_ZMB', balance: '5.1' };
    assert.equal(await balance(common, own), 510n);
    assert.equal(await balance({ ...common, provider: 'ZAMTEL_ZMB' }), 'unreachable');
    assert.equal(await balance({ ...common, currency: 'USD' }), 'unreachable');
    assert.equal(await balance({ ...common, balance: '1.234' }), 'unreachable');
    assert.equal(await balance(), 'unreachable');
  });
});

describe('a prediction', () => {
  it('uses our operator names, or pawaPay’s if we have none', async () => {
    const predict = async (provider: unknown, status = 200) => {
      const body = { country: 'ZMB', provider, phoneNumber: '260763456789' };
      using line = await open(() => ({ status, body }));
      const answer = await line.connector.predictOperator?.('+260763456789');
      assert.deepEqual(JSON.parse(line.server.requests[0]?.body ?? ''), {
        phoneNumber: '260763456789',
      });
      assert.equal(line.server.requests[0]?.path, '/v2/predict-provider');
      return answer?.kind === 'known' ? answer.operator : answer?.kind;
    };
    assert.equal(await predict('MTN_MOMO_ZMB'), 'mtn');
    assert.equal(await predict('AIRTEL_OAPI_ZMB'), 'airtel');
    assert.equal(await predict('GLO_NGA'), 'GLO_NGA');
    assert.equal(await predict('mtn!'), 'unreachable');
    assert.equal(await predict(null), 'unreachable');
    assert.equal(await predict('MTN_MOMO_ZMB', 400), 'unreachable');
  });
});

it('records no token that an answer repeats', async () => {
  using line = await open((request) => ({ status: 500, body: `${request.headers.authorization}` }));
  assert.equal((await line.connector.submit(PAYOUT)).wire?.answer, 'Bearer [removed]');
});

it('declares that not found is final after a while, unless the settings say otherwise', async () => {
  const declared = (settings: Settings) =>
    PAWAPAY.create(pawapaySettings('http://127.0.0.1:9', settings), connectorDeps()).abilities;
  assert.deepEqual(declared({}), {
    deduplicates: true,
    referenceMemoryMs: 12 * 60 * 60_000,
    inquires: true,
    notFoundIsFinal: true,
    unconfirmedSuccessWaitMs: null,
    resolvesNames: false,
    reportsBalance: true,
    signedCallbacksAreFinal: false,
  });
  assert.equal(declared({ notFoundIsFinal: false }).notFoundIsFinal, false);
});

it('declares that signed callbacks are final only if the settings say so and require signatures', () => {
  const check = (settings: Settings) =>
    PAWAPAY.checkSettings?.(pawapaySettings('http://127.0.0.1:9', settings));
  const needed = ['signedCallbacksAreFinal: callbackSignatures must be "required" for it'];
  assert.deepEqual(check({ signedCallbacksAreFinal: true }), needed);
  const optional = { callbackSignatures: 'optional', signedCallbacksAreFinal: true } as const;
  assert.deepEqual(check(optional), needed);
  assert.deepEqual(check({ ...optional, signedCallbacksAreFinal: false }), []);
  const required = { callbackSignatures: 'required', signedCallbacksAreFinal: true } as const;
  assert.deepEqual(check(required), []);
  const settings = pawapaySettings('http://127.0.0.1:9', required);
  const { abilities } = PAWAPAY.create(settings, connectorDeps());
  assert.equal(abilities.signedCallbacksAreFinal, true);
});

it('resolves no names', async () => {
  using line = await open(() => ok({}));
  const account = { phone: '+260763456789', operator: 'mtn', country: 'zm' } as const;
  const answer = await line.connector.resolveName(account, { waitedMs: 0 });
  assert.equal(answer.kind, 'unreachable');
  assert.equal(line.server.requests.length, 0);
});
