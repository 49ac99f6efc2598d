import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { putPolicy } from '../put-policy.ts';
import { bookOf, createTestMerchant } from '../test-merchant.ts';
import { storePerson, type TestPerson } from '../test-person.ts';
import { type Behaviour, startWebhookReceiver } from '../webhook-receiver.ts';
import { fieldsOf, listOf } from './api-client.ts';
import { openContract, poll, TRANSFERS } from './open-contract.ts';

const contract = await openContract({ WEBHOOKS_TO_LOOPBACK: '1' });
const { merchant, database, service, api } = contract;
let behaviour: Behaviour = { status: 200, body: '{"decision":"allow"}' };
const receiver = await startWebhookReceiver({ script: () => behaviour });
after(async () => {
  await contract.close();
  await receiver.close();
});
const owner = await storePerson(database, { roles: [{ merchantId: merchant.id, role: 'owner' }] });
const admin = await storePerson(database, { staffRoles: ['admin'] });
const book = bookOf(merchant);

type Call = Readonly<{ method?: string; body?: object; headers?: object }>;

async function call(path: string, { method, body, headers = inBook(owner) }: Call = {}) {
  const response = await fetch(`${service.baseUrl}/api/v1/${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { data, message } = (await response.json()) as {
    data: Record<string, unknown>;
    message: string;
  };
  const error = fieldsOf(data?.error ?? {});
  return { status: response.status, code: error.code, message, data, error };
}

const inBook = (person: TestPerson, id: string = merchant.books.test) => ({
  ...person.headers,
  'x-book': id,
});
const add = (body: object, more: Call = {}) => call('payments/screeners', { body, ...more });
const addCompanys = (body: object) =>
  call('operations/screeners', { body, headers: admin.headers });

describe('screeners', () => {
  it('are added with a secret that is shown once, listed, and deleted', async () => {
    const url = receiver.url('/screen');
    const added = await add({ name: 'first', url, deadlineMs: 300 });
    assert.equal(added.status, 201);
    assert.match(String(added.data.secret), /^whsec_/);
    const [listed] = listOf((await call('payments/screeners')).data.items);
    assert.deepEqual([listed?.name, listed?.url, listed?.deadlineMs], ['first', url, 300]);
    assert.equal(listed?.secret, undefined);
    const again = await add({ name: 'first', url });
    assert.deepEqual([again.status, again.code], [400, 'VALIDATION_ERROR']);
    const path = `payments/screeners/${String(added.data.id)}`;
    const stranger = await createTestMerchant(database);
    const theirs = await storePerson(database, {
      roles: [{ merchantId: stranger.id, role: 'owner' }],
    });
    const headers = inBook(theirs, stranger.books.test);
    const foreign = await call(path, { method: 'DELETE', headers });
    assert.deepEqual([foreign.status, foreign.code], [404, 'SCREENER_NOT_FOUND']);
    assert.equal((await call(path, { method: 'DELETE' })).status, 200);
    assert.equal((await call(path, { method: 'DELETE' })).status, 404);
    assert.deepEqual(listOf((await call('payments/screeners')).data.items), []);
  });

  it('have no address inside, and say every broken field', async () => {
    for (const url of [
      'http://risk.example.com/',
      'https://10.0.0.1/',
      'https://localhost.internal/',
      'https://user:word@risk.example.com/',
      'https://risk.example.com:22/',
      'ftp://risk.example.com/',
    ]) {
      assert.equal((await add({ name: 'inside', url })).status, 400, url);
    }
    const live = await add(
      { name: 'live', url: receiver.url('/') },
      { headers: inBook(owner, merchant.books.live) },
    );
    assert.equal(live.status, 400);
    const broken = await add({ name: 'a b', url: 5, deadlineMs: 10_001, x: 1 });
    const fields = listOf(broken.error.fields).map(({ field }) => field);
    assert.deepEqual(new Set(fields), new Set(['deadlineMs', 'name', 'url', 'x']));
  });

  it('are at most ten, also when many are added at once', async () => {
    const other = await createTestMerchant(database);
    const person = await storePerson(database, {
      roles: [{ merchantId: other.id, role: 'owner' }],
    });
    const headers = inBook(person, other.books.test);
    const url = 'https://risk.example.com/';
    const answers = await Promise.all(
      Array.from({ length: 14 }, (_, n) => add({ name: `s${n}`, url }, { headers })),
    );
    const codes = answers.map(({ status, code }) => code ?? status);
    assert.equal(codes.filter((code) => code === 201).length, 10);
    assert.equal(codes.filter((code) => code === 'LIMIT_EXCEEDED').length, 4);
  });

  it('of the company are for the staff alone', async () => {
    const url = 'https://sanctions.example.com/ask';
    const body = { name: 'sanctions', url };
    const added = await call('operations/screeners', { body, headers: admin.headers });
    assert.equal(added.status, 201);
    const listed = await call('operations/screeners', { headers: admin.headers });
    assert.equal(listOf(listed.data.items)[0]?.name, 'sanctions');
    const path = `operations/screeners/${String(added.data.id)}`;
    assert.equal((await call(path, { method: 'DELETE', headers: admin.headers })).status, 200);
  });

  it('of a book do not take a name that the company has', async () => {
    const url = 'https://sanctions.example.com/ask';
    const body = { name: 'company-sanctions', url };
    const added = await call('operations/screeners', { body, headers: admin.headers });
    const taken = await add(body);
    assert.deepEqual([taken.status, taken.code], [409, 'INVALID_STATE']);
    assert.match(taken.message, /company has a screener called "company-sanctions"/);
    const path = `operations/screeners/${String(added.data.id)}`;
    await call(path, { method: 'DELETE', headers: admin.headers });
    assert.equal((await add(body)).status, 201);
  });

  it('of the company do not take a name that a book has for its own', async () => {
    const body = { name: 'own-risk', url: 'https://risk.example.com/' };
    const own = await add(body, { headers: inBook(owner, merchant.books.live) });
    assert.equal(own.status, 201);
    const taken = await addCompanys(body);
    assert.deepEqual([taken.status, taken.code], [409, 'INVALID_STATE']);
    assert.match(taken.message, /has a screener called "own-risk" of its own/);
    await call(`payments/screeners/${String(own.data.id)}`, {
      method: 'DELETE',
      headers: inBook(owner, merchant.books.live),
    });
    assert.equal((await addCompanys(body)).status, 201);
  });

  it('of a book and of the company never have one name, also when both are added at once', async () => {
    const url = 'https://risk.example.com/';
    for (const name of ['r0', 'r1', 'r2', 'r3', 'r4', 'r5']) {
      const answers = await Promise.all([
        add({ name, url }),
        addCompanys({ name, url }),
        add({ name, url }, { headers: inBook(owner, merchant.books.live) }),
      ]);
      const [first, companys, second] = answers.map(({ status }) => status);
      assert.deepEqual([first, second], companys === 201 ? [409, 409] : [201, 201], name);
    }
  });

  it('that the policy of a live book or its draft asks for are neither added nor removed by one person', async () => {
    const theirs = await createTestMerchant(database);
    const roles = [{ merchantId: theirs.id, role: 'owner' as const }];
    const headers = inBook(await storePerson(database, { roles }), theirs.books.live);
    const url = 'https://risk.example.com/';
    const addLive = (name: string) => add({ name, url }, { headers });
    const remove = (id: unknown) =>
      call(`payments/screeners/${String(id)}`, { method: 'DELETE', headers });
    const draft = async (method: string, ...screeners: readonly string[]) => {
      const rules = screeners.map((screen) => ({ name: screen, when: {}, require: { screen } }));
      const body = method === 'DELETE' ? {} : { body: { rules } };
      const { status } = await call('payments/policy/draft', { method, headers, ...body });
      assert.equal(status, 200);
    };
    const { data: asked } = await addLive('asked');
    const { data: unused } = await addLive('unused');
    await draft('PUT', 'asked', 'absent');
    const refusals = async (by: RegExp) => {
      for (const refused of [await remove(asked.id), await addLive('absent')]) {
        assert.deepEqual([refused.status, refused.code], [409, 'INVALID_STATE']);
        assert.match(refused.message, by);
      }
    };
    await refusals(/Delete the draft first/);
    assert.equal((await remove(unused.id)).status, 200);
    await draft('DELETE');
    const asking = (screen: string) => ({ name: screen, when: {}, require: { screen } });
    const live = bookOf(theirs, 'live');
    await putPolicy(database, live, [asking('asked'), asking('absent')]);
    await refusals(/Publish a policy that does not ask for it first, which takes two people/);
    await putPolicy(database, live, []);
    assert.equal((await remove(asked.id)).status, 200);
    assert.equal((await addLive('absent')).status, 201);
  });
});

describe('a payout that a rule wants screened', () => {
  const rules = [
    { name: 'checked', when: { amountAtLeast: '5.00' }, require: { screen: 'payouts' } },
  ];
  const pay = async (amount: number) => {
    const made = await contract.initiate({ amount });
    return made;
  };

  it('is paid when the screener allows it, and never before', async () => {
    await add({ name: 'payouts', url: receiver.url('/pay'), deadlineMs: 10_000 });
    await putPolicy(database, book, rules);
    behaviour = { status: 200, body: '{"decision":"allow","reason":"fine"}' };
    const made = await pay(6);
    assert.equal(made.state, 'awaiting_approval');
    await contract.transferOnce(made.id, ({ state }) => state === 'succeeded');
    const { data } = await api.get(`transfers/${made.id}/screenings`);
    const [screening] = listOf(data.items);
    assert.deepEqual(
      [screening?.rule, screening?.screener, screening?.decision, screening?.reason],
      ['checked', 'payouts', 'allow', 'fine'],
    );
    const history = (await api.get(`transfers/${made.id}/history`)).text;
    assert.match(history, /a screener allowed it/);
    const small = await pay(4);
    assert.notEqual(small.state, 'awaiting_approval');
    assert.deepEqual(listOf((await api.get(`transfers/${small.id}/screenings`)).data.items), []);
  });

  it('is cancelled when the screener refuses it, with the funds back', async () => {
    behaviour = { status: 200, body: '{"decision":"refuse","reason":"sanctioned"}' };
    const walletId = await merchant.createWallet({ fundedMinor: 1_000n });
    const made = await contract.initiate({ amount: 7, walletId });
    await contract.transferOnce(made.id, ({ state }) => state === 'cancelled');
    const cancelled = (await api.get(`transfers/${made.id}`)).data;
    assert.equal(fieldsOf(cancelled.failure).code, 'SCREENING_REFUSED');
    const wallet = (await api.get(`wallets/${walletId}`)).data;
    assert.deepEqual([wallet.available, wallet.held], ['10.00', '0.00']);
  });

  it('waits when the screener fails, and says so to the people who look', async () => {
    behaviour = { status: 503 };
    const made = await pay(8);
    const { data } = await poll(
      () => api.get(`transfers/${made.id}/screenings`),
      ({ data: found }) => listOf(found.items)[0]?.decision === 'hold',
    );
    assert.match(String(listOf(data.items)[0]?.reason), /status 503/);
    const { approval } = (await api.get(`transfers/${made.id}`)).data;
    assert.equal(fieldsOf(approval).needed, 1);
    const metrics = await (await fetch(`${service.baseUrl}/metrics`)).text();
    assert.match(metrics, /kafue_screenings_total\{result="hold"\} [1-9]/);
    assert.equal((await api.post(`transfers/${made.id}/recall`, {})).status, 200);
  });

  it('is screened in bulk too', async () => {
    behaviour = { status: 200, body: '{"decision":"allow"}' };
    const transfers = [contract.order({ amount: 9 }), contract.order({ amount: 2 })];
    const { data } = await api.post(`${TRANSFERS}/bulk`, { transfers });
    const states = listOf(data.results).map((result) => fieldsOf(result.data).state);
    assert.equal(states[0], 'awaiting_approval');
    assert.notEqual(states[1], 'awaiting_approval');
  });
});
