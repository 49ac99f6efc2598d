import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, it } from 'node:test';
import { createTestMerchant } from '../test-merchant.ts';
import {
  type Answer,
  assertRefused,
  listOf,
  readTransfer,
  withoutRequestId,
} from './api-client.ts';
import { newReference, openContract, RECIPIENTS, TRANSFERS } from './open-contract.ts';

const contract = await openContract();
after(() => contract.close());
const { api, order, merchant } = contract;
const live = contract.apiWith(merchant.keys.live);
const otherMerchant = await createTestMerchant(contract.database);
const otherApi = contract.apiWith(otherMerchant.keys.test);
const account = { phone: '0977433571', operator: 'mtn', country: 'zm' };

/** Creates what exists in the other merchant's test book, with a queued or doubtful transfer to try to cancel. */
async function initiateAsOther(phone: string) {
  const reference = newReference();
  const body = order({ reference, phone, walletId: otherMerchant.wallets.test.ZMW });
  const answer = await otherApi.post(TRANSFERS, body);
  assert.equal(answer.status, 201, answer.text);
  return readTransfer(answer.data);
}
const theirs = await initiateAsOther('0977433941');
const theirRecipient = String((await otherApi.post(RECIPIENTS, account)).data.id);

const assertSame = (foreign: Answer, unknown: Answer, what: string) => {
  assert.ok(unknown.status >= 400 || what.startsWith('list'), what);
  assert.equal(foreign.status, unknown.status, what);
  assert.equal(withoutRequestId(foreign), withoutRequestId(unknown), what);
  const names = (answer: Answer) =>
    Object.keys(answer.headers).filter((name) => name !== 'date' && name !== 'connection');
  assert.deepEqual(names(foreign).sort(), names(unknown).sort(), what);
};

type Ask = (id: string) => Promise<Answer>;
const asksByTransfer: Readonly<Record<string, Ask>> = {
  'a transfer': (id) => api.get(`transfers/${id}`),
  'a history': (id) => api.get(`transfers/${id}/history`),
  'a cancellation': (id) => api.post(`transfers/${id}/cancel`, ''),
};
const asksByWallet: Readonly<Record<string, Ask>> = {
  'a wallet': (id) => api.get(`wallets/${id}`),
  'a statement': (id) => api.get(`wallets/${id}/postings`),
  'a statement as CSV': (id) => api.get(`wallets/${id}/postings`, { accept: 'text/csv' }),
  'a transfer from a wallet': (id) => api.post(TRANSFERS, order({ walletId: id })),
  'list by wallet': (id) => api.get(`transfers?walletId=${id}`),
};

for (const [what, ask] of Object.entries(asksByTransfer)) {
  it(`answers for ${what} of another merchant as for an unknown one`, async () => {
    const unknown = await ask(randomUUID());
    assertRefused(unknown, 404, 'TRANSFER_NOT_FOUND');
    assertSame(await ask(theirs.id), unknown, what);
    assertSame(await ask(theirs.id.toUpperCase()), unknown, what);
  });
}

for (const [what, ask] of Object.entries(asksByWallet)) {
  it(`answers for ${what} of another merchant or mode as for an unknown one`, async () => {
    const unknown = await ask(randomUUID());
    if (!what.startsWith('list')) assertRefused(unknown, 404, 'WALLET_NOT_FOUND');
    for (const owner of [
      otherMerchant.wallets.test,
      otherMerchant.wallets.live,
      merchant.wallets.live,
    ]) {
      assertSame(await ask(owner.ZMW), unknown, what);
      assertSame(await ask(owner.NGN), unknown, what);
    }
  });
}

it('answers for a reference or a recipient of another merchant as for an unknown one', async () => {
  const unknownReference = await api.get(`transfers/status/${newReference()}`);
  assertRefused(unknownReference, 404, 'TRANSFER_NOT_FOUND');
  assertSame(await api.get(`transfers/status/${theirs.reference}`), unknownReference, 'status');
  const unknownRecipient = await api.get(`transfer-recipients/${randomUUID()}`);
  assertRefused(unknownRecipient, 404, 'RECIPIENT_NOT_FOUND');
  assertSame(await api.get(`transfer-recipients/${theirRecipient}`), unknownRecipient, 'recipient');
  const byReference = await api.get(`transfers?reference=${theirs.reference}`);
  assert.deepEqual(byReference.data, { items: [], nextCursor: null });
});

