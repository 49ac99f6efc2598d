import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Value } from 'typebox/value';
import {
  connectTo,
  payoutAnswer,
  type Script,
  somePayout,
  TOKEN,
} from '../../../test/fakes/fake-airtel.ts';
import type { FakeAnswer } from '../../../test/fakes/fake-server.ts';
import {
  connectToClosedPort,
  INQUIRE,
  idOf,
  PAIR,
  SPKI,
  SUBMIT,
  TOKENS,
  withGateway,
} from '../../../test/fakes/with-fake-airtel.ts';
import { AIRTEL } from './connector.ts';
import { toAirtelId } from './formats.ts';

describe('an inquiry', () => {
  it('reads paid, failed, in progress and not found, by our id', async () => {
    const payout = somePayout();
    const id = idOf(payout);
    const cases: [FakeAnswer, string][] = [
      [payoutAnswer({ id, status: 'TS' }), 'paid'],
      [payoutAnswer({ id, status: 'TF', code: 'DP00900001005', success: false }), 'rejected'],
      [payoutAnswer({ id, status: 'TIP', code: 'DP00900001006' }), 'pending'],
      [payoutAnswer({ code: 'DP00900001015', success: false }), 'notFound'],
      [payoutAnswer({ id, status: 'TA', code: 'DP00900001000', success: false }), 'unknown'],
      [
        payoutAnswer({ id: 'other', status: 'TF', code: 'DP00900001005', success: false }),
        'unknown',
      ],
    ];
    for (const [answer, expected] of cases) {
      await withGateway({ [INQUIRE]: () => answer }, async ({ connector, gateway }) => {
        const { outcome, wire } = await connector.inquire(payout, { checks: 0 });
        assert.equal(outcome.kind, expected);
        assert.equal(wire?.request, `GET ${INQUIRE}${id}`);
        assert.equal(gateway.requests.at(-1)?.path, `${INQUIRE}${id}?transactionType=B2C`);
      });
    }
  });

  it('that was never sent is unanswered and proves nothing about the payout', async () => {
    const connector = await connectToClosedPort();
    const { outcome } = await connector.inquire(somePayout(), { checks: 0 });
    assert.equal(outcome.kind, 'unanswered');
    connector.close?.();
  });

  it('replaces a token that is refused', async () => {
    const payout = somePayout();
    const script: Script = (_, count) =>
      count === 1 ? { status: 401, body: '' } : payoutAnswer({ id: idOf(payout), status: 'TS' });
    await withGateway({ [INQUIRE]: script }, async ({ connector, gateway }) => {
      assert.equal((await connector.inquire(payout, { checks: 0 })).outcome.kind, 'paid');
      assert.equal(gateway.count(TOKENS), 2);
    });
  });
});

describe('the record of an answer', () => {
  it('contains no secret that the operator repeats', async () => {
    const echo: Script = ({ body, headers }) => ({
      status: 500,
      body: JSON.stringify({ body, headers, more: 'client-secret-77 4829 callback-secret' }),
    });
    await withGateway(
      { [SUBMIT]: echo },
      async ({ connector, gateway }) => {
        const { wire } = await connector.submit(somePayout());
        const asked = gateway.requests.at(-1);
        const { pin } = JSON.parse(asked?.body ?? '{}');
        const secrets = [
          pin,
          asked?.headers['x-key'],
          TOKEN,
          'client-secret-77',
          'callback-secret',
        ];
        assert.ok(wire !== null && wire.answer.includes('[removed]'));
        for (const secret of [...secrets, '4829']) {
          assert.ok(typeof secret === 'string' && !wire.answer.includes(secret));
        }
      },
      { settings: { signRequests: true, callbackSecret: 'callback-secret' } },
    );
  });
});

