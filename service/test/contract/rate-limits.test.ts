import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { type Answer, assertRefused, listOf, textOf } from './api-client.ts';
import { openContract, poll, TRANSFERS } from './open-contract.ts';

const LIMIT = 5;
const BURST = 40;
/** More than any allowance for wrong keys should be. */
const FLOOD = 400;
const contract = await openContract({ RATE_LIMIT_PER_SECOND: String(LIMIT) });
after(() => contract.close());
const { api, merchant, apiWith, order } = contract;

const retryAfter = async ({ headers }: Answer) => wait(Number(headers['retry-after']) * 1_000);
const answersAtOnce = (count: number, ask: () => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, ask));

it('answers requests beyond the limit with 429 and Retry-After', async () => {
  const answers = await answersAtOnce(BURST, () => api.get('wallets'));
  const refused = answers.filter(({ status }) => status !== 200);
  assert.ok(
    answers.length - refused.length <= 3 * LIMIT,
    `${answers.length - refused.length} taken`,
  );
  assert.ok(answers.length - refused.length >= LIMIT - 1);
  for (const answer of refused) {
    assertRefused(answer, 429, 'RATE_LIMITED');
    assert.equal(answer.headers['x-should-retry'], 'true');
    assert.equal(answer.headers['ratelimit-limit'], String(LIMIT));
    assert.equal(answer.headers['ratelimit-remaining'], '0');
    assert.match(String(answer.headers['ratelimit-reset']), /^\d+$/);
  }
  await retryAfter(refused[0] ?? (await api.get('wallets')));
  assert.equal((await api.get('wallets')).status, 200);
});

it('counts down what remains', async () => {
  await wait(1_000);
  const first = await api.get('wallets');
  const second = await api.get('wallets');
  const remaining = ({ headers }: Answer) => Number(headers['ratelimit-remaining']);
  assert.ok(remaining(first) < LIMIT && remaining(second) <= remaining(first));
});

it('counts each key separately', async () => {
  await answersAtOnce(BURST, () => api.get('wallets'));
  assert.equal((await apiWith(merchant.keys.live).get('wallets')).status, 200);
});

it('stores nothing of a request that it answers with 429', async () => {
  const walletId = await merchant.createWallet({});
  const answers = await answersAtOnce(BURST, () => api.post(TRANSFERS, order({ walletId })));
  const taken = answers.filter(({ status }) => status === 201).map(({ data }) => textOf(data.id));
  assert.ok(taken.length < BURST);
  const { data } = await poll(
    () => api.get(`transfers?walletId=${walletId}`),
    ({ status }) => status !== 429,
  );
  const stored = listOf(data.items).map(({ id }) => textOf(id));
  assert.deepEqual(stored.toSorted(), taken.toSorted());
});

it('limits wrong keys by address', async () => {
  const answers = await answersAtOnce(FLOOD, () => apiWith('sk_test_wrong').get('wallets'));
  assert.ok(answers.every(({ status }) => status === 401 || status === 429));
  const [refused] = answers.filter(({ status }) => status === 429);
  assert.ok(refused !== undefined, 'keys can be tried without a limit');
  assertRefused(refused, 429, 'RATE_LIMITED');
});
