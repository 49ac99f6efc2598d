import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createTestMerchant } from '../test-merchant.ts';
import { assertRefused, brokenFields, fieldsOf, listOf, readTransfer } from './api-client.ts';
import { newReference, openContract, poll, TRANSFERS } from './open-contract.ts';
import { openOwnerClient } from './owner-client.ts';

const contract = await openContract();
after(() => contract.close());
const { api, order } = contract;
const person = await openOwnerClient(
  { database: contract.database, api: contract.apiWith() },
  contract.merchant,
);

const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, 'x']));

async function idsOf(query: string): Promise<readonly string[]> {
  const { status, data, text } = await api.get(`transfers?${query}`);
  assert.equal(status, 200, text);
  return listOf(data.items).map((item) => readTransfer(item).id);
}

describe('metadata of a transfer', () => {
  it('comes back wherever the transfer is shown, in the order of its keys', async () => {
    const metadata = { invoice: '2026-117', 'a.b_C-9': '', ['__proto__']: 'x', 10: "O'Brien 😀" };
    const made = await contract.initiate({ metadata });
    const shown = '{"10":"O\'Brien 😀","__proto__":"x","a.b_C-9":"","invoice":"2026-117"}';
    const isShown = (text: string) => assert.ok(text.includes(`"metadata":${shown}`), text);
    isShown(JSON.stringify(made));
    isShown((await api.get(`transfers/${made.id}`)).text);
    isShown((await api.get(`transfers/status/${made.reference}`)).text);
    isShown((await api.get(`transfers?reference=${made.reference}`)).text);
    isShown((await api.post(TRANSFERS, order({ reference: made.reference }))).text);
    const later = await contract.initiate({});
    assert.equal(later.metadata, null);
    isShown((await person.get(`transfers/${later.id}/timeline`)).text);
    const { baseUrl } = contract.service;
    const page = await fetch(`${baseUrl}/api/v1/payments/transfers?reference=${made.reference}`, {
      headers: { 'x-api-key': contract.merchant.keys.test, accept: 'text/csv' },
    });
    assert.match(await page.text(), /,metadata\r\n.*""invoice"":""2026-117""/s);
    const feed = await poll(
      () => api.get('events?type=transfer.created&limit=100'),
      ({ text }) => text.includes(made.id),
    );
    isShown(feed.text);
  });

  it('is taken up to every bound', async () => {
    const right = [
      null,
      {},
      keys(20),
      { ['k'.repeat(40)]: 'v' },
      { k: 'v'.repeat(200) },
      { k: '😀'.repeat(200) },
    ];
    for (const metadata of right) {
      assert.deepEqual((await contract.initiate({ metadata })).metadata, metadata);
    }
  });

  it('is refused past every bound, with a code of its own', async () => {
    const wrong = [
      'text',
      7,
      true,
      [],
      ['a'],
      keys(21),
      { ['k'.repeat(41)]: 'v' },
      { '': 'v' },
      { 'a b': 'v' },
      { é: 'v' },
      { 'a\n': 'v' },
      { k: 'v'.repeat(201) },
      { k: '😀'.repeat(201) },
      { k: 7 },
      { k: null },
      { k: {} },
      { k: ['v'] },
      { k: 'a\u0000b' },
      { k: '\ud800' },
      { k: 'a\u202eb' },
    ];
    for (const metadata of wrong) {
      const answer = await api.post(TRANSFERS, order({ metadata }));
      assertRefused(answer, 400, 'VALIDATION_ERROR');
      assert.deepEqual(brokenFields(answer), { metadata: 'INVALID_METADATA' }, answer.text);
    }
    const both = await api.post(TRANSFERS, order({ metadata: { 'a b': 'v', k: 7, fine: 'v' } }));
    const messages = listOf(fieldsOf(both.data.error).fields).map(({ message }) => message);
    assert.deepEqual(messages, [
      'Key 1: 1 to 40 letters, digits, dots, underscores and hyphens.',
      'k: a text of at most 200 characters, without control characters.',
    ]);
  });

  it('is part of what a transfer means', async () => {
    const body = order({ metadata: { a: '1', b: '2' } });
    const key = { 'idempotency-key': newReference() };
    const first = await api.post(TRANSFERS, body, key);
    assert.equal(first.status, 201);
    const again = await api.post(TRANSFERS, { ...body, metadata: { b: '2', a: '1' } }, key);
    assert.equal(again.headers['idempotent-replayed'], 'true');
    assert.equal(again.text.includes('"metadata":{"a":"1","b":"2"}'), true, again.text);
    for (const metadata of [undefined, {}, { a: '1' }, { a: '1', b: '3' }, { a: '1', c: '2' }]) {
      const other = { ...body, metadata };
      assertRefused(await api.post(TRANSFERS, other, key), 422, 'IDEMPOTENCY_KEY_REUSED');
      const duplicate = await api.post(TRANSFERS, other);
      assertRefused(duplicate, 409, 'DUPLICATE_REFERENCE');
      assert.equal(duplicate.data.samePayload, false);
    }
    assert.equal((await api.post(TRANSFERS, body)).data.samePayload, true);
  });

  it('is kept for each transfer of a bulk call, beside others without', async () => {
    const walletId = await contract.merchant.createWallet({ fundedMinor: 300n });
    const transfers = [
      order({ walletId, metadata: { run: 'bulk' } }),
      order({ walletId }),
      order({ walletId, metadata: { k: 7 } }),
      order({ walletId, amount: 5, metadata: { run: 'bulk' } }),
      order({ walletId, metadata: { run: 'bulk', n: '2' } }),
    ];
    const { data } = await api.post(`${TRANSFERS}/bulk`, { transfers });
    assert.equal(data.accepted, 3);
    const results = listOf(data.results).map((result) => fieldsOf(result.data));
    assert.deepEqual(results[0]?.metadata, { run: 'bulk' });
    assert.deepEqual(results[1]?.metadata, null);
    // The one that was refused for its balance left nothing behind.
    assert.deepEqual(await idsOf('metadata[run]=bulk'), [results[4]?.id, results[0]?.id]);
  });

  it('filters the list by one key', async () => {
    const value = newReference();
    const made = [];
    for (const other of ['1', '2', '3']) {
      made.unshift(await contract.initiate({ metadata: { 'batch.id': value, other } }));
    }
    const stranger = await createTestMerchant(contract.database);
    const theirs = contract.apiWith(stranger.keys.test);
    const walletId = stranger.wallets.test.ZMW;
    await theirs.post(TRANSFERS, order({ walletId, metadata: { 'batch.id': value } }));
    const ids = made.map(({ id }) => id);
    assert.deepEqual(await idsOf(`metadata[batch.id]=${value}`), ids);
    assert.deepEqual(await idsOf(`metadata%5Bbatch.id%5D=${value}`), ids);
    assert.deepEqual(await idsOf(`metadata[batch.id]=${value}&reference=${made[1]?.reference}`), [
      ids[1],
    ]);
    assert.deepEqual(await idsOf(`metadata[other]=${value}`), []);
    assert.deepEqual(await idsOf(`metadata[batch]=${value}`), []);
    const first = await api.get(`transfers?metadata[batch.id]=${value}&limit=2`);
    const next = `cursor=${String(first.data.nextCursor)}`;
    assert.deepEqual(await idsOf(`metadata[batch.id]=${value}&${next}`), [ids[2]]);
  });

  it('is refused as a filter without exactly one right key', async () => {
    const wrong = [
      'metadata=x',
      'metadata[]=x',
      'metadata[a%20b]=x',
      `metadata[${'k'.repeat(41)}]=x`,
      `metadata[k]=${'v'.repeat(201)}`,
      'metadata[k]=%00',
      'metadata[a]=x&metadata[b]=x',
      'metadata[a]=x&metadata[a]=x',
    ];
    for (const query of wrong) {
      const answer = await api.get(`transfers?${query}`);
      assertRefused(answer, 400, 'VALIDATION_ERROR');
      assert.deepEqual(brokenFields(answer), { metadata: 'INVALID_METADATA' }, query);
    }
    const unknown = await api.get('transfers?metadata.a=x');
    assert.deepEqual(brokenFields(unknown), { 'metadata.a': 'UNKNOWN_FIELD' });
  });
});
