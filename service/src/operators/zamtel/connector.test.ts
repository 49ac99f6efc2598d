import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import {
  type FakeAnswer,
  type FakeServer,
  startFakeServer,
} from '../../../test/fakes/fake-server.ts';
import type { Connector, Payout } from '../contract/connector.ts';
import { NOTHING_KEPT } from '../credentials/credential-store.ts';
import { ZAMTEL } from './connector.ts';

const REFERENCE = '7c9b7a46-2a6f-4f7f-9d0b-1e1d5b0b7a10';
const PAYOUT: Payout = {
  operatorReference: REFERENCE,
  phone: '+260955123456',
  operator: 'zamtel',
  country: 'zm',
  currency: 'ZMW',
  amountMinor: 9_007n,
  narration: "Mary's pay",
  createdAt: new Date(0),
};
const SETTINGS = {
  thirdPartyId: 'Kafue & Sons',
  password: 'pA/ss+wd==',
  shortcode: '000079',
  identifier: 'operator',
  credential: 'cR/ed+nt=',
};
const SUCCESS = { status: '0', message: 'Success', TransactionId: '9AB12CD3EF' };

type Line = Readonly<{ server: FakeServer; zamtel: Connector }>;

async function startZamtel(
  t: TestContext,
  script: Parameters<typeof startFakeServer>[0],
  options: Readonly<{ settings?: Partial<Static<typeof ZAMTEL.settings>>; submitMs?: number }> = {},
): Promise<Line> {
  const server = await startFakeServer(script);
  const settings = { ...SETTINGS, baseUrl: `${server.baseUrl}/ZampayRest`, ...options.settings };
  assert.ok(Value.Check(ZAMTEL.settings, settings));
  const { submitMs = 20_000 } = options;
  const zamtel = ZAMTEL.create(settings, {
    operator: 'zamtel',
    country: 'zm',
    timeouts: { tokenMs: 1, submitMs, inquireMs: 1, nameMs: 1, balanceMs: 1 },
    connectionsMax: 2,
    callbackUrl: null,
    referenceMemoryMs: 12 * 60 * 60_000,
    timeScale: 1,
    now: () => new Date(0),
    monotonicMs: () => performance.now(),
    wait: async () => undefined,
    newUuid: () => REFERENCE,
    credentials: NOTHING_KEPT,
  });
  t.after(async () => {
    zamtel.close?.();
    await server.close();
  });
  return { server, zamtel };
}

const json = (body: unknown): FakeAnswer => ({ status: 200, body: JSON.stringify(body) });

describe('a submission to Zamtel', () => {
  it("is one GET with everything in the query, escaped, under Zamtel's parameter names", async (t) => {
    const { server, zamtel } = await startZamtel(t, () => json(SUCCESS));
    const { outcome, wire } = await zamtel.submit(PAYOUT);
    assert.deepEqual(outcome, { kind: 'paid', operatorTransactionId: '9AB12CD3EF', confirmed: [] });
    assert.equal(wire?.request, 'GET /B2CReq');
    assert.equal(server.requests[0]?.method, 'GET');
    assert.equal(
      server.requests[0]?.path,
      '/ZampayRest/B2CReq?ThirdPartyID=Kafue%20%26%20Sons&Password=pA%2Fss%2Bwd%3D%3D&Amount=90.07' +
        '&Msisdn=260955123456&Shortcode=000079&identifier=operator&credential=cR%2Fed%2Bnt%3D' +
        `&ConversationId=${REFERENCE}`,
    );
  });

  it("writes the amount with Zamtel's decimals, or refuses it before anything is sent", async (t) => {
    const { server, zamtel } = await startZamtel(t, () => json(SUCCESS), {
      settings: { amountDecimals: 0 },
    });
    const { outcome } = await zamtel.submit(PAYOUT);
    assert.equal(outcome.kind === 'rejected' && outcome.failure, 'AMOUNT_REFUSED');
    assert.equal(server.requests.length, 0);
    await zamtel.submit({ ...PAYOUT, amountMinor: 9_000n });
    assert.match(server.requests[0]?.path ?? '', /&Amount=90&/);
  });

  it('is never sent twice, after any answer', async (t) => {
    const answers: readonly FakeAnswer[] = [
      'reset',
      'hang',
      { status: 401 },
      { status: 429, headers: { 'retry-after': '0' } },
      { status: 502, body: '<html></html>' },
      { status: 302, headers: { location: '/ZampayRest/B2CReq' } },
    ];
    for (const answer of answers) {
      const { server, zamtel } = await startZamtel(t, () => answer, { submitMs: 1_500 });
      const isThrottled = typeof answer === 'object' && answer.status === 429;
      const kind = isThrottled ? 'throttled' : 'unknown';
      assert.equal((await zamtel.submit(PAYOUT)).outcome.kind, kind, JSON.stringify(answer));
      assert.equal(server.requests.length, 1);
    }
  });

  it('has its own connection, so that a broken one affects no other payout', async (t) => {
    const { server, zamtel } = await startZamtel(t, () => json(SUCCESS));
    for (let sent = 0; sent < 3; sent += 1) await zamtel.submit(PAYOUT);
    assert.equal(server.connections(), 3);
  });

  it('is "not sent" if Zamtel refuses the connection', async (t) => {
    const { server, zamtel } = await startZamtel(t, () => json(SUCCESS));
    await server.close();
    assert.deepEqual((await zamtel.submit(PAYOUT)).outcome, {
      kind: 'notSent',
      cause: 'ECONNREFUSED',
      retryInMs: 5_000,
    });
  });

  it('records no secret of a page that repeats the query', async (t) => {
    const { zamtel } = await startZamtel(t, ({ path }) => ({
      status: 404,
      body: `<html>${path} ${decodeURIComponent(path)} not found</html>`,
    }));
    const { wire } = await zamtel.submit(PAYOUT);
    assert.match(wire?.answer ?? '', /Password=\[removed\]&Amount/);
    assert.doesNotMatch(wire?.answer ?? '', /pA|cR/);
  });
});

describe('the rest of Zamtel', () => {
  it('declares that it can only pay', async (t) => {
    const { server, zamtel } = await startZamtel(t, () => json(SUCCESS));
    assert.deepEqual(new Set(Object.values(zamtel.abilities)), new Set([false, 0, null]));
    const { outcome, wire } = await zamtel.inquire(PAYOUT, { checks: 0 });
    const cause = 'Zamtel has no inquiry';
    assert.deepEqual([outcome, wire], [{ kind: 'unknown', cause }, null]);
    assert.equal((await zamtel.resolveName(PAYOUT, { waitedMs: 0 })).kind, 'unreachable');
    assert.equal(server.requests.length, 0);
  });

  it('checks its settings strictly and marks its secrets', () => {
    assert.ok(Value.Check(ZAMTEL.settings, SETTINGS));
    assert.deepEqual(ZAMTEL.checkSettings?.(SETTINGS), []);
    for (const wrong of [{ password: '' }, { credential: 'a\nb' }, { other: 1 }]) {
      assert.ok(!Value.Check(ZAMTEL.settings, { ...SETTINGS, ...wrong }), JSON.stringify(wrong));
    }
    const plain = ZAMTEL.checkSettings?.({ ...SETTINGS, baseUrl: 'http://zamtel.example' });
    assert.deepEqual(plain, ['baseUrl: must begin with https://']);
    const fields = Object.entries(ZAMTEL.settings.properties);
    const secret = fields.filter(([, schema]) => 'secret' in schema && schema.secret === true);
    assert.deepEqual(
      secret.map(([name]) => name),
      ['password', 'credential'],
    );
  });
});
