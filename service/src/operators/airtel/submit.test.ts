import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  keyAnswer,
  payoutAnswer,
  type Script,
  somePayout,
} from '../../../test/fakes/fake-airtel.ts';
import type { FakeAnswer } from '../../../test/fakes/fake-server.ts';
import {
  both,
  connectToClosedPort,
  INQUIRE,
  idOf,
  KEYS,
  NEVER,
  SPKI,
  SUBMIT,
  succeeds,
  TOKENS,
  withGateway,
} from '../../../test/fakes/with-fake-airtel.ts';
import type { Payout } from '../contract/connector.ts';

const AIRTEL_ID = 'CI240101.1234.A00001';

describe('a submission', () => {
  it('is paid at once if its answer reports amount, currency and number', async () => {
    const payout = somePayout();
    const text = 'You have sent ZMW 150.50 to 977123456, JANE BANDA.';
    await withGateway(both(NEVER, succeeds(payout, text)), async ({ connector, gateway }) => {
      const { outcome, wire } = await connector.submit(payout);
      const confirmed = ['reference', 'amount', 'currency', 'number'];
      assert.deepEqual(outcome, { kind: 'paid', operatorTransactionId: AIRTEL_ID, confirmed });
      assert.equal(wire?.request, `POST ${SUBMIT}`);
      assert.equal(wire?.httpStatus, 200);
      assert.equal(gateway.count(INQUIRE), 0);
    });
  });

  it('is paid with nothing confirmed, if its answer reports no fields', async () => {
    const payout = somePayout();
    await withGateway(both(NEVER, succeeds(payout)), async ({ connector, gateway }) => {
      const { outcome, wire } = await connector.submit(payout);
      const confirmed = ['reference'];
      assert.deepEqual(outcome, { kind: 'paid', operatorTransactionId: AIRTEL_ID, confirmed });
      assert.equal(wire?.request, `POST ${SUBMIT}`);
      assert.equal(gateway.count(INQUIRE), 0);
    });
  });

  it('names the fields of its success that differ from what was sent', async () => {
    const payout = somePayout();
    const text = 'You have sent ZMW 15.05 to 977123456, JANE BANDA.';
    await withGateway(both(NEVER, succeeds(payout, text)), async ({ connector }) => {
      const { outcome } = await connector.submit(payout);
      assert.deepEqual(outcome, {
        kind: 'mismatched',
        contradicted: ['amount'],
        cause: 'TS, but of another amount than was sent',
      });
    });
  });

  it('is unknown after any answer that is not documented', async () => {
    const payout = somePayout();
    const id = idOf(payout);
    const refusal = payoutAnswer({ id, status: 'TF', code: 'DP00900001007', success: false });
    const answers: FakeAnswer[] = [
      'reset',
      { status: 200, body: '' },
      { status: 200, body: '{"data":{"transaction":{"id":' },
      { status: 502, body: '<html><body>Bad gateway</body></html>' },
      { status: 200, body: '<html>Welcome</html>', headers: { 'content-type': 'text/html' } },
      { status: 302, body: '', headers: { location: '/elsewhere' } },
      { status: 403, body: '{"error":"forbidden","status_code":"403"}' },
      { status: 404, body: '{}' },
      { ...refusal, status: 500 },
      payoutAnswer({ id, status: 'TF', code: 'DP00900001017', success: false }),
      payoutAnswer({ id, status: 'TF', code: 'DP00900001011', success: false }),
      payoutAnswer({ id, status: 'TF', code: 'DP00900001999', success: false }),
      payoutAnswer({ id, status: 'TA', code: 'DP00900001000', success: false }),
      payoutAnswer({ id: 'another', status: 'TF', code: 'DP00900001007', success: false }),
      { status: 200, body: 'x'.repeat(300_000) },
    ];
    await withGateway(
      { [SUBMIT]: (_, count) => answers[count - 1] ?? 'reset' },
      async ({ connector, gateway }) => {
        for (const answer of answers) {
          const { outcome, wire } = await connector.submit(payout);
          assert.equal(outcome.kind, 'unknown', JSON.stringify(answer).slice(0, 200));
          assert.ok(wire);
        }
        assert.equal(gateway.count(SUBMIT), answers.length);
      },
    );
  });

  it('reports that Airtel already has a payout under our id', async () => {
    const payout = somePayout();
    const id = idOf(payout);
    const answers = ['DP00900001017', 'DP00900001007', 'DP00900001999'].map((code) =>
      payoutAnswer({ id, status: 'TF', code, success: false }),
    );
    await withGateway(
      { [SUBMIT]: (_, count) => answers[count - 1] ?? 'reset' },
      async ({ connector }) => {
        const said: (boolean | undefined)[] = [];
        for (const _ of answers) {
          const { outcome } = await connector.submit(payout);
          said.push(outcome.kind === 'unknown' ? outcome.isDuplicate : undefined);
        }
        assert.deepEqual(said, [true, undefined, undefined]);
      },
    );
  });

  it('is unknown when no answer comes in time', async () => {
    await withGateway(
      { [SUBMIT]: () => 'hang' },
      async ({ connector }) => {
        const { outcome, wire } = await connector.submit(somePayout());
        assert.deepEqual(outcome, { kind: 'unknown', cause: 'no answer within 200 ms' });
        assert.equal(wire?.httpStatus, null);
      },
      { timeouts: { submitMs: 200 } },
    );
  });

  it('is pending while in progress, with inquiries that become rarer with its age', async () => {
    const young = somePayout();
    const old = somePayout({ createdAt: new Date(Date.now() - 100_000) });
    const ancient = somePayout({ createdAt: new Date(0) });
    const inProgress: Script = ({ body }) =>
      payoutAnswer({ id: JSON.parse(body).reference, status: 'TIP', code: 'DP00900001006' });
    await withGateway({ [SUBMIT]: inProgress }, async ({ connector }) => {
      const inquireInMs = async (payout: Payout): Promise<number> => {
        const { outcome } = await connector.submit(payout);
        return outcome.kind === 'pending' ? outcome.inquireInMs : 0;
      };
      assert.equal(await inquireInMs(young), 5_000);
      const oldMs = await inquireInMs(old);
      assert.ok(oldMs >= 50_000 && oldMs < 180_000, String(oldMs));
      assert.equal(await inquireInMs(ancient), 180_000);
    });
  });

  it('is rejected with the code of the table and the record of the answer', async () => {
    const payout = somePayout();
    const refusal = payoutAnswer(
      { id: idOf(payout), status: 'TF', code: 'DP00900001007', success: false },
      400,
    );
    await withGateway({ [SUBMIT]: () => refusal }, async ({ connector }) => {
      const { outcome, wire } = await connector.submit(payout);
      assert.deepEqual(outcome, {
        kind: 'rejected',
        failure: 'OPERATOR_FLOAT_INSUFFICIENT',
        cause: 'DP00900001007: insufficient funds',
      });
      assert.equal(wire?.httpStatus, 400);
      assert.match(wire?.answer ?? '', /DP00900001007/);
    });
  });

  it('is "not sent" if the connection is refused', async () => {
    const connector = await connectToClosedPort();
    const { outcome, wire } = await connector.submit(somePayout());
    assert.deepEqual(outcome, {
      kind: 'notSent',
      cause: 'no token: ECONNREFUSED',
      retryInMs: 5_000,
    });
    assert.equal(wire, null);
    connector.close?.();
  });

  it('is "not sent" if no token is given, and that refusal is not recorded', async () => {
    const refused: Script = () => ({ status: 401, body: '{"error":"invalid_client"}' });
    await withGateway({ [TOKENS]: refused }, async ({ connector, gateway }) => {
      const { outcome, wire } = await connector.submit(somePayout());
      assert.deepEqual(outcome, { kind: 'notSent', cause: 'no token: HTTP 401', retryInMs: 5_000 });
      assert.equal(wire, null);
      assert.equal(gateway.count(SUBMIT), 0);
    });
  });

  it('is "not sent" if the public key cannot be fetched or arrives too late', async () => {
    const bad = JSON.stringify({ status: { response_code: 'DP02010001000', success: false } });
    await withGateway(
      { [KEYS]: () => ({ status: 200, body: bad }) },
      async ({ connector, gateway }) => {
        const { outcome, wire } = await connector.submit(somePayout());
        assert.equal(outcome.kind, 'notSent');
        assert.equal(wire, null);
        assert.equal(gateway.count(SUBMIT), 0);
      },
    );
    let nowMs = 0;
    const late: Script = () => {
      nowMs += 5_001;
      return keyAnswer(SPKI);
    };
    await withGateway(
      { [KEYS]: late },
      async ({ connector, gateway }) => {
        assert.equal((await connector.submit(somePayout())).outcome.kind, 'notSent');
        assert.equal(gateway.count(SUBMIT), 0);
      },
      { monotonicMs: () => nowMs },
    );
  });

  it('with a number or currency of another country is never sent, and does not throw', async () => {
    await withGateway({}, async ({ connector, gateway }) => {
      const abroad = { country: 'ng', phone: '+2348021234567' } as const;
      for (const wrong of [abroad, { currency: 'NGN' } as const]) {
        const { outcome } = await connector.submit(somePayout(wrong));
        assert.deepEqual(outcome, { kind: 'unknown', cause: 'the connector failed: Error' });
      }
      assert.equal(gateway.requests.length, 0);
    });
  });
});
