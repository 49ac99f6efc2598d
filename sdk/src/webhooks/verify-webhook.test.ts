import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { signWebhookForTests } from './sign-webhook-for-tests.ts';
import { verifyScreening, verifyWebhook } from './verify-webhook.ts';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const SECRET = newSecret();
const NOW = new Date('2026-11-15T08:00:00Z');
const EVENT = {
  id: 'evt_1',
  type: 'transfer.successful',
  createdAt: '2026-11-15T08:00:00.000Z',
  mode: 'test',
  sequence: 3,
  data: { id: 't1', recipientName: 'Śćężka 😀' },
};
const PAYLOAD = JSON.stringify(EVENT);
const secondsAway = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);

const signed = (more: { now?: Date; payload?: string; secret?: string } = {}) =>
  signWebhookForTests({ payload: PAYLOAD, secret: SECRET, now: NOW, id: 'evt_1', ...more });

describe('verifyWebhook', () => {
  it('gives the event of a signed delivery, as text, bytes or buffer', async () => {
    const headers = await signed();
    const bytes = new TextEncoder().encode(PAYLOAD);
    for (const payload of [PAYLOAD, bytes, bytes.buffer, Buffer.from(PAYLOAD)]) {
      assert.deepEqual(await verifyWebhook({ payload, headers, secret: SECRET, now: NOW }), EVENT);
    }
  });

  it('takes the headers as fetch, Node.js and others have them', async () => {
    const headers = await signed();
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
    );
    for (const each of [new Headers(headers), upper, { ...headers, other: undefined }]) {
      await verifyWebhook({ payload: PAYLOAD, headers: each, secret: SECRET, now: NOW });
    }
  });

  it('agrees with HMAC-SHA256 over id, timestamp and body, made without it', async () => {
    const timestamp = String(NOW.getTime() / 1_000);
    const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
    const hmac = createHmac('sha256', key).update(`evt_9.${timestamp}.${PAYLOAD}`);
    const headers = {
      'webhook-id': 'evt_9',
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${hmac.digest('base64')}`,
    };
    await verifyWebhook({ payload: PAYLOAD, headers, secret: SECRET, now: NOW });
  });

  it('understands what standardwebhooks signs, and signs what that understands', async () => {
    const standard = new Webhook(SECRET);
    const now = new Date();
    const headers = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': standard.sign('evt_1', now, PAYLOAD),
    };
    assert.deepEqual(await verifyWebhook({ payload: PAYLOAD, headers, secret: SECRET }), EVENT);
    assert.deepEqual(standard.verify(PAYLOAD, { ...(await signed({ now })) }), EVENT);
  });

  it('believes either secret while one is being rotated, on either side', async () => {
    const next = newSecret();
    const both = await signWebhookForTests({ payload: PAYLOAD, secrets: [SECRET, next], now: NOW });
    const delivery = { payload: PAYLOAD, headers: both, now: NOW };
    await verifyWebhook({ ...delivery, secret: SECRET });
    await verifyWebhook({ ...delivery, secret: next });
    const headers = await signed();
    await verifyWebhook({ ...delivery, headers, secrets: [next, SECRET] });
  });

  it('passes over signatures of other versions and what is no base64', async () => {
    const headers = await signed();
    const signature = `v1a,AAAA v1,%%% v1, ${headers['webhook-signature']}`;
    const delivery = { payload: PAYLOAD, secret: SECRET, now: NOW };
    await verifyWebhook({ ...delivery, headers: { ...headers, 'webhook-signature': signature } });
  });
});

describe('verifyWebhook refuses', () => {
  const delivery = { payload: PAYLOAD, secret: SECRET, now: NOW };

  it('what was changed, however little, or signed with another secret', async () => {
    const headers = await signed();
    const changed = [
      { payload: `${PAYLOAD} ` },
      { payload: PAYLOAD.replace('test', 'live') },
      { headers: { ...headers, 'webhook-id': 'evt_2' } },
      { headers: { ...headers, 'webhook-timestamp': String(NOW.getTime() / 1_000 + 1) } },
      { headers: { ...headers, 'webhook-signature': 'v1,' } },
      { headers: { ...headers, 'webhook-signature': headers['webhook-signature'].slice(3) } },
      { headers: { ...headers, 'webhook-signature': headers['webhook-signature'].slice(0, 20) } },
      { secret: newSecret() },
    ];
    for (const change of changed) {
      const refused = verifyWebhook({ ...delivery, headers, ...change });
      await assert.rejects(refused, { name: 'KafueWebhookError', code: 'INVALID_SIGNATURE' });
    }
  });

  it('what is older or newer than the tolerance', async () => {
    for (const seconds of [-300, 300]) {
      await verifyWebhook({ ...delivery, headers: await signed({ now: secondsAway(seconds) }) });
    }
    for (const seconds of [-301, 301]) {
      const headers = await signed({ now: secondsAway(seconds) });
      await assert.rejects(verifyWebhook({ ...delivery, headers }), { code: 'OUTSIDE_TOLERANCE' });
      await verifyWebhook({ ...delivery, headers, toleranceSeconds: 301 });
      const refused = verifyWebhook({ ...delivery, headers, toleranceSeconds: Number.NaN });
      await assert.rejects(refused, { code: 'OUTSIDE_TOLERANCE' });
    }
  });

  it('headers that are missing, twice there or no time', async () => {
    const headers = await signed();
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      for (const value of [undefined, '', ['a', 'b']]) {
        const refused = verifyWebhook({ ...delivery, headers: { ...headers, [name]: value } });
        await assert.rejects(refused, { code: 'MISSING_HEADER', message: new RegExp(name) });
      }
    }
    for (const time of ['soon', '-1', '1e9', '1'.repeat(13)]) {
      const refused = verifyWebhook({
        ...delivery,
        headers: { ...headers, 'webhook-timestamp': time },
      });
      await assert.rejects(refused, { code: 'INVALID_TIMESTAMP' });
    }
  });

  it('a body that was parsed, and one that is signed but no event', async () => {
    const parsed = EVENT as unknown as string;
    const headers = await signed();
    await assert.rejects(verifyWebhook({ ...delivery, headers, payload: parsed }), {
      code: 'INVALID_PAYLOAD',
      message: /raw body/,
    });
    for (const payload of ['', 'null', '[]', '{"id":"x"}', '{"id":1,"type":"a","data":{}}']) {
      const refused = verifyWebhook({ ...delivery, payload, headers: await signed({ payload }) });
      await assert.rejects(refused, { code: 'INVALID_PAYLOAD' });
    }
  });

  it('secrets that are none, and no secret at all', async () => {
    const headers = await signed();
    const wrong = ['', 'whsec_', 'whsec_%%%', 'whsec_AAAA', SECRET.slice('whsec_'.length)];
    for (const secret of [...wrong, 'sk_test_key', undefined as unknown as string]) {
      const refused = verifyWebhook({ ...delivery, headers, secret });
      await assert.rejects(refused, { code: 'INVALID_SECRET' });
    }
    const refused = verifyWebhook({ payload: PAYLOAD, now: NOW, headers, secrets: [] });
    await assert.rejects(refused, { code: 'INVALID_SECRET' });
  });
});

describe('verifyScreening', () => {
  const question = { id: 'scr_1', rule: 'night', transfer: { id: 't1' } };
  const payload = JSON.stringify(question);

  it('gives the question that was signed, and nothing else', async () => {
    const given = { payload, headers: await signed({ payload }), secret: SECRET, now: NOW };
    assert.deepEqual(await verifyScreening(given), question);
    const others = [{ payload: `${payload} ` }, { secret: newSecret() }, { now: secondsAway(400) }];
    for (const other of others) await assert.rejects(verifyScreening({ ...given, ...other }));
  });

  it('takes no event for a question, nor a question for an event', async () => {
    const event = { payload: PAYLOAD, headers: await signed(), secret: SECRET, now: NOW };
    await assert.rejects(verifyScreening(event), { code: 'INVALID_PAYLOAD' });
    const asked = { payload, headers: await signed({ payload }), secret: SECRET, now: NOW };
    await assert.rejects(verifyWebhook(asked), { code: 'INVALID_PAYLOAD' });
  });
});
