import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Value } from 'typebox/value';
import {
  API_USER,
  json,
  PAYOUT,
  REFERENCE,
  SECRETS,
  startMtn,
} from '../../../test/fakes/fake-mtn.ts';
import type { FakeAnswer } from '../../../test/fakes/fake-server.ts';
import { REPORTED_FIELDS } from '../../domain/outcome.ts';
import { MTN } from './connector.ts';

const STATUS = {
  amount: '150.50',
  currency: 'ZMW',
  externalId: REFERENCE,
  payee: { partyIdType: 'MSISDN', partyId: '260966123456' },
  financialTransactionId: '363440463',
  status: 'SUCCESSFUL',
};

const TOKEN = 'POST /disbursement/token/';
const TRANSFER = 'POST /disbursement/v1_0/transfer';

describe('a submission to MTN', () => {
  it('fetches a token as documented and sends the transfer with it', async (t) => {
    const { server, mtn, paths } = await startMtn(t, () => ({ status: 202 }));
    const { outcome, wire } = await mtn.submit(PAYOUT);
    assert.deepEqual(outcome, { kind: 'pending', inquireInMs: 2_000 });
    assert.equal(wire?.request, 'POST /disbursement/v1_0/transfer');
    assert.equal(wire?.httpStatus, 202);
    assert.deepEqual(paths(), [TOKEN, TRANSFER]);

    const [token, transfer] = server.requests;
    const basic = Buffer.from(`${API_USER}:${SECRETS.apiKey}`).toString('base64');
    assert.equal(token?.headers.authorization, `Basic ${basic}`);
    assert.equal(token?.headers['content-type'], 'application/json');
    assert.deepEqual(JSON.parse(token?.body ?? ''), { grant_type: 'client_credentials' });
    assert.equal(transfer?.headers.authorization, 'Bearer token-1');
    assert.equal(transfer?.headers['x-reference-id'], REFERENCE);
    assert.equal(transfer?.headers['x-target-environment'], 'mtnzambia');
    assert.equal(transfer?.headers['ocp-apim-subscription-key'], SECRETS.subscriptionKey);
    assert.equal(transfer?.headers['x-callback-url'], undefined);
    const body = JSON.parse(transfer?.body ?? '');
    assert.deepEqual([body.amount, body.payeeNote], ['150.50', 'Mary s pay']);
  });

  it('requests callbacks if it has a callback address, and then inquires later', async (t) => {
    const deps = { callbackUrl: 'https://pay.example/hooks/mtn', country: 'ng' } as const;
    const { server, mtn } = await startMtn(t, () => ({ status: 202 }), { deps });
    const { outcome } = await mtn.submit(PAYOUT);
    assert.deepEqual(outcome, { kind: 'pending', inquireInMs: 5_000 });
    assert.equal(server.requests[1]?.headers['x-callback-url'], deps.callbackUrl);
    assert.equal(server.requests[1]?.headers['x-target-environment'], 'mtnnigeria');
  });

  it('fetches one token for many', async (t) => {
    const { mtn, paths } = await startMtn(t, () => ({ status: 202 }));
    await Promise.all(Array.from({ length: 10 }, () => mtn.submit(PAYOUT)));
    assert.equal(paths().filter((path) => path === TOKEN).length, 1);
    assert.equal(paths().filter((path) => path === TRANSFER).length, 10);
  });

  it('is sent once more under the same reference with a fresh token after 401', async (t) => {
    const { server, mtn, paths } = await startMtn(t, ({ headers }) => ({
      status: headers.authorization === 'Bearer token-1' ? 401 : 202,
    }));
    assert.equal((await mtn.submit(PAYOUT)).outcome.kind, 'pending');
    assert.deepEqual(paths(), [TOKEN, TRANSFER, TOKEN, TRANSFER]);
    assert.equal(server.requests[3]?.headers['x-reference-id'], REFERENCE);
    assert.equal(server.requests[3]?.body, server.requests[1]?.body);
  });

  it('is in doubt when the payout that was sent again is refused, and keeps both answers', async (t) => {
    const { mtn } = await startMtn(t, ({ headers }) =>
      headers.authorization === 'Bearer token-1'
        ? { status: 401 }
        : { status: 400, body: JSON.stringify({ code: 'NOT_ENOUGH_FUNDS', message: 'x' }) },
    );
    const { outcome, wire, earlier } = await mtn.submit(PAYOUT);
    assert.equal(outcome.kind, 'unknown');
    assert.equal(wire?.httpStatus, 400);
    assert.deepEqual(
      earlier?.map(({ httpStatus }) => httpStatus),
      [401],
    );
  });

  it('is in doubt after a second 401, and sends no third time', async (t) => {
    const { mtn, paths } = await startMtn(t, () => ({ status: 401 }));
    assert.deepEqual((await mtn.submit(PAYOUT)).outcome, { kind: 'unknown', cause: 'HTTP 401' });
    assert.equal(paths().filter((path) => path === TRANSFER).length, 2);
  });

  it('is not repeated if that would outlast the timeouts of token and submission', async (t) => {
    let nowMs = 0;
    const refuseLate = (): FakeAnswer => {
      nowMs += 20_001;
      return { status: 401 };
    };
    const { mtn, paths } = await startMtn(t, refuseLate, { deps: { monotonicMs: () => nowMs } });
    assert.equal((await mtn.submit(PAYOUT)).outcome.kind, 'unknown');
    assert.deepEqual(paths(), [TOKEN, TRANSFER]);
  });

  it('is in doubt when there is no second token after 401', async (t) => {
    const { mtn } = await startMtn(t, () => ({ status: 401 }), {
      token: (nth) => (nth === 1 ? json(200, { access_token: 'token-1' }) : { status: 500 }),
    });
    assert.equal((await mtn.submit(PAYOUT)).outcome.kind, 'unknown');
  });

  it('is in doubt if the repetition cannot connect, because the first request was sent', async (t) => {
    let refuse = (): void => undefined;
    const headers = { connection: 'close' };
    const { server, mtn } = await startMtn(t, () => ({ status: 401, headers }), {
      token(nth) {
        if (nth === 2) refuse();
        return { status: 200, headers, body: JSON.stringify({ access_token: `token-${nth}` }) };
      },
    });
    refuse = server.refuse;
    const { outcome } = await mtn.submit(PAYOUT);
    assert.deepEqual(outcome, { kind: 'unknown', cause: 'HTTP 401, and then ECONNREFUSED' });
  });

  it('is "not sent" if no token could be fetched', async (t) => {
    const answers: readonly FakeAnswer[] = [
      { status: 401 },
      { status: 200, body: '<html>Request Rejected</html>' },
      'reset',
    ];
    for (const answer of answers) {
      const { mtn, paths } = await startMtn(t, () => ({ status: 202 }), { token: () => answer });
      const { outcome, wire } = await mtn.submit(PAYOUT);
      assert.equal(outcome.kind === 'notSent' && outcome.retryInMs, 5_000);
      assert.equal(wire, null);
      assert.deepEqual(paths(), [TOKEN]);
    }
  });

  it('is "not sent" if MTN cannot be reached at all', async (t) => {
    const { server, mtn } = await startMtn(t, () => ({ status: 202 }));
    await server.close();
    assert.equal((await mtn.submit(PAYOUT)).outcome.kind, 'notSent');
  });

  it('is in doubt if MTN accepts the connection and does not answer', async (t) => {
    for (const answer of ['hang', 'reset'] as const) {
      const timeouts = { tokenMs: 20_000, submitMs: 1_500, inquireMs: 1, nameMs: 1, balanceMs: 1 };
      const { mtn } = await startMtn(t, () => answer, { deps: { timeouts } });
      assert.equal((await mtn.submit(PAYOUT)).outcome.kind, 'unknown', answer);
    }
  });

  it('is refused without being sent if the amount has too many decimals for the market', async (t) => {
    const { mtn, paths } = await startMtn(t, () => ({ status: 202 }), {
      settings: { amountDecimals: 0 },
    });
    const { outcome } = await mtn.submit(PAYOUT);
    assert.equal(outcome.kind === 'rejected' && outcome.failure, 'AMOUNT_REFUSED');
    assert.deepEqual(paths(), []);
  });

  it('records no secret of an answer that repeats it', async (t) => {
    const { mtn } = await startMtn(t, ({ headers }) => json(500, headers));
    const { wire } = await mtn.submit(PAYOUT);
    assert.match(wire?.answer ?? '', /Bearer \[removed\]/);
    assert.doesNotMatch(wire?.answer ?? '', /token-1|sub-key/);
  });
});

