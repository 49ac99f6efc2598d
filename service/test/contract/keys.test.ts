import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { after, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { resumeMerchant, suspendMerchant } from '../../src/merchants/suspend-merchant.ts';
import { TEST_ACTOR } from '../test-actor.ts';
import { createTestMerchant } from '../test-merchant.ts';
import {
  type Answer,
  type ApiClient,
  assertRefused,
  type Call,
  readTransfer,
  withoutRequestId,
} from './api-client.ts';
import { openContract, poll, RECIPIENTS, TRANSFERS } from './open-contract.ts';

const REVOKED_WITHIN_MS = 1_000;
const contract = await openContract();
after(() => contract.close());
const { merchant, apiWith, database, order, service } = contract;
const account = { phone: '0977433571', operator: 'mtn', country: 'zm' };
const json = { 'content-type': 'application/json' };

async function changeKey(id: string, change: 'revoked_at' | 'expires_at', at: string) {
  await database.query(
    { name: '', text: `update api_keys set ${change} = now() + $2::interval where id = $1` },
    [id, at],
  );
}

async function deadKey(change: 'revoked_at' | 'expires_at'): Promise<string> {
  const key = await merchant.issueKey({});
  await changeKey(key.id, change, '-1 hour');
  return key.text;
}

const good = merchant.keys.test;
const flipped = (at: number) => {
  const other = good.at(at) === 'a' ? 'b' : 'a';
  return good.slice(0, at) + other + good.slice(good.length + at + 1);
};
const badHeaders: Readonly<Record<string, Call['headers']>> = {
  missing: {},
  empty: { 'x-api-key': '' },
  blank: { 'x-api-key': ' ' },
  malformed: { 'x-api-key': 'secret' },
  'only a prefix': { 'x-api-key': 'sk_test_' },
  cut: { 'x-api-key': good.slice(0, -1) },
  longer: { 'x-api-key': `${good}a` },
  huge: { 'x-api-key': `sk_test_${'a'.repeat(4_000)}` },
  'of another checksum': { 'x-api-key': flipped(-1) },
  'of another body': { 'x-api-key': flipped(-10) },
  'of another case': { 'x-api-key': good.toUpperCase() },
  'of the other mode': { 'x-api-key': good.replace('sk_test_', 'sk_live_') },
  unknown: { 'x-api-key': await deletedKey() },
  revoked: { 'x-api-key': await deadKey('revoked_at') },
  expired: { 'x-api-key': await deadKey('expires_at') },
  'given twice': { 'x-api-key': [good, good] },
  'two different ones': { 'x-api-key': [good, merchant.keys.live] },
  'two in one header': { 'x-api-key': `${good}, ${good}` },
  'a bearer token': { authorization: `Bearer ${good}` },
};

/** A well-formed key that is in no row. */
async function deletedKey(): Promise<string> {
  const key = await merchant.issueKey({});
  await database.query({ name: '', text: 'delete from api_keys where id = $1' }, [key.id]);
  return key.text;
}

const keyless = apiWith();
const expected401 = withoutRequestId(await keyless.get('wallets'));
const endpoints: readonly Call[] = [
  { method: 'POST', path: TRANSFERS, headers: json, body: order() },
  { method: 'POST', path: RECIPIENTS, headers: json, body: account },
  { method: 'POST', path: 'resolve/mobile-money', headers: json, body: account },
  ...['transfers', `transfers/${merchant.wallets.test.ZMW}`, 'transfers/status/a'].map((path) => ({
    path,
  })),
  ...[`transfers/${merchant.wallets.test.ZMW}/history`, 'transfer-recipients'].map((path) => ({
    path,
  })),
  { method: 'POST', path: `transfers/${merchant.wallets.test.ZMW}/cancel` },
  ...[`transfer-recipients/${merchant.wallets.test.ZMW}`, 'wallets', 'operators'].map((path) => ({
    path,
  })),
  { path: `wallets/${merchant.wallets.test.ZMW}` },
  { path: `wallets/${merchant.wallets.test.ZMW}/postings` },
];

for (const [what, headers] of Object.entries(badHeaders)) {
  it(`answers a key that is ${what} with the same 401`, async () => {
    const answer = await keyless.send({ path: 'wallets', headers: headers ?? {} });
    assertRefused(answer, 401, 'UNAUTHORIZED');
    assert.equal(withoutRequestId(answer), expected401);
    assert.equal(answer.headers['ratelimit-limit'], undefined);
  });
}

it('answers every operation without a key with the same 401, before it reads the body', async () => {
  for (const call of endpoints) {
    const answer = await keyless.send(call);
    assertRefused(answer, 401, 'UNAUTHORIZED', call.path);
    assert.equal(withoutRequestId(answer), expected401);
  }
  const broken = { method: 'POST', path: TRANSFERS, headers: json, body: '{' };
  assertRefused(await keyless.send(broken), 401, 'UNAUTHORIZED');
});

it('ignores a key in the query string or the body', async () => {
  for (const name of ['x-api-key', 'apiKey', 'api_key', 'key']) {
    const answer = await keyless.get(`wallets?${name}=${good}`);
    assertRefused(answer, 401, 'UNAUTHORIZED', name);
    assert.equal(withoutRequestId(answer), expected401);
  }
  const inBody = await keyless.post(TRANSFERS, { ...order(), 'x-api-key': good });
  assertRefused(inBody, 401, 'UNAUTHORIZED');
});

it('stops accepting a key in use within a second of its revocation', async () => {
  const key = await merchant.issueKey({});
  const client = apiWith(key.text);
  assert.equal((await client.get('wallets')).status, 200);
  await changeKey(key.id, 'revoked_at', '0');
  const revokedAt = performance.now();
  for (;;) {
    const askedAt = performance.now();
    const answer = await client.get('wallets');
    if (answer.status === 401) break;
    assert.ok(askedAt - revokedAt <= REVOKED_WITHIN_MS, 'still taken');
  }
  assert.equal(withoutRequestId(await client.get('wallets')), expected401);
});

it('pays nothing by a key that is revoked before the body has come', async () => {
  const key = await merchant.issueKey({});
  const body = order();
  const asked = request(`${service.baseUrl}/api/v1/payments/${TRANSFERS}`, {
    method: 'POST',
    agent: false,
    headers: { ...json, 'x-api-key': key.text, expect: '100-continue' },
  });
  asked.flushHeaders();
  await once(asked, 'continue');
  await changeKey(key.id, 'revoked_at', '0');
  await wait(REVOKED_WITHIN_MS);
  asked.end(JSON.stringify(body));
  const [response] = await once(asked, 'response');
  response.resume();
  assert.equal(response.statusCode, 401);
  const text = 'select id from transfers where reference = $1';
  assert.deepEqual(await database.query({ name: '', text }, [body['reference']]), []);
});

it('stops accepting a key in use when it expires', async () => {
  const key = await merchant.issueKey({});
  const client = apiWith(key.text);
  assert.equal((await client.get('wallets')).status, 200);
  await changeKey(key.id, 'expires_at', '-1 second');
  const changedAt = performance.now();
  while ((await client.get('wallets')).status !== 401) {
    assert.ok(performance.now() - changedAt <= 2 * REVOKED_WITHIN_MS, 'still taken');
  }
});

const { id: transferId } = await contract.initiate();
type Asks = Readonly<Record<string, (client: ApiClient) => Promise<{ status: number }>>>;
const asks: Asks = {
  'transfers:write': (client) => client.post(TRANSFERS, order()),
  'recipients:write': (client) => client.post(RECIPIENTS, account),
  read: (client) => client.get(`transfers/${transferId}`),
};

for (const scope of ['transfers:write', 'recipients:write', 'read'] as const) {
  it(`allows a key with the scope ${scope} only what that scope covers`, async () => {
    const client = apiWith((await merchant.issueKey({ scopes: [scope] })).text);
    for (const [needed, ask] of Object.entries(asks)) {
      const { status } = await ask(client);
      if (needed === scope) assert.ok(status < 300, `${needed}: ${status}`);
      else assert.equal(status, 403, needed);
    }
  });
}

it('protects every operation by a scope', async () => {
  const reader = apiWith((await merchant.issueKey({ scopes: ['read'] })).text);
  const writer = apiWith((await merchant.issueKey({ scopes: ['transfers:write'] })).text);
  for (const call of endpoints) {
    if (call.path.startsWith('resolve')) continue;
    const writes = call.method === 'POST';
    assert.equal((await reader.send(call)).status === 403, writes, call.path);
    const forbidden = !writes || !call.path.startsWith('transfers/');
    const answer = await writer.send(call);
    assert.equal(answer.status === 403, forbidden, `${call.path} ${answer.text}`);
    if (forbidden) assertRefused(answer, 403, 'FORBIDDEN');
  }
});

it('accepts a key with an address list from these addresses only', async () => {
  const elsewhere = apiWith((await merchant.issueKey({ addresses: ['10.0.0.0/8', '::1'] })).text);
  assertRefused(await elsewhere.get('wallets'), 403, 'FORBIDDEN');
  for (const header of ['x-forwarded-for', 'x-real-ip', 'forwarded']) {
    const forged = await elsewhere.get('wallets', { [header]: '10.1.2.3' });
    assertRefused(forged, 403, 'FORBIDDEN', header);
  }
  for (const addresses of [['127.0.0.1'], ['10.0.0.0/8', '127.0.0.0/8']]) {
    const here = apiWith((await merchant.issueKey({ addresses })).text);
    assert.equal((await here.get('wallets')).status, 200);
  }
});

it('creates keys with their mode and 160 random bits, and stores only a hash', async () => {
  // 27 characters of base62 hold 160 bits; six more are the checksum.
  assert.match(merchant.keys.test, /^sk_test_[0-9A-Za-z]{33,}$/);
  assert.match(merchant.keys.live, /^sk_live_[0-9A-Za-z]{33,}$/);
  const rows = await database.query<{ row: string }>(
    { name: '', text: 'select api_keys::text as row from api_keys' },
    [],
  );
  assert.ok(rows.length > 0);
  const random = merchant.keys.test.slice('sk_test_'.length, -6);
  for (const { row } of rows) assert.ok(!row.includes(random));
});

it('answers a suspended merchant about what it stored, and refuses only what is new', async () => {
  const suspended = await createTestMerchant(database);
  const client = apiWith(suspended.keys.test);
  const newOrder = () => order({ walletId: suspended.wallets.test.ZMW, phone: '0977433941' });
  const [keyed, plain, listed, unsent] = [newOrder(), newOrder(), newOrder(), newOrder()];
  const key = { 'idempotency-key': randomUUID() };
  const first = await client.post(TRANSFERS, keyed, key);
  const second = readTransfer((await client.post(TRANSFERS, plain)).data);
  const listKey = { 'idempotency-key': randomUUID() };
  const list = await client.post(`${TRANSFERS}/bulk`, { transfers: [listed] }, listKey);
  const [stored] = resultsOf(list);
  const deps = { database, now: () => new Date(), newId: randomUUID };
  const about = { actor: TEST_ACTOR, merchant: suspended.name, reason: 'ticket 4712' };
  await suspendMerchant(deps, about);
  await poll(
    () => client.post(TRANSFERS, newOrder()),
    ({ status }) => status === 403,
  );
  const again = await client.post(TRANSFERS, keyed, key);
  assert.equal(again.status, 201, again.text);
  assert.equal(again.headers['idempotent-replayed'], 'true');
  assert.deepEqual(again.data, first.data);
  const reused = await client.post(TRANSFERS, plain, key);
  assertRefused(reused, 422, 'IDEMPOTENCY_KEY_REUSED');
  const duplicate = await client.post(TRANSFERS, plain);
  assertRefused(duplicate, 409, 'DUPLICATE_REFERENCE');
  assert.ok(duplicate.text.includes(second.id));
  const bulk = await client.post(
    `${TRANSFERS}/bulk`,
    { transfers: [listed, unsent, plain] },
    listKey,
  );
  assert.equal(bulk.status, 200, bulk.text);
  const [replayed, refused, known] = resultsOf(bulk);
  assert.deepEqual(replayed, stored);
  assert.equal(refused?.data.error?.code, 'FORBIDDEN');
  assert.equal(known?.data.error?.code, 'DUPLICATE_REFERENCE');
  const unstored = await client.get(`transfers/status/${String(unsent.reference)}`);
  assertRefused(unstored, 404, 'TRANSFER_NOT_FOUND');
  const asked = await client.post(`${TRANSFERS}/preflight`, plain);
  assert.match(asked.text, /"DUPLICATE_REFERENCE"/);
});

type BulkResult = Readonly<{ status: boolean; data: Readonly<{ error?: { code: string } }> }>;

function resultsOf({ data }: Answer): readonly BulkResult[] {
  return data.results as readonly BulkResult[];
}

it('starts no payouts for a suspended merchant; its queued ones wait until it is resumed', async () => {
  const suspended = await createTestMerchant(database);
  const client = apiWith(suspended.keys.test);
  const payFrom = { walletId: suspended.wallets.test.ZMW };
  const queue = async () => {
    const { data } = await client.post(TRANSFERS, order({ ...payFrom, phone: '0977433941' }));
    return readTransfer(data);
  };
  const [waiting, unwanted] = [await queue(), await queue()];
  assert.deepEqual([waiting.state, unwanted.state], ['queued', 'queued']);
  const deps = { database, now: () => new Date(), newId: randomUUID };
  const about = { actor: TEST_ACTOR, merchant: suspended.name, reason: 'ticket 4711' };
  await suspendMerchant(deps, about);
  const askedAtMs = Date.now();
  const refused = await poll(
    () => client.post(TRANSFERS, order(payFrom)),
    ({ status }) => status === 403,
  );
  assert.ok(Date.now() - askedAtMs < 1_500, 'it took longer than a second');
  assertRefused(refused, 403, 'FORBIDDEN');
  assert.match(refused.text, /suspended[^]*Nothing was stored/);
  const bulk = await client.post(`${TRANSFERS}/bulk`, { transfers: [order(payFrom)] });
  assertRefused(bulk, 403, 'FORBIDDEN');
  const live = order({ walletId: suspended.wallets.live.ZMW });
  assert.equal((await apiWith(suspended.keys.live).post(TRANSFERS, live)).status, 403);
  // Others pay, and the suspended one reads and cancels.
  await contract.initiate();
  assert.equal((await client.get('transfers')).status, 200);
  const cancelled = await client.post(`transfers/${unwanted.id}/cancel`, {});
  assert.equal(cancelled.status, 200, cancelled.text);
  const overdue = `select count(*)::integer as count from transfers
                   where id = $1 and next_action_at < now() - interval '600 ms'`;
  await poll(
    () => database.query<{ count: number }>({ name: '', text: overdue }, [waiting.id]),
    ([row]) => row?.count === 1,
  );
  const stateOf = async () =>
    readTransfer((await client.get(`transfers/${waiting.id}`)).data).state;
  assert.equal(await stateOf(), 'queued');
  await resumeMerchant(deps, about);
  await poll(stateOf, (state) => state === 'succeeded');
});
