import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { LOCALHOST_TLS } from '../../../test/localhost-tls.ts';
import {
  type Behaviour,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../../test/webhook-receiver.ts';
import { createSafePoster, type PostResult, type SafePosterDeps } from './post-safely.ts';

/** Long enough for a busy machine. A receiver that hangs takes all of it. */
const TIMEOUT_MS = 2_000;
const headers = {
  'webhook-id': 'evt_1',
  'webhook-timestamp': '1700000000',
  'webhook-signature': 'v1,none',
};
const testRules = { mode: 'test', toLoopback: ['test'] } as const;

let receiver: WebhookReceiver;
let secure: WebhookReceiver;
let behaviour: Behaviour = { status: 204 };

before(async () => {
  const script = (): Behaviour => behaviour;
  receiver = await startWebhookReceiver({ script });
  secure = await startWebhookReceiver({ script, tls: LOCALHOST_TLS });
});
after(() => Promise.all([receiver.close(), secure.close()]));
beforeEach(() => {
  behaviour = { status: 204 };
});

const deps: SafePosterDeps = {
  resolve: async () => ['127.0.0.1'],
  isOwn: () => false,
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  timeoutMs: TIMEOUT_MS,
};

async function post(url: string, options: Partial<SafePosterDeps> = {}): Promise<PostResult> {
  const poster = createSafePoster({ ...deps, ...options });
  try {
    return await poster.post({ url, rules: testRules, headers, body: '{"n":"é"}' });
  } finally {
    poster.close();
  }
}

async function failureOf(url: string, options: Partial<SafePosterDeps> = {}): Promise<string> {
  const result = await post(url, options);
  assert.equal(result.kind, 'unanswered', JSON.stringify(result));
  return result.kind === 'unanswered' ? result.error : '';
}

async function answerTo(next: Behaviour) {
  behaviour = next;
  const result = await post(receiver.url());
  assert.ok(result.kind === 'answered', JSON.stringify(result));
  return result;
}

describe('posting to a receiver', () => {
  it('sends the signed bytes with our user agent', async () => {
    assert.equal((await post(receiver.url('/in?x=1'))).kind, 'answered');
    const got = receiver.journal.at(-1);
    assert.deepEqual([got?.method, got?.path, got?.body], ['POST', '/in?x=1', '{"n":"é"}']);
    assert.equal(got?.headers['user-agent'], 'Kafue-Webhooks/1');
    assert.equal(got?.headers['content-type'], 'application/json');
    assert.equal(got?.headers.host, new URL(receiver.url()).host);
    assert.equal(got?.headers['webhook-id'], 'evt_1');
  });

  it('treats a redirect as a response and does not follow it', async () => {
    const before = receiver.journal.length;
    const location = { location: 'http://169.254.169.254/latest/meta-data' };
    for (const status of [301, 302, 307, 308]) {
      assert.equal((await answerTo({ status, headers: location })).status, status);
    }
    assert.equal(receiver.journal.length, before + 4);
  });

  it('reads a limited part of an endless body, and closes the connection', async () => {
    const result = await answerTo('huge');
    assert.equal(result.status, 200);
    assert.equal(result.answer, 'x'.repeat(1_024));
    assert.ok(result.elapsedMs < TIMEOUT_MS);
  });

  it('keeps a response as text that can be stored and shown', async () => {
    const body = `a\u0000b\u001b[31m\u202ec${'é'.repeat(600)}`;
    const { answer } = await answerTo({ status: 500, body });
    assert.ok(answer.startsWith('a b [31m c'));
    assert.ok(!/[\p{Cc}\u202e\ufffd]/u.test(answer));
    assert.ok(Buffer.byteLength(answer) <= 1_024);
  });

  it('counts a status although its body never ends', async () => {
    const result = await answerTo('stall');
    assert.deepEqual([result.status, result.answer], [200, 'so far']);
    assert.ok(result.elapsedMs >= TIMEOUT_MS - 50);
  });

  it('gives up on a receiver that hangs, resets or does not speak HTTP', async () => {
    behaviour = 'hang';
    assert.match(await failureOf(receiver.url()), /no answer within 2 s/);
    behaviour = 'reset';
    assert.match(await failureOf(receiver.url()), /reset/);
    behaviour = 'garbage';
    assert.match(await failureOf(receiver.url()), /not HTTP/);
    assert.match(await failureOf('http://localhost:9/'), /refused/);
  });

  it('reads Retry-After as seconds and as a date, within limits', async () => {
    const after = async (value: string) =>
      (await answerTo({ status: 503, headers: { 'retry-after': value } })).retryAfterSeconds;
    assert.equal(await after('120'), 120);
    assert.equal(await after('999999999'), 86_400);
    assert.equal(await after('soon'), undefined);
    assert.equal(await after('Thu, 01 Jan 1970 00:00:00 GMT'), 0);
    const date = await after(new Date(Date.now() + 60_000).toUTCString());
    assert.ok(date !== undefined && date > 50 && date <= 61);
  });

  it('reuses a connection, and opens a new one when the receiver has just closed it', async () => {
    const poster = createSafePoster(deps);
    const send = () => poster.post({ url: receiver.url(), rules: testRules, headers, body: '{}' });
    const before = receiver.connections();
    await send();
    await send();
    assert.equal(receiver.connections(), before + 1);
    behaviour = 'reset';
    const received = receiver.journal.length;
    const broken = await send();
    assert.equal(broken.kind, 'unanswered');
    assert.equal(
      receiver.journal.length,
      received + 2,
      'once on the kept connection, once on a new one',
    );
    poster.close();
  });
});

describe('posting safely', () => {
  it('verifies the certificate, for the name in the URL', async () => {
    assert.match(await failureOf(secure.url()), /certificate is not valid/);
    const trusting = { ca: LOCALHOST_TLS.cert };
    assert.equal((await post(secure.url(), trusting)).kind, 'answered');
    const byAddress = secure.url().replace('localhost', '127.0.0.1');
    assert.match(await failureOf(byAddress, trusting), /certificate is not valid/);
  });

  it('verifies the certificate even where the environment disables it', async (t) => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    t.after(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED);
    assert.match(await failureOf(secure.url()), /certificate is not valid/);
  });

  it('checks the stored URL again', async () => {
    const before = receiver.connections();
    const poster = createSafePoster(deps);
    for (const rules of [
      { mode: 'live', toLoopback: ['test'] },
      { mode: 'test', toLoopback: [] },
    ] as const) {
      const result = await poster.post({ url: receiver.url(), rules, headers, body: '{}' });
      assert.equal(result.kind === 'unanswered' && result.error, 'the URL may not be used');
    }
    for (const url of [
      'ftp://localhost/',
      'http://hooks.example.com/',
      'https://10.0.0.1/',
      '::',
    ]) {
      assert.match(await failureOf(url), /may not be used/);
    }
    assert.equal(receiver.connections(), before);
    poster.close();
  });

  it('refuses a name when any of its addresses is not public, or is our own', async () => {
    const url = `https://hooks.example.com:8443/`;
    const answers = [
      ['127.0.0.1'],
      ['8.8.8.8', '127.0.0.1'],
      ['8.8.8.8', '169.254.169.254'],
      ['8.8.8.8', '::1'],
      ['8.8.8.8', '::ffff:127.0.0.1'],
      ['fd00::1'],
      ['0.0.0.0'],
      [],
    ];
    for (const addresses of answers) {
      assert.match(
        await failureOf(url, { resolve: async () => addresses }),
        /may not be sent to/,
        addresses.join(),
      );
    }
    const own = { resolve: async () => ['8.8.8.8'], isOwn: (ip: string) => ip === '8.8.8.8' };
    assert.match(await failureOf(url, own), /may not be sent to/);
  });

  it('connects to the address that it checked, and does not resolve the name again', async () => {
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    let queries = 0;
    const resolve = async () => answers[queries++] ?? [];
    assert.equal((await post(receiver.url(), { resolve })).kind, 'answered');
    assert.equal(queries, 1);
    assert.match(await failureOf(receiver.url(), { resolve }), /may not be sent to/);
  });

  it('does not wait longer for a name server than for a receiver', async () => {
    const never = new Promise<never>(() => undefined);
    assert.match(await failureOf(receiver.url(), { resolve: () => never }), /no answer within/);
    const missing = Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });
    const nowhere = { resolve: () => Promise.reject(missing) };
    assert.equal(await failureOf(receiver.url(), nowhere), 'the name does not resolve');
  });
});