describe('an inquiry at MTN', () => {
  it('finds out that a payout was paid', async (t) => {
    const { mtn, paths } = await startMtn(t, () => json(200, STATUS));
    const { outcome, wire } = await mtn.inquire(PAYOUT, { checks: 0 });
    assert.deepEqual(outcome, {
      kind: 'paid',
      operatorTransactionId: '363440463',
      confirmed: REPORTED_FIELDS,
    });
    assert.equal(wire?.httpStatus, 200);
    assert.equal(paths()[1], `GET /disbursement/v1_0/transfer/${REFERENCE}`);
  });

  it('schedules the next inquiry about a pending payout by a share of its age', async (t) => {
    const { mtn } = await startMtn(t, () => json(200, { ...STATUS, status: 'PENDING' }));
    const { outcome } = await mtn.inquire(PAYOUT, { checks: 0 });
    assert.deepEqual(outcome, { kind: 'pending', inquireInMs: 10_000 });
    const old = { ...PAYOUT, createdAt: new Date(-86_400_000) };
    const late = await mtn.inquire(old, { checks: 0 });
    assert.deepEqual(late.outcome, { kind: 'pending', inquireInMs: 120_000 });
    const young = await mtn.inquire({ ...PAYOUT, createdAt: new Date(50_000) }, { checks: 0 });
    assert.deepEqual(young.outcome, { kind: 'pending', inquireInMs: 2_000 });
  });

  it('is repeated with a fresh token after 401', async (t) => {
    const { mtn } = await startMtn(t, (_, tokens) =>
      tokens === 1 ? { status: 401 } : json(200, STATUS),
    );
    assert.equal((await mtn.inquire(PAYOUT, { checks: 0 })).outcome.kind, 'paid');
  });

  it('is "unanswered", never "not sent", however little of it got through', async (t) => {
    const { server, mtn } = await startMtn(t, () => 'reset');
    assert.equal((await mtn.inquire(PAYOUT, { checks: 0 })).outcome.kind, 'unanswered');
    await server.close();
    assert.equal((await mtn.inquire(PAYOUT, { checks: 0 })).outcome.kind, 'unanswered');
    const unlisted = await startMtn(t, () => json(200, STATUS), { token: () => ({ status: 403 }) });
    const { outcome, wire } = await unlisted.mtn.inquire(PAYOUT, { checks: 0 });
    assert.deepEqual([outcome.kind, wire], ['unanswered', null]);
  });

  it("compares with the sandbox's currency if that was sent", async (t) => {
    const settings = { targetEnvironment: 'sandbox', currency: 'EUR' };
    const { mtn } = await startMtn(t, () => json(200, { ...STATUS, currency: 'EUR' }), {
      settings,
    });
    assert.equal((await mtn.inquire(PAYOUT, { checks: 0 })).outcome.kind, 'paid');
  });
});

