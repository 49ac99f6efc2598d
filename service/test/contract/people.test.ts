import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { storeAccount, totpCode } from '../test-account.ts';
import { createTestMerchant } from '../test-merchant.ts';
import { storePerson, type TestPerson } from '../test-person.ts';
import { openContract, poll, TRANSFERS } from './open-contract.ts';

const REMOVED_WITHIN_MS = 1_000;
const contract = await openContract();
after(() => contract.close());
const { merchant, database, order, service } = contract;
const other = await createTestMerchant(database);

async function call(
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: Readonly<{ method?: string; headers?: object; body?: unknown }>,
) {
  const response = await fetch(`${service.baseUrl}/api/v1/payments/${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { data } = (await response.json()) as { data: { error?: { code: string } } };
  return { status: response.status, code: data?.error?.code, data };
}

const personWith = (role: 'owner' | 'maker' | 'viewer' | 'developer', bookId?: string) =>
  storePerson(database, {
    roles: [{ merchantId: merchant.id, role, ...(bookId === undefined ? {} : { bookId }) }],
  });
const inBook = (person: TestPerson, bookId: string) => ({ ...person.headers, 'x-book': bookId });

describe('a call with a session', () => {
  it('on this machine, over plain http, has the cookie kafue', async () => {
    const account = await storeAccount(database);
    const response = await fetch(`${service.baseUrl}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        email: account.email,
        password: account.password,
        code: totpCode(account.totpSecret),
      }),
    });
    const cookie = response.headers.get('set-cookie') ?? '';
    assert.match(cookie, /^kafue=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    const headers = { cookie: cookie.slice(0, cookie.indexOf(';')) };
    const session = await fetch(`${service.baseUrl}/api/v1/session`, { headers });
    assert.equal(session.status, 200);
  });

  it('is told how many more are allowed, also when it is refused', async () => {
    const owner = await storePerson(database, {
      staffRoles: ['auditor'],
      roles: [{ merchantId: merchant.id, role: 'owner' }],
    });
    const limitsOf = async (
      path: string,
      {
        method = 'GET',
        headers = {},
        as = owner.headers,
      }: Readonly<{ method?: string; headers?: object; as?: object }>,
    ) => {
      const sent = { 'x-book': merchant.books.test, ...as, ...headers };
      const response = await fetch(`${service.baseUrl}/api/v1${path}`, { method, headers: sent });
      await response.body?.cancel();
      const limits = ['limit', 'remaining', 'reset'].map((name) =>
        response.headers.get(`ratelimit-${name}`),
      );
      return { status: response.status, limits };
    };
    const first = await limitsOf('/payments/wallets', {});
    assert.deepEqual(first, { status: 200, limits: ['200', '199', '1'] });
    const foreign = { method: 'POST', headers: { origin: 'https://evil.test' } };
    const calls = [
      [200, '/session', {}],
      [200, `/merchants/${merchant.id}/people`, {}],
      [200, '/operations/merchants', {}],
      [403, '/operations/merchants', { method: 'POST' }],
      [403, `/payments/${TRANSFERS}`, foreign],
      [404, '/payments/wallets', { headers: { 'x-book': other.books.test } }],
      [404, `/merchants/${other.id}/people`, {}],
      [403, '/payments/keys', { as: { 'x-api-key': merchant.keys.test } }],
    ] as const;
    for (const [status, path, how] of calls) {
      const answer = await limitsOf(path, how);
      assert.equal(answer.status, status, path);
      for (const limit of answer.limits) assert.match(limit ?? 'missing', /^\d+$/, path);
    }
  });

  it('needs the book', async () => {
    const owner = await personWith('owner');
    const { status, code } = await call('wallets', { headers: owner.headers });
    assert.deepEqual([status, code], [400, 'VALIDATION_ERROR']);
  });

  it('is refused together with a key', async () => {
    const owner = await personWith('owner');
    const headers = { ...inBook(owner, merchant.books.test), 'x-api-key': merchant.keys.test };
    const { status, code } = await call('wallets', { headers });
    assert.deepEqual([status, code], [400, 'BAD_REQUEST']);
  });

  it("sees nothing of another merchant's book", async () => {
    const owner = await personWith('owner');
    const { status, code } = await call('wallets', { headers: inBook(owner, other.books.test) });
    assert.deepEqual([status, code], [404, 'BOOK_NOT_FOUND']);
  });

  it('sees only the book that the role is limited to', async () => {
    const viewer = await personWith('viewer', merchant.books.test);
    const answers = await Promise.all(
      [merchant.books.test, merchant.books.live].map((id) =>
        call('wallets', { headers: inBook(viewer, id) }),
      ),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 404],
    );
  });

  it('pays as a maker and is recorded, and is refused as a viewer', async () => {
    const [maker, viewer] = await Promise.all([personWith('maker'), personWith('viewer')]);
    const pay = (person: TestPerson) =>
      call(TRANSFERS, {
        method: 'POST',
        headers: inBook(person, merchant.books.test),
        body: order(),
      });
    const paid = await pay(maker);
    assert.equal(paid.status, 201);
    const { id } = paid.data as unknown as { id: string };
    const [event] = await database.query<{ actor: string }>(
      { name: '', text: 'select actor from events where subject_id = $1 and seq = 1' },
      [id],
    );
    assert.equal(event?.actor, `person:${maker.id}`);
    const refused = await pay(viewer);
    assert.deepEqual([refused.status, refused.code], [403, 'FORBIDDEN']);
  });

  it('lets a developer do everything in the test book, and see no payouts in the live one', async () => {
    const developer = await personWith('developer');
    const headers = (id: string) => inBook(developer, id);
    const test = await call(TRANSFERS, {
      method: 'POST',
      headers: headers(merchant.books.test),
      body: order(),
    });
    const live = await call('transfers', { headers: headers(merchant.books.live) });
    const webhooks = await call('webhooks', { headers: headers(merchant.books.live) });
    assert.deepEqual([test.status, live.status, webhooks.status], [201, 403, 200]);
  });

  it('needs a second factor for a live book', async () => {
    const given = { roles: [{ merchantId: merchant.id, role: 'owner' as const }] };
    const owner = await storePerson(database, { ...given, hasSecondFactor: false });
    const { status, code } = await call('wallets', { headers: inBook(owner, merchant.books.live) });
    assert.deepEqual([status, code], [403, 'SECOND_FACTOR_REQUIRED']);
  });

  const foreign: readonly Readonly<Record<string, string>>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.test' },
    { origin: 'null' },
  ];
  for (const sent of foreign) {
    it(`changes nothing when it comes with ${JSON.stringify(sent)}`, async () => {
      const maker = await personWith('maker');
      const headers = { ...inBook(maker, merchant.books.test), ...sent };
      const answer = await call(TRANSFERS, { method: 'POST', headers, body: order() });
      assert.deepEqual([answer.status, answer.code], [403, 'FORBIDDEN']);
    });
  }

  const ends: Readonly<Record<string, string>> = {
    'its session is ended': 'update sessions set ended_at = now() where person_id = $1',
    'its time is over': `update sessions set expires_at = created_at + interval '1 ms' where person_id = $1`,
    'it was idle': `update sessions set last_used_at = now() - interval '31 minutes' where person_id = $1`,
    'the person is removed': 'update people set removed_at = now() where id = $1',
  };
  for (const [what, text] of Object.entries(ends)) {
    it(`is refused when ${what}`, async () => {
      const owner = await personWith('owner');
      const headers = inBook(owner, merchant.books.test);
      assert.equal((await call('wallets', { headers })).status, 200);
      await database.query({ name: '', text }, [owner.id]);
      const { status, code } = await call('wallets', { headers });
      assert.deepEqual([status, code], [401, 'UNAUTHORIZED']);
    });
  }

  it('ends within a second when the role is taken away', async () => {
    const owner = await personWith('owner');
    const headers = inBook(owner, merchant.books.test);
    assert.equal((await call('wallets', { headers })).status, 200);
    await database.query({ name: '', text: 'delete from merchant_roles where person_id = $1' }, [
      owner.id,
    ]);
    const startedMs = performance.now();
    await poll(
      async () => (await call('wallets', { headers })).status,
      (status) => status === 404,
    );
    assert.ok(performance.now() - startedMs < REMOVED_WITHIN_MS);
  });
});
