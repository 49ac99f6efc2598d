import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { keyAnswer, type Script, somePayout } from '../../../test/fakes/fake-airtel.ts';
import { KEYS, REFUSES, SPKI, SUBMIT, withGateway } from '../../../test/fakes/with-fake-airtel.ts';
import { pollUntil } from '../../../test/poll.ts';

const HOUR_MS = 3_600_000;

describe('the public key', () => {
  it('is fetched once and kept', async () => {
    await withGateway({ [KEYS]: () => keyAnswer(SPKI), [SUBMIT]: REFUSES }, async (stage) => {
      const payouts = Array.from({ length: 20 }, () => somePayout());
      await Promise.all(payouts.map((payout) => stage.connector.submit(payout)));
      await stage.connector.submit(somePayout());
      assert.equal(stage.gateway.count(KEYS), 1);
      assert.equal(stage.gateway.count(SUBMIT), 21);
    });
  });

  it('is fetched again after Airtel could not decrypt with it', async () => {
    const submit: Script = () => ({
      status: 400,
      body: '{"status_code":"ROUTER116","status_message":"x"}',
    });
    await withGateway({ [KEYS]: () => keyAnswer(SPKI), [SUBMIT]: submit }, async (stage) => {
      assert.equal((await stage.connector.submit(somePayout())).outcome.kind, 'rejected');
      assert.equal((await stage.connector.submit(somePayout())).outcome.kind, 'rejected');
      assert.equal(stage.gateway.count(KEYS), 2);
    });
  });

  it('is fetched again daily in the background', async () => {
    let nowMs = 0;
    await withGateway(
      { [KEYS]: () => keyAnswer(SPKI), [SUBMIT]: REFUSES },
      async ({ connector, gateway }) => {
        await connector.submit(somePayout());
        nowMs = 24 * HOUR_MS - 1;
        await connector.submit(somePayout());
        assert.equal(gateway.count(KEYS), 1);
        nowMs = 24 * HOUR_MS;
        await connector.submit(somePayout());
        await pollUntil('the renewal in the background', () => gateway.count(KEYS) === 2);
      },
      { monotonicMs: () => nowMs },
    );
  });

  it('is not used once it may have expired in some time zone', async () => {
    const inTwentyHours = new Date(Date.now() + 20 * HOUR_MS).toISOString();
    const written = inTwentyHours.slice(0, 19).replace('T', ' ');
    let nowMs = 0;
    const keys: Script = (_, count) =>
      count === 1 ? keyAnswer(SPKI, written) : { status: 503, body: '' };
    await withGateway(
      { [KEYS]: keys, [SUBMIT]: REFUSES },
      async ({ connector }) => {
        assert.equal((await connector.submit(somePayout())).outcome.kind, 'rejected');
        nowMs = 5 * HOUR_MS;
        assert.equal((await connector.submit(somePayout())).outcome.kind, 'rejected');
        nowMs = 6 * HOUR_MS + 1;
        assert.equal((await connector.submit(somePayout())).outcome.kind, 'notSent');
      },
      { monotonicMs: () => nowMs },
    );
  });

  it('with no expiry, or a past one, is used for ten minutes', async () => {
    for (const validUpTo of ['', 'for ever', '2001-01-01 00:00:00', '2099-13-45 99:00:00']) {
      let nowMs = 0;
      await withGateway(
        { [KEYS]: () => keyAnswer(SPKI, validUpTo), [SUBMIT]: REFUSES },
        async ({ connector, gateway }) => {
          await connector.submit(somePayout());
          nowMs = 600_000 - 1;
          await connector.submit(somePayout());
          assert.equal(gateway.count(KEYS), 1, validUpTo);
          nowMs = 600_000;
          await connector.submit(somePayout());
          assert.equal(gateway.count(KEYS), 2, validUpTo);
        },
        { monotonicMs: () => nowMs },
      );
    }
  });

  it('that cannot be used counts as missing', async () => {
    const small = generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey;
    const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
    const keys = [small, curve].map((key) =>
      key.export({ type: 'spki', format: 'der' }).toString('base64'),
    );
    for (const key of [...keys, '', 'AAAA', SPKI.slice(10)]) {
      await withGateway({ [KEYS]: () => keyAnswer(key) }, async ({ connector }) => {
        assert.equal((await connector.submit(somePayout())).outcome.kind, 'notSent');
      });
    }
  });
});
