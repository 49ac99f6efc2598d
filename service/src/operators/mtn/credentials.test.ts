import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import type { CredentialAnswer, CredentialCache } from '../credentials/credential-cache.ts';
import { NOTHING_KEPT } from '../credentials/credential-store.ts';
import { readExactJson } from '../wire/exact-json.ts';
import type { WireAnswer } from '../wire/operator-wire.ts';
import { createMtnTokens } from './credentials.ts';

const RECORD = { request: 'POST /disbursement/token/', httpStatus: 200, answer: '', elapsedMs: 1 };

function answered(status: number, text: string): WireAnswer {
  return { kind: 'answered', status, headers: {}, text, json: readExactJson(text), record: RECORD };
}

function tokenBody(token: string, expiresIn: unknown = 3_600): string {
  return JSON.stringify({ access_token: token, token_type: 'access_token', expires_in: expiresIn });
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

type Exchange = Readonly<{
  tokens: CredentialCache;
  asked(): number;
  /** Answers the oldest open request. */
  answer(answer: WireAnswer): Promise<void>;
  passMs(ms: number): void;
}>;

function startExchange(): Exchange {
  let nowMs = 1_000;
  let asked = 0;
  const open: ((answer: WireAnswer) => void)[] = [];
  const tokens = createMtnTokens({
    account: { apiUser: 'user', apiKey: 'key', subscriptionKey: 'subscription' },
    credentials: NOTHING_KEPT,
    newUuid: randomUUID,
    monotonicMs: () => nowMs,
    fetch: () => {
      asked += 1;
      return new Promise((resolve) => open.push(resolve));
    },
  });
  return {
    tokens,
    asked: () => asked,
    async answer(answer) {
      await settled();
      open.shift()?.(answer);
      await settled();
    },
    passMs: (ms) => (nowMs += ms),
  };
}

const tokenOf = (answer: CredentialAnswer): string => (answer.kind === 'ready' ? answer.value : '');

async function startWith(token: string, expiresIn?: unknown): Promise<Exchange> {
  const exchange = startExchange();
  const first = exchange.tokens.take();
  await exchange.answer(answered(200, tokenBody(token, expiresIn)));
  assert.equal(tokenOf(await first), token);
  return exchange;
}

it('fetches the next token ten minutes before expiry, and uses the old one until it arrives', async () => {
  const exchange = await startWith('one');
  exchange.passMs(2_999_999);
  assert.equal(tokenOf(await exchange.tokens.take()), 'one');
  assert.equal(exchange.asked(), 1);
  exchange.passMs(1);
  const during = await Promise.all([exchange.tokens.take(), exchange.tokens.take()]);
  assert.deepEqual(during.map(tokenOf), ['one', 'one']);
  await settled();
  assert.equal(exchange.asked(), 2);
  await exchange.answer(answered(200, tokenBody('two')));
  assert.equal(tokenOf(await exchange.tokens.take()), 'two');
  assert.equal(exchange.asked(), 2);
});

it('waits for a new token once the old one has expired', async () => {
  const exchange = await startWith('one');
  exchange.passMs(3_600_000);
  const next = exchange.tokens.take();
  await exchange.answer(answered(200, tokenBody('two')));
  assert.equal(tokenOf(await next), 'two');
});

it('accepts the lifetime as a number or a text, and assumes an hour if it is neither', async () => {
  for (const [expiresIn, livesMs] of [
    [1_200, 1_200_000],
    ['1200', 1_200_000],
    [undefined, 3_600_000],
    ['soon', 3_600_000],
    [-5, 3_600_000],
  ] as const) {
    const exchange = await startWith('one', expiresIn);
    exchange.passMs(livesMs - 1);
    assert.equal(tokenOf(await exchange.tokens.take()), 'one');
    exchange.passMs(1);
    const late = exchange.tokens.take();
    await exchange.answer(answered(200, tokenBody('two')));
    await exchange.answer(answered(200, tokenBody('two')));
    assert.equal(tokenOf(await late), 'two', String(expiresIn));
  }
});

it('renews a token with a lifetime of minutes at half of it', async () => {
  const exchange = await startWith('one', 60);
  exchange.passMs(29_999);
  await exchange.tokens.take();
  assert.equal(exchange.asked(), 1);
  exchange.passMs(1);
  await exchange.tokens.take();
  await settled();
  assert.equal(exchange.asked(), 2);
});

const NO_TOKENS: readonly (readonly [string, WireAnswer, string])[] = [
  [
    'a page in HTML',
    answered(200, '<html>Request Rejected</html>'),
    'HTTP 200 without a token in it',
  ],
  ['JSON without a token', answered(200, '{"token":"x"}'), 'HTTP 200 without a token in it'],
  ['an empty token', answered(200, tokenBody('')), 'HTTP 200 without a token in it'],
  [
    'a token that no header can hold',
    answered(200, tokenBody('a\nb')),
    'HTTP 200 without a token in it',
  ],
  ['a refusal', answered(401, tokenBody('one')), 'HTTP 401'],
  ['an address that is not allowed', answered(403, '{"code":"FORBIDDEN IP"}'), 'HTTP 403'],
  ['no connection', { kind: 'notSent', cause: 'ECONNREFUSED', record: RECORD }, 'ECONNREFUSED'],
  ['no answer', { kind: 'lost', cause: 'ECONNRESET', record: RECORD }, 'ECONNRESET'],
];

for (const [what, answer, cause] of NO_TOKENS) {
  it(`reads ${what} as no token, and fetches again for the next call`, async () => {
    const exchange = startExchange();
    const first = exchange.tokens.take();
    await exchange.answer(answer);
    assert.deepEqual(await first, { kind: 'failed', cause: `no token: ${cause}` });
    const second = exchange.tokens.take();
    await exchange.answer(answered(200, tokenBody('two')));
    assert.equal(tokenOf(await second), 'two');
  });
}
