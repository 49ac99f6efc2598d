import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Bytes,
  CONNECTIONS_MAX,
  connectTo,
  payoutAnswer,
  type Script,
  somePayout,
  startFakeGateway,
  tokenAnswer,
} from '../../../test/fakes/fake-airtel.ts';
import {
  idOf,
  REFUSES,
  SPKI,
  SUBMIT,
  TOKENS,
  withGateway,
} from '../../../test/fakes/with-fake-airtel.ts';
import { pollUntil } from '../../../test/poll.ts';
import type { Outcome } from '../../domain/outcome.ts';

describe('a token that is refused', () => {
  const EXPIRED: Bytes = { status: 401, body: '{"error":"invalid_token"}' };

  it('is replaced, and the same bytes are sent once more', async () => {
    const payout = somePayout();
    const tokens: Script = (_, count) => tokenAnswer(`token-number-${count}`);
    const submit: Script = ({ headers }) =>
      headers.authorization === 'Bearer token-number-2'
        ? payoutAnswer({ id: idOf(payout), status: 'TF', code: 'DP00900001012', success: false })
        : EXPIRED;
    await withGateway({ [TOKENS]: tokens, [SUBMIT]: submit }, async ({ connector, gateway }) => {
      const { outcome, wire, earlier } = await connector.submit(payout);
      // Only an inquiry can tell whether the first request had an effect.
      assert.equal(outcome.kind, 'unknown');
      assert.equal(wire?.httpStatus, 200);
      assert.deepEqual(
        earlier?.map(({ httpStatus }) => httpStatus),
        [401],
      );
      const bodies = gateway.requests.filter(({ path }) => path === SUBMIT).map(({ body }) => body);
      assert.equal(bodies.length, 2);
      assert.equal(bodies[0], bodies[1]);
    });
  });

  it('a second time leaves the payout unknown, and nothing is sent a third time', async () => {
    await withGateway({ [SUBMIT]: () => EXPIRED }, async ({ connector, gateway }) => {
      const { outcome, wire } = await connector.submit(somePayout());
      assert.equal(outcome.kind, 'unknown');
      assert.equal(wire?.httpStatus, 401);
      assert.equal(gateway.count(SUBMIT), 2);
    });
  });

  it('and cannot be replaced leaves the payout unknown', async () => {
    const tokens: Script = (_, count) => (count === 1 ? tokenAnswer() : { status: 503, body: '' });
    await withGateway(
      { [TOKENS]: tokens, [SUBMIT]: () => EXPIRED },
      async ({ connector, gateway }) => {
        assert.equal((await connector.submit(somePayout())).outcome.kind, 'unknown');
        assert.equal(gateway.count(SUBMIT), 1);
      },
    );
  });

  it('is not sent again when no time is left', async () => {
    let nowMs = 0;
    const late: Script = () => {
      nowMs += 4_001;
      return EXPIRED;
    };
    await withGateway(
      { [SUBMIT]: late },
      async ({ connector, gateway }) => {
        assert.equal((await connector.submit(somePayout())).outcome.kind, 'unknown');
        assert.equal(gateway.count(SUBMIT), 1);
      },
      { monotonicMs: () => nowMs },
    );
  });

  it('leaves the payout unknown, never unsent, if the second request cannot connect', async () => {
    const gateway = await startFakeGateway({
      [SUBMIT]: () => ({ ...EXPIRED, headers: { connection: 'close' } }),
      [TOKENS]: (_, count) => {
        // The address stops listening between the first request and the second.
        if (count === 2) gateway.refuse();
        return { ...tokenAnswer(`token-${count}`), headers: { connection: 'close' } };
      },
    });
    const connector = connectTo(gateway.baseUrl, { settings: { publicKey: SPKI } });
    try {
      const { outcome } = await connector.submit(somePayout());
      assert.deepEqual(outcome, { kind: 'unknown', cause: 'ECONNREFUSED' });
    } finally {
      connector.close?.();
      await gateway.close();
    }
  });

  it('is fetched once for 50 concurrent submissions, at the start and after a 401', async () => {
    let valid = 1;
    const tokens: Script = () => tokenAnswer(`token-number-${valid}`);
    const submit: Script = ({ headers, body }) =>
      headers.authorization === `Bearer token-number-${valid}`
        ? payoutAnswer({
            id: JSON.parse(body).reference,
            status: 'TF',
            code: 'DP00900001003',
            success: false,
          })
        : EXPIRED;
    await withGateway({ [TOKENS]: tokens, [SUBMIT]: submit }, async ({ connector, gateway }) => {
      const round = async (kind: Outcome['kind']): Promise<void> => {
        const payouts = Array.from({ length: 50 }, () => somePayout());
        const replies = await Promise.all(payouts.map((payout) => connector.submit(payout)));
        assert.ok(replies.every(({ outcome }) => outcome.kind === kind));
      };
      await round('rejected');
      assert.equal(gateway.count(TOKENS), 1);
      valid = 2;
      // A refusal of a payout that was sent twice is not final; an inquiry decides.
      await round('unknown');
      assert.equal(gateway.count(TOKENS), 2);
      assert.equal(gateway.count(SUBMIT), 150);
    });
  });
});

