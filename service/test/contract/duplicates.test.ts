import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, it } from 'node:test';
import { createTestMerchant } from '../test-merchant.ts';
import { type Answer, assertRefused, type Fields, readTransfer } from './api-client.ts';
import { newReference, openContract, TRANSFERS } from './open-contract.ts';

const AT_ONCE = 50;
const contract = await openContract();
after(() => contract.close());
const { api, order, merchant } = contract;

const withKey = (key: string) => ({ 'idempotency-key': key });
const replayed = ({ headers }: Answer) => headers['idempotent-replayed'] === 'true';

async function countByReference(reference: unknown): Promise<number> {
  const { data } = await api.get(`transfers?reference=${String(reference)}`);
  assert.ok(Array.isArray(data.items));
  return data.items.length;
}

/** Each means the same as the order with the amount 10 and the plain number. */
function sameMeaning(body: Fields): readonly string[] {
  const others = JSON.stringify(Object.fromEntries(Object.entries(body).toReversed()));
  return [
    JSON.stringify(body),
    others,
    JSON.stringify(body).replace('"amount":10,', '"amount":10.00,'),
    JSON.stringify(body).replace('"amount":10,', '"amount":1e1,'),
    JSON.stringify({ ...body, phone: '+260 97 743-3571' }),
    JSON.stringify({ ...body, phone: '00260977433571' }),
    JSON.stringify({ ...body, walletId: String(body.walletId).toUpperCase() }),
    JSON.stringify(body).replace('"narration":"May"', '"narrat\\u0069on":"\\u004day"'),
    ` \n${JSON.stringify(body, null, 2)}\t`,
  ];
}

const otherMeanings: Readonly<Record<string, unknown>> = {
  amount: 10.01,
  phone: '0977433572',
  operator: 'mtn',
  narration: 'June',
  recipientName: 'Mary Phiri',
  walletId: await merchant.createWallet({}),
};

it('answers a second use of a reference with 409, the transfer, and whether the payload was the same', async () => {
  const body = order({ amount: 10, narration: 'May' });
  const { id } = await contract.initiate(body);
  for (const text of sameMeaning(body)) {
    const answer = await api.post(TRANSFERS, text);
    assertRefused(answer, 409, 'DUPLICATE_REFERENCE');
    assert.equal(readTransfer(answer.data.transfer).id, id);
    assert.equal(answer.data.samePayload, true, text);
  }
  for (const [field, value] of Object.entries(otherMeanings)) {
    const answer = await api.post(TRANSFERS, { ...body, [field]: value });
    assertRefused(answer, 409, 'DUPLICATE_REFERENCE');
    const existing = readTransfer(answer.data.transfer);
    assert.deepEqual([existing.id, existing.amount, existing.narration], [id, 10, 'May']);
    assert.equal(answer.data.samePayload, false, field);
  }
  assert.equal(await countByReference(body.reference), 1);
});

it('shows the transfer as it is now in a 409', async () => {
  const body = order();
  const { id } = await contract.initiate(body);
  const done = await contract.transferOnce(id, ({ status }) => status === 'successful');
  const answer = await api.post(TRANSFERS, body);
  assert.deepEqual(readTransfer(answer.data.transfer), done);
});

it('does not use up a reference by a refused request', async () => {
  const reference = newReference();
  const poor = await merchant.createWallet({ fundedMinor: 0n });
  const refusedChanges: readonly Fields[] = [
    { amount: 0 },
    { phone: 'abc' },
    { extra: 1 },
    { walletId: randomUUID() },
    { walletId: merchant.wallets.test.NGN },
    { walletId: merchant.wallets.live.ZMW },
    { walletId: poor },
  ];
  for (const changes of refusedChanges) {
    const answer = await api.post(TRANSFERS, order({ reference, ...changes }));
    assert.ok([400, 404, 422].includes(answer.status), answer.text);
    assertRefused(await api.get(`transfers/status/${reference}`), 404, 'TRANSFER_NOT_FOUND');
  }
  const refusedKey = await api.post(TRANSFERS, order({ reference }), withKey('k'.repeat(256)));
  assert.equal(refusedKey.status, 400);
  assert.equal((await contract.initiate({ reference })).reference, reference);
});

it('replays the original 201 for the same key and the same meaning, forever', async () => {
  const body = order({ amount: 10, narration: 'May' });
  const key = newReference();
  const first = await api.post(TRANSFERS, body, withKey(key));
  assert.equal(first.status, 201, first.text);
  assert.ok(!replayed(first));
  const { id } = readTransfer(first.data);
  await contract.transferOnce(id, ({ status }) => status === 'successful');
  for (const text of sameMeaning(body)) {
    const again = await api.post(TRANSFERS, text, withKey(key));
    assert.equal(again.status, 201, `${text} ${again.text}`);
    assert.ok(replayed(again), text);
    assert.equal(again.text, first.text);
    assert.equal(again.headers.location, first.headers.location);
  }
  assert.equal(await countByReference(body.reference), 1);
});

