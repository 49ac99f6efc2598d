import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  API_KEY,
  COMPLETED_ANSWER,
  CONVERSATION_ID,
  connectorDeps,
  openConnector as open,
  PAID_ANSWER,
  PAYOUT,
  PUBLIC_KEY,
  type Scripted,
  vodacomSettings,
} from '../../../test/fakes/fake-vodacom.ts';
import { VODACOM } from './connector.ts';

type Settings = Parameters<typeof vodacomSettings>[1];

const ok = (body: unknown, status = 201): Scripted => ({ status, body });

describe('a payout', () => {
  it('is sent as documented, under a session that was fetched with the API key', async () => {
    using line = await open(() => ok(PAID_ANSWER), { settings: { origin: 'payouts.example.com' } });
    const { outcome, wire } = await line.connector.submit(PAYOUT);
    assert.deepEqual(outcome, {
      kind: 'paid',
      operatorTransactionId: 'hv9ahxcg4ccv',
      confirmed: ['reference'],
    });
    assert.equal(wire?.request, 'POST /sandbox/ipg/v2/vodacomZMB/b2cPayment/');
    assert.equal(wire?.httpStatus, 201);

    const [session] = line.server.sessionsSeen;
    assert.equal(session?.method, 'GET');
    assert.equal(session?.path, '/sandbox/ipg/v2/vodacomZMB/getSession/');
    assert.equal(session?.bearer, API_KEY);
    assert.equal(session?.headers.origin, 'payouts.example.com');

    const [payout] = line.server.seen;
    assert.equal(payout?.bearer, 'session-1');
    assert.equal(payout?.headers.origin, 'payouts.example.com');
    assert.equal(payout?.headers['content-type'], 'application/json');
    assert.deepEqual(JSON.parse(payout?.body ?? ''), {
      input_Amount: '150.50',
      input_Country: 'ZMB',
      input_Currency: 'ZMW',
      input_CustomerMSISDN: '260977433571',
      input_ServiceProviderCode: '000000',
      input_ThirdPartyConversationID: CONVERSATION_ID,
      input_TransactionReference: CONVERSATION_ID.slice(-20),
      input_PaymentItemsDesc: 'Salary June',
    });
  });

  it('uses the path of production and of the single stage if the settings say so', async () => {
    using line = await open(() => ok(PAID_ANSWER), {
      settings: { environment: 'production', payoutPath: 'b2cPayment/singleStage/' },
    });
    await line.connector.submit(PAYOUT);
    const url = line.server.seen[0]?.path;
    assert.equal(url, '/openapi/ipg/v2/vodacomZMB/b2cPayment/singleStage/');
  });

  it('is encrypted separately for every call', async () => {
    using line = await open(() => ok(PAID_ANSWER));
    await line.connector.submit(PAYOUT);
    await line.connector.submit(PAYOUT);
    const [first, second] = line.server.seen;
    assert.equal(first?.bearer, second?.bearer);
    assert.notEqual(first?.headers.authorization, second?.headers.authorization);
  });

  it('is pending in the async flow, with any ids in the acknowledgement', async () => {
    using line = await open(() => ok(PAID_ANSWER), { settings: { flow: 'async' } });
    assert.deepEqual((await line.connector.submit(PAYOUT)).outcome, {
      kind: 'pending',
      inquireInMs: 5_000,
    });
  });

  it('is unknown without an answer, and if the answer is unreadable', async () => {
    const worse: readonly Scripted[] = [
      'reset',
      'hang',
      { status: 502, body: '<html>Bad Gateway</html>' },
      { status: 500, body: PAID_ANSWER },
      { status: 200, body: PAID_ANSWER },
      { status: 201, body: '' },
      { status: 201, body: '{"output_ResponseCode":"INS-0"' },
    ];
    for (const scripted of worse) {
      const submitMs = scripted === 'hang' ? 1_500 : 5_000;
      const timeouts = { ...connectorDeps().timeouts, submitMs };
      using line = await open(() => scripted, { deps: { timeouts } });
      const { outcome } = await line.connector.submit(PAYOUT);
      assert.equal(outcome.kind, 'unknown', JSON.stringify(scripted));
      assert.equal(line.server.seen.length, 1);
    }
  });

  it('is "not sent" if the connection is refused', async () => {
    using line = await open(() => ok(PAID_ANSWER));
    // The session is fetched first; then the operator stops listening.
    assert.equal((await line.connector.submit(PAYOUT)).outcome.kind, 'paid');
    await line.server.close();
    let reply = await line.connector.submit(PAYOUT);
    // A kept connection may still have been open: that request is lost, the next is never sent.
    if (reply.outcome.kind === 'unknown') reply = await line.connector.submit(PAYOUT);
    assert.deepEqual(reply.outcome, { kind: 'notSent', cause: 'ECONNREFUSED', retryInMs: 5_000 });
    assert.equal(reply.wire?.httpStatus, null);
  });
});