describe('a token', () => {
  it('is renewed before it expires, whether its lifetime is text or a number', async () => {
    for (const expiresIn of ['"180"', '180', '180.0', 'null', '"soon"', '{}', '"-5"']) {
      let nowMs = 0;
      const tokens: Script = (_, count) => tokenAnswer(`token-number-${count}`, expiresIn);
      await withGateway(
        { [TOKENS]: tokens, [SUBMIT]: REFUSES },
        async ({ connector, gateway }) => {
          const carried = async (): Promise<string | undefined> => {
            await connector.submit(somePayout());
            return gateway.requests.findLast(({ path }) => path === SUBMIT)?.headers.authorization;
          };
          assert.equal(await carried(), 'Bearer token-number-1');
          nowMs = 149_999;
          assert.equal(await carried(), 'Bearer token-number-1');
          assert.equal(gateway.count(TOKENS), 1, expiresIn);
          nowMs = 150_000;
          // Callers use the old token until the new one has arrived.
          assert.equal(await carried(), 'Bearer token-number-1');
          await pollUntil('the renewal', () => gateway.count(TOKENS) === 2);
          nowMs = 176_000;
          assert.equal(await carried(), 'Bearer token-number-2');
          assert.equal(gateway.count(TOKENS), 2, expiresIn);
        },
        { monotonicMs: () => nowMs },
      );
    }
  });

  it('is not used after its expiry if its renewal fails', async () => {
    let nowMs = 0;
    const tokens: Script = (_, count) => (count === 1 ? tokenAnswer() : { status: 500, body: '' });
    await withGateway(
      { [TOKENS]: tokens, [SUBMIT]: REFUSES },
      async ({ connector }) => {
        assert.equal((await connector.submit(somePayout())).outcome.kind, 'rejected');
        nowMs = 160_000;
        assert.equal((await connector.submit(somePayout())).outcome.kind, 'rejected');
        nowMs = 180_000;
        assert.equal((await connector.submit(somePayout())).outcome.kind, 'notSent');
      },
      { monotonicMs: () => nowMs },
    );
  });

  it('with a short lifetime is used for half of it, one with a year for an hour', async () => {
    const lives: [string, number][] = [
      ['20', 10_000],
      ['31536000', 3_570_000],
    ];
    for (const [expiresIn, freshMs] of lives) {
      let nowMs = 0;
      await withGateway(
        { [TOKENS]: () => tokenAnswer('token', expiresIn), [SUBMIT]: REFUSES },
        async ({ connector, gateway }) => {
          await connector.submit(somePayout());
          nowMs = freshMs - 1;
          await connector.submit(somePayout());
          assert.equal(gateway.count(TOKENS), 1);
          nowMs = freshMs;
          await connector.submit(somePayout());
          await pollUntil('the renewal', () => gateway.count(TOKENS) === 2);
        },
        { monotonicMs: () => nowMs },
      );
    }
  });

  it('that does not fit a header is not accepted', async () => {
    for (const token of ['', 'a b', 'a\\r\\nx-evil: 1', 'ü', 'x'.repeat(5_000)]) {
      await withGateway({ [TOKENS]: () => tokenAnswer(token) }, async ({ connector }) => {
        const { outcome } = await connector.submit(somePayout());
        assert.deepEqual(outcome, {
          kind: 'notSent',
          cause: 'no token: an answer without one',
          retryInMs: 5_000,
        });
      });
    }
  });

  it('can be fetched while every connection for payouts is busy', async () => {
    let nowMs = 0;
    await withGateway(
      { [SUBMIT]: () => 'hang' },
      async ({ connector, gateway }) => {
        const waiting = Array.from({ length: CONNECTIONS_MAX }, () =>
          connector.submit(somePayout()),
        );
        await pollUntil('all to wait', () => gateway.count(SUBMIT) === CONNECTIONS_MAX);
        nowMs = 176_000;
        const late = connector.submit(somePayout());
        await pollUntil('a second token', () => gateway.count(TOKENS) === 2);
        await gateway.close();
        await Promise.all([...waiting, late]);
      },
      { monotonicMs: () => nowMs, timeouts: { submitMs: 60_000 } },
    );
  });
});