it('refuses the same key with another meaning, and stores nothing', async () => {
  const body = order({ amount: 10 });
  const key = newReference();
  await api.post(TRANSFERS, body, withKey(key));
  for (const [field, value] of Object.entries({ ...otherMeanings, reference: newReference() })) {
    const answer = await api.post(TRANSFERS, { ...body, [field]: value }, withKey(key));
    assertRefused(answer, 422, 'IDEMPOTENCY_KEY_REUSED', field);
  }
  const other = newReference();
  await api.post(TRANSFERS, { ...body, reference: other }, withKey(key));
  assert.equal(await countByReference(other), 0);
});

it('answers a known reference under another key, or none, with 409', async () => {
  const body = order();
  assert.equal((await api.post(TRANSFERS, body, withKey(newReference()))).status, 201);
  for (const headers of [withKey(newReference()), {}]) {
    const answer = await api.post(TRANSFERS, body, headers);
    assertRefused(answer, 409, 'DUPLICATE_REFERENCE');
    assert.equal(answer.data.samePayload, true);
  }
});

it('accepts keys of 1 to 255 printable ASCII characters and no others', async () => {
  for (const key of ['k', '"quoted"', '!#$%&()*+,-./:;<=>?@[\\]^_`{|}~', 'k'.repeat(255)]) {
    const answer = await api.post(TRANSFERS, order(), withKey(key));
    assert.equal(answer.status, 201, `${key} ${answer.text}`);
  }
  for (const key of ['', ' ', 'k'.repeat(256), 'k\u00e9', 'a\tb', '\u00ff']) {
    const answer = await api.post(TRANSFERS, order(), withKey(key));
    assertRefused(answer, 400, 'VALIDATION_ERROR', JSON.stringify(key));
  }
});

it('keeps references and keys of books separate', async () => {
  const other = await merchant.createWallet({});
  const body = order({ amount: 10 });
  const key = newReference();
  const first = await api.post(TRANSFERS, body, withKey(key));
  const otherMerchant = await createTestMerchant(contract.database);
  const theirs = await contract
    .apiWith(otherMerchant.keys.test)
    .post(TRANSFERS, { ...body, walletId: otherMerchant.wallets.test.ZMW }, withKey(key));
  assert.equal(theirs.status, 201, theirs.text);
  assert.ok(!replayed(theirs));
  assert.notEqual(readTransfer(theirs.data).id, readTransfer(first.data).id);
  const ours = await api.post(TRANSFERS, { ...body, walletId: other }, withKey(key));
  assertRefused(ours, 422, 'IDEMPOTENCY_KEY_REUSED');
});

it('creates one transfer for fifty identical concurrent requests', async () => {
  const body = order({ amount: 3 });
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, () => api.post(TRANSFERS, body)),
  );
  const created = answers.filter(({ status }) => status === 201);
  assert.equal(created.length, 1);
  const [first] = created;
  const { id } = readTransfer(first?.data);
  for (const answer of answers.filter((one) => one !== first)) {
    assertRefused(answer, 409, 'DUPLICATE_REFERENCE');
    assert.equal(readTransfer(answer.data.transfer).id, id);
    assert.equal(answer.data.samePayload, true);
  }
  assert.equal(await countByReference(body.reference), 1);
});

it('creates one transfer for fifty identical concurrent requests under one key, each answered 201', async () => {
  const walletId = await merchant.createWallet({ fundedMinor: 1_000n });
  const body = order({ amount: 3, walletId });
  const key = newReference();
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, () => api.post(TRANSFERS, body, withKey(key))),
  );
  const ids = answers.map((answer) => {
    assert.equal(answer.status, 201, answer.text);
    return readTransfer(answer.data).id;
  });
  assert.equal(new Set(ids).size, 1);
  assert.equal(answers.filter((answer) => !replayed(answer)).length, 1);
  assert.equal(await countByReference(body.reference), 1);
  assert.equal((await api.get(`wallets/${walletId}`)).data.available, '7.00');
});

it('accepts exactly one of fifty different concurrent requests under one key', async () => {
  const key = newReference();
  const bodies = Array.from({ length: AT_ONCE }, () => order());
  const answers = await Promise.all(bodies.map((body) => api.post(TRANSFERS, body, withKey(key))));
  const created = answers.filter(({ status }) => status === 201);
  assert.equal(created.length, 1);
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    assertRefused(answer, 422, 'IDEMPOTENCY_KEY_REUSED');
  }
});