describe('an inquiry', () => {
  it('uses our reference without dashes, under an id of its own', async () => {
    using line = await open(() => ok(COMPLETED_ANSWER, 200));
    const { outcome, wire } = await line.connector.inquire(PAYOUT, { checks: 0 });
    assert.deepEqual(outcome, { kind: 'paid', operatorTransactionId: '4C123GE3', confirmed: [] });
    assert.equal(wire?.request, 'GET /sandbox/ipg/v2/vodacomZMB/queryTransactionStatus/');
    const url = new URL(line.server.seen[0]?.path ?? '', 'http://x');
    assert.deepEqual(Object.fromEntries(url.searchParams), {
      input_QueryReference: CONVERSATION_ID,
      input_ServiceProviderCode: '000000',
      input_ThirdPartyConversationID: '11111111222243338444555555555555',
      input_Country: 'ZMB',
    });
    const reference = url.searchParams.get('input_QueryReference') ?? '';
    assert.match(reference, /^(?:[A-Za-z0-9]{10,20}|[A-Za-z0-9]{1,9}|[A-Za-z0-9]{21,32})$/);
  });

  it('is a POST if the settings say so', async () => {
    using line = await open(() => ok(COMPLETED_ANSWER, 200), {
      settings: { statusMethod: 'POST' },
    });
    assert.equal((await line.connector.inquire(PAYOUT, { checks: 0 })).outcome.kind, 'paid');
    const [seen] = line.server.seen;
    assert.equal(seen?.method, 'POST');
    assert.equal(seen?.path, '/sandbox/ipg/v2/vodacomZMB/queryTransactionStatus/');
    assert.equal(JSON.parse(seen?.body ?? '').input_QueryReference, CONVERSATION_ID);
  });

  it('that could not be sent is "unanswered" and proves nothing about the payout', async () => {
    using noSession = await open(() => 'reset', { session: () => 'reset' });
    const { outcome } = await noSession.connector.inquire(PAYOUT, { checks: 0 });
    assert.equal(outcome.kind, 'unanswered');
    using lost = await open(() => 'reset');
    assert.equal((await lost.connector.inquire(PAYOUT, { checks: 0 })).outcome.kind, 'unanswered');
  });
});

it('records no key, session or bearer that an answer repeats', async () => {
  using line = await open((request) => {
    const echo = `${API_KEY} ${request.bearer} ${request.headers.authorization}`;
    return { status: 500, body: `you said ${echo}` };
  });
  const { wire } = await line.connector.submit(PAYOUT);
  assert.equal(wire?.answer, 'you said [removed] [removed] Bearer [removed]');
});

it('declares abilities by its settings, with careful defaults', async () => {
  const declared = (settings: Settings) =>
    VODACOM.create(vodacomSettings('http://127.0.0.1:9', settings), connectorDeps()).abilities;
  assert.deepEqual(declared({}), {
    deduplicates: true,
    referenceMemoryMs: 12 * 60 * 60_000,
    inquires: true,
    notFoundIsFinal: false,
    unconfirmedSuccessWaitMs: null,
    resolvesNames: true,
    reportsBalance: false,
    signedCallbacksAreFinal: false,
  });
  const other = declared({ notFoundIsFinal: true, resolvesNames: false });
  assert.deepEqual([other.notFoundIsFinal, other.resolvesNames], [true, false]);
});

it('refuses to pay in a currency that is not the route’s', () => {
  const settings = vodacomSettings('http://127.0.0.1:9', { currency: 'NGN' });
  assert.throws(() => VODACOM.create(settings, connectorDeps()), /NGN.*ZMW/);
  const deps = connectorDeps({ country: 'ng' });
  assert.throws(() => VODACOM.create({ ...settings, currency: 'ZMW' }, deps), /ZMW.*NGN/);
  assert.equal(VODACOM.create(settings, deps).abilities.inquires, true);
});

it('names each setting that cannot work', () => {
  const check = (settings: Settings) =>
    VODACOM.checkSettings?.(vodacomSettings('https://openapi.m-pesa.com', settings));
  assert.deepEqual(check({}), []);
  const armoured = `-----BEGIN PUBLIC KEY-----\n${PUBLIC_KEY}\n-----END PUBLIC KEY-----`;
  assert.deepEqual(check({ publicKey: armoured }), []);
  assert.match(check({ publicKey: 'A'.repeat(200) })?.join() ?? '', /^publicKey: /);
  assert.match(check({ apiKey: 'x'.repeat(300) })?.join() ?? '', /^apiKey: /);
  assert.match(check({ baseUrl: 'http://openapi.m-pesa.com' })?.join() ?? '', /^baseUrl: /);
  const times = { sessionLifetimeMs: 40_000, sessionActivationMs: 30_000 };
  assert.match(check(times)?.join() ?? '', /^sessionLifetimeMs: /);
});