describe('the kind', () => {
  it('serves Airtel in both countries, and declares its abilities', () => {
    assert.equal(AIRTEL.name, 'airtel');
    assert.deepEqual(
      AIRTEL.pairs?.map(({ operator, country }) => `${operator}:${country}`),
      ['airtel:zm', 'airtel:ng'],
    );
    const settings = { notFoundIsFinal: true };
    const abilities = {
      deduplicates: true,
      referenceMemoryMs: 12 * 60 * 60_000,
      inquires: true,
      resolvesNames: true,
      reportsBalance: true,
      signedCallbacksAreFinal: false,
      unconfirmedSuccessWaitMs: 5_000,
    };
    const careful = connectTo('http://127.0.0.1:9');
    assert.deepEqual(careful.abilities, { ...abilities, notFoundIsFinal: false });
    const sure = connectTo('http://127.0.0.1:9', { settings });
    assert.deepEqual(sure.abilities, { ...abilities, notFoundIsFinal: true });
  });

  it('marks secrets, and refuses unknown settings', () => {
    const secret = Object.entries(AIRTEL.settings.properties)
      .filter(([, schema]) => 'secret' in schema && schema.secret === true)
      .map(([name]) => name);
    assert.deepEqual(secret.sort(), ['callbackSecret', 'clientSecret', 'pin']);
    const given = { baseUrl: 'https://x', clientId: 'a', clientSecret: 'b', pin: '1234' };
    assert.ok(Value.Check(AIRTEL.settings, given));
    for (const wrong of [
      { pin: '123' },
      { pin: '12345' },
      { apiVersion: 'v4' },
      { colour: 'red' },
    ]) {
      assert.ok(!Value.Check(AIRTEL.settings, { ...given, ...wrong }), JSON.stringify(wrong));
    }
  });

  it('has every setting, with its default, in the table of its README', () => {
    const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8');
    for (const [name, schema] of Object.entries(AIRTEL.settings.properties)) {
      const row = readme.split('\n').find((line) => line.startsWith(`| \`${name}\` |`));
      assert.ok(row, name);
      if ('default' in schema) assert.ok(row.includes(`| \`${String(schema.default)}\` |`), row);
      if ('secret' in schema) assert.match(row, /secret/);
    }
  });

  it('names problems that a schema cannot express', () => {
    const given = { clientId: 'a', clientSecret: 'b', pin: '1234' };
    const check = (settings: Readonly<Record<string, unknown>>): readonly string[] =>
      AIRTEL.checkSettings?.({ baseUrl: 'https://openapi.airtel.africa', ...given, ...settings }) ??
      [];
    assert.deepEqual(check({}), []);
    assert.deepEqual(check({ baseUrl: 'http://127.0.0.1:4000', publicKey: SPKI }), []);
    const pem = PAIR.publicKey.export({ type: 'spki', format: 'pem' });
    assert.deepEqual(check({ publicKey: pem, signRequests: true, apiVersion: 'v2' }), []);
    const urls = [
      '',
      'openapi',
      'http://openapi.airtel.africa',
      'https://a:b@x',
      'https://x?y',
      'ftp://x',
    ];
    for (const baseUrl of urls) assert.match(check({ baseUrl }).join(), /^baseUrl: /, baseUrl);
    assert.match(check({ publicKey: 'AAAA' }).join(), /^publicKey: /);
    assert.match(check({ signRequests: true, apiVersion: 'v1' }).join(), /^signRequests: /);
    assert.equal(
      check({ baseUrl: '', publicKey: '?', signRequests: true, apiVersion: 'v1' }).length,
      3,
    );
  });

  it('verifies callbacks with the secret of its settings', () => {
    const callbackSecret = 'callback-secret';
    const connector = connectTo('http://127.0.0.1:9', { settings: { callbackSecret } });
    const { operatorReference } = somePayout();
    const transaction = { id: toAirtelId(operatorReference), status_code: 'TS' };
    const hash = createHmac('sha256', callbackSecret)
      .update(JSON.stringify({ transaction }))
      .digest('base64');
    const read = (body: unknown) =>
      connector.readCallback?.({
        method: 'POST',
        path: '/',
        headers: {},
        body: Buffer.from(JSON.stringify(body)),
      });
    assert.equal(read({ transaction })?.kind, 'forged');
    assert.deepEqual(read({ transaction, hash }), {
      kind: 'read',
      operatorReference,
      claims: 'paid',
      verified: true,
    });
  });
});