describe('the rest of MTN', () => {
  it('reads our balance', async (t) => {
    const balance = { availableBalance: '1000', currency: 'ZMW' };
    const { mtn, paths } = await startMtn(t, () => json(200, balance));
    const known = { kind: 'known', availableMinor: 100_000n, currency: 'ZMW' };
    assert.deepEqual(await mtn.balance?.(), known);
    assert.equal(paths()[1], 'GET /disbursement/v1_0/account/balance');
  });

  it('declares what it can do, as its settings say', async (t) => {
    const { mtn } = await startMtn(t, () => ({ status: 500 }));
    const abilities = {
      deduplicates: true,
      referenceMemoryMs: 12 * 60 * 60_000,
      inquires: true,
      notFoundIsFinal: true,
      unconfirmedSuccessWaitMs: null,
      resolvesNames: true,
      reportsBalance: true,
      signedCallbacksAreFinal: false,
    };
    assert.deepEqual(mtn.abilities, abilities);
    const careful = await startMtn(t, () => ({ status: 500 }), {
      settings: { notFoundIsFinal: false },
    });
    assert.deepEqual(careful.mtn.abilities, { ...abilities, notFoundIsFinal: false });
    assert.equal(MTN.operatorLimits.inquiriesPerSecond, 10);
  });

  it('checks its settings strictly and marks its secrets', () => {
    const settings = { ...SECRETS, apiUser: API_USER };
    assert.ok(Value.Check(MTN.settings, settings));
    assert.deepEqual(MTN.checkSettings?.(settings), []);
    for (const wrong of [
      { apiKey: 'a b' },
      { apiUser: 'a:b' },
      { amountDecimals: 3 },
      { other: 1 },
    ]) {
      assert.ok(!Value.Check(MTN.settings, { ...settings, ...wrong }), JSON.stringify(wrong));
    }
    const problems = MTN.checkSettings?.({
      ...settings,
      baseUrl: 'http://mtn.example',
      currency: 'EUR',
    });
    assert.deepEqual(problems, [
      'baseUrl: must begin with https://',
      'currency: only for the target environment sandbox',
    ]);
    const fields = Object.entries(MTN.settings.properties);
    const secret = fields.filter(([, schema]) => 'secret' in schema && schema.secret === true);
    assert.deepEqual(
      secret.map(([name]) => name),
      ['subscriptionKey', 'apiKey'],
    );
  });
});