it("answers a live key for objects of the same merchant's test book as for unknown ones", async () => {
  const ours = await contract.initiate();
  const recipient = String((await api.post(RECIPIENTS, account)).data.id);
  const pairs: readonly (readonly [string, string])[] = [
    [`transfers/${ours.id}`, `transfers/${randomUUID()}`],
    [`transfers/${ours.id}/history`, `transfers/${randomUUID()}/history`],
    [`transfers/status/${ours.reference}`, `transfers/status/${newReference()}`],
    [`transfer-recipients/${recipient}`, `transfer-recipients/${randomUUID()}`],
    [`wallets/${merchant.wallets.test.ZMW}`, `wallets/${randomUUID()}`],
    [`wallets/${merchant.wallets.test.ZMW}/postings`, `wallets/${randomUUID()}/postings`],
  ];
  for (const [mine, unknown] of pairs) {
    assertSame(await live.get(mine), await live.get(unknown), mine);
  }
  const cancel = (id: string) => live.post(`transfers/${id}/cancel`, '');
  assertSame(await cancel(ours.id), await cancel(randomUUID()), 'cancel');
  for (const path of ['transfers', 'transfer-recipients']) {
    assert.deepEqual((await live.get(path)).data, { items: [], nextCursor: null });
  }
});

it('reveals nothing about a foreign wallet even if the request has other errors', async () => {
  const foreign = otherMerchant.wallets.test.NGN;
  for (const changes of [{}, { amount: 1_000_000_000 }, { country: 'zm' }]) {
    const unknown = await api.post(TRANSFERS, order({ ...changes, walletId: randomUUID() }));
    assertSame(
      await api.post(TRANSFERS, order({ ...changes, walletId: foreign })),
      unknown,
      'wallet',
    );
  }
});

it('lists rows of its own book only', async () => {
  const listed = async (path: string, client = api) =>
    listOf((await client.get(`${path}?limit=100`)).data.items).map(({ id }) => String(id));
  for (const path of ['transfers', 'transfer-recipients', 'wallets']) {
    const mine = await listed(path);
    const others = [...(await listed(path, otherApi)), ...(await listed(path, live))];
    assert.ok(others.length > 0 && mine.length > 0, path);
    assert.deepEqual(
      others.filter((id) => mine.includes(id)),
      [],
      path,
    );
  }
  assert.deepEqual(
    (await listed('wallets')).toSorted(),
    Object.values(merchant.wallets.test).toSorted(),
  );
});

it("shows nothing of another book's through its cursor", async () => {
  await initiateAsOther('0977433571');
  const { data } = await otherApi.get('transfers?limit=1');
  assert.ok(typeof data.nextCursor === 'string');
  const answer = await api.get(`transfers?cursor=${encodeURIComponent(data.nextCursor)}`);
  const shown = answer.status === 200 ? listOf(answer.data.items).map(({ id }) => id) : [];
  assert.ok(!shown.includes(theirs.id));
});

it('did not change the transfer of the other merchant', async () => {
  const { status, data } = await otherApi.get(`transfers/${theirs.id}`);
  assert.equal(status, 200);
  assert.notEqual(readTransfer(data).state, 'cancelled');
});

it('accepts the same reference and recipient in two books', async () => {
  const { reference } = theirs;
  assert.equal((await contract.initiate({ reference })).reference, reference);
  const mine = (await api.post(RECIPIENTS, account)).data.id;
  assert.notEqual(mine, theirRecipient);
});

it('has no route for any pair in a live book, and stores nothing', async () => {
  for (const operator of ['airtel', 'mtn', 'zamtel', 'vodacom']) {
    for (const country of ['zm', 'ng'] as const) {
      const [phone, currency] = country === 'zm' ? ['0977433571', 'ZMW'] : ['08031234567', 'NGN'];
      const walletId = merchant.wallets.live[currency === 'ZMW' ? 'ZMW' : 'NGN'];
      const body = order({ operator, country, phone, walletId });
      assertRefused(await live.post(TRANSFERS, body), 422, 'OPERATOR_NOT_AVAILABLE', operator);
      const lookup = await live.get(`transfers/status/${String(body.reference)}`);
      assertRefused(lookup, 404, 'TRANSFER_NOT_FOUND');
    }
  }
  const { data } = await live.get(`wallets/${merchant.wallets.live.ZMW}`);
  assert.deepEqual([data.available, data.held], ['1000000.00', '0.00']);
});

it('reports for each pair whether it is available in the book', async () => {
  for (const [client, available] of [
    [api, true],
    [live, false],
  ] as const) {
    const items = listOf((await client.get('operators')).data.items);
    const pairs = items.map(({ operator, country }) => `${String(operator)} ${String(country)}`);
    assert.equal(new Set(pairs).size, 8);
    for (const item of items) {
      assert.equal(item.available, available, JSON.stringify(item));
      for (const field of ['min', 'max', 'decimals', 'health']) assert.ok(field in item, field);
    }
  }
});
