import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import type { MerchantRole } from '../../src/domain/roles.ts';
import { createTestMerchant } from '../test-merchant.ts';
import { storePerson, type TestPerson } from '../test-person.ts';
import { type Fields, fieldsOf, listOf, textOf } from './api-client.ts';
import { openContract, poll } from './open-contract.ts';
import { callAs } from './person-client.ts';

const contract = await openContract();
after(() => contract.close());
const { merchant, database, service, apiWith } = contract;
const CHECK_VIOLATION = '23514';
const RESTRICT_VIOLATION = '23001';
const BODY = { name: 'till', scopes: ['read'] };

const run = (text: string, values: readonly unknown[]) =>
  database.query<Record<string, unknown>>({ name: '', text }, values);
const personWith = (role: MerchantRole, more: Partial<Parameters<typeof storePerson>[1]> = {}) =>
  storePerson(database, { roles: [{ merchantId: merchant.id, role }], ...more });

type Mode = 'test' | 'live';
const inBook = (
  person: TestPerson,
  path: string,
  { mode = 'test', method, body }: { mode?: Mode; method?: string; body?: Fields } = {},
) =>
  callAs(service.baseUrl, person, `payments/${path}`, {
    bookId: merchant.books[mode],
    ...(method === undefined ? {} : { method }),
    ...(body === undefined ? {} : { body }),
  });
const post = (person: TestPerson, path: string, mode: Mode = 'test', body: Fields = {}) =>
  inBook(person, path, { mode, method: 'POST', body });
const keyIn = async (person: TestPerson, mode: Mode, id: unknown) => {
  const { data } = await inBook(person, 'keys', { mode });
  return listOf(data['items']).find((key) => key['id'] === id);
};
const statusWith = async (secret: unknown) => (await apiWith(textOf(secret)).get('wallets')).status;

describe('keys that people make', () => {
  it('work, are listed without the secret, and end when they are revoked', async () => {
    const developer = await personWith('developer');
    const made = await post(developer, 'keys', 'test', {
      ...BODY,
      addresses: ['127.0.0.0/8'],
      expiresAt: '2099-01-01T00:00:00Z',
    });
    assert.equal(made.status, 201, JSON.stringify(made.data));
    const { id, secret } = made.data;
    assert.equal(await statusWith(secret), 200);
    const listed = await keyIn(developer, 'test', id);
    assert.deepEqual(
      [listed?.['state'], listed?.['scopes'], listed?.['addresses'], listed?.['createdBy']],
      ['active', ['read'], ['127.0.0.0/8'], { id: developer.id, name: developer.name }],
    );
    assert.ok(!JSON.stringify(listed).includes(textOf(secret)));
    assert.equal(await keyIn(developer, 'live', id), undefined);
    const revoked = await post(developer, `keys/${textOf(id)}/revoke`);
    assert.deepEqual([revoked.status, revoked.data['state']], [200, 'revoked']);
    await poll(
      () => statusWith(secret),
      (status) => status === 401,
    );
    const acts = await run(
      'select kind, book_id, actor_id, as_member from directory.acts where subject = $1',
      [id],
    );
    const act = { book_id: merchant.books.test, actor_id: developer.id, as_member: true };
    assert.deepEqual(
      acts.toSorted((a, b) => String(a['kind']).localeCompare(String(b['kind']))),
      [
        { kind: 'KEY_ISSUED', ...act },
        { kind: 'KEY_REVOKED', ...act },
      ],
    );
  });

  it('work at once in the live book when an owner makes them', async () => {
    const owner = await personWith('owner');
    const made = await post(owner, 'keys', 'live', BODY);
    assert.deepEqual([made.status, made.data['state']], [201, 'active']);
    assert.equal(await statusWith(made.data['secret']), 200);
  });

  it('wait for an owner who is another person, when a developer makes a live one', async () => {
    const [developer, owner] = await Promise.all([personWith('developer'), personWith('owner')]);
    const made = await post(developer, 'keys', 'live', BODY);
    assert.deepEqual([made.status, made.data['state']], [201, 'awaiting_confirmation']);
    const { id, secret } = made.data;
    assert.equal(await statusWith(secret), 401);
    const path = `keys/${textOf(id)}/confirm`;
    assert.equal((await post(developer, path, 'live')).code, 'FORBIDDEN');
    // The developer becomes an owner too, and is still the one who made it.
    await run(
      `insert into merchant_roles (person_id, merchant_id, role, given_at) values ($1, $2, 'owner', now())`,
      [developer.id, merchant.id],
    );
    assert.equal((await post(developer, path, 'live')).code, 'FORBIDDEN');
    assert.equal(await statusWith(secret), 401);
    const confirmed = await post(owner, path, 'live');
    assert.deepEqual([confirmed.status, confirmed.data['state']], [200, 'active']);
    await poll(
      () => statusWith(secret),
      (status) => status === 200,
    );
    assert.equal((await post(owner, path, 'live')).code, 'INVALID_STATE');
  });

  it('cannot be confirmed by their maker in the database either, nor come back', async () => {
    const developer = await personWith('developer');
    const { data } = await post(developer, 'keys', 'live', BODY);
    const confirm = `
      update api_keys set confirmed_by = $2, confirmed_at = created_at + interval '1 s' where id = $1`;
    await assert.rejects(run(confirm, [data['id'], developer.id]), { code: CHECK_VIOLATION });
    await post(developer, `keys/${textOf(data['id'])}/revoke`, 'live');
    const back = 'update api_keys set revoked_at = null where id = $1';
    await assert.rejects(run(back, [data['id']]), { code: RESTRICT_VIOLATION });
  });

  it('are ended when a day passes without a confirmation', async () => {
    const [developer, owner] = await Promise.all([personWith('developer'), personWith('owner')]);
    const { data } = await post(developer, 'keys', 'live', BODY);
    await run('update api_keys set confirm_until = now() where id = $1', [data['id']]);
    assert.equal((await keyIn(owner, 'live', data['id']))?.['state'], 'expired');
    const late = await post(owner, `keys/${textOf(data['id'])}/confirm`, 'live');
    assert.equal(late.code, 'INVALID_STATE');
    assert.equal(await statusWith(data['secret']), 401);
  });

  it('are ended while they wait when their maker leaves', async () => {
    const [owner, developer] = await Promise.all([personWith('owner'), personWith('developer')]);
    const { data } = await post(developer, 'keys', 'live', BODY);
    const path = `merchants/${merchant.id}/people/${developer.id}`;
    const removed = await callAs(service.baseUrl, owner, path, { method: 'DELETE' });
    assert.equal(removed.status, 200, JSON.stringify(removed.data));
    assert.equal((await keyIn(owner, 'live', data['id']))?.['state'], 'revoked');
    const confirmed = await post(owner, `keys/${textOf(data['id'])}/confirm`, 'live');
    assert.deepEqual([confirmed.status, confirmed.code], [409, 'INVALID_STATE']);
    const acts = await run(
      `select book_id, actor_id, before ->> 'revokedAt' as before, after ->> 'revokedAt' is null as is_open
       from directory.acts where subject = $1 and kind = 'KEY_REVOKED'`,
      [data['id']],
    );
    const act = { book_id: merchant.books.live, actor_id: owner.id };
    assert.deepEqual(acts, [{ ...act, before: null, is_open: false }]);
  });

  it('need a fresh second factor in the live book only', async () => {
    const owner = await personWith('owner', { steppedUpAt: null });
    assert.equal((await post(owner, 'keys', 'live', BODY)).code, 'STEP_UP_REQUIRED');
    assert.equal((await post(owner, 'keys', 'test', BODY)).status, 201);
  });

  it('are refused with every broken field', async () => {
    const owner = await personWith('owner');
    const { status, data } = await post(owner, 'keys', 'test', {
      scopes: ['everything'],
      addresses: [1],
      expiresAt: '2020-01-01T00:00:00Z',
      spare: 1,
    });
    assert.equal(status, 400);
    const fields = listOf(fieldsOf(data['error'])['fields']).map(({ field }) => field);
    assert.deepEqual(
      new Set(fields),
      new Set(['addresses', 'expiresAt', 'name', 'scopes', 'spare']),
    );
    const range = await post(owner, 'keys', 'test', { ...BODY, addresses: ['41.72.96.1/24'] });
    assert.equal(range.code, 'VALIDATION_ERROR');
  });

  it('of another merchant do not exist', async () => {
    const owner = await personWith('owner');
    const other = await createTestMerchant(database);
    const foreign = await other.issueKey({});
    for (const id of [foreign.id, randomUUID(), 'none']) {
      assert.equal((await post(owner, `keys/${id}/revoke`)).code, 'KEY_NOT_FOUND');
    }
    assert.equal(await statusWith(foreign.text), 200);
  });

  it('cannot be managed with keys, nor by people without the role', async () => {
    const byKey = apiWith(merchant.keys.test);
    const calls = ['keys', 'views', 'stream'].map((path) => byKey.get(path));
    calls.push(byKey.post('keys', BODY), byKey.post(`keys/${randomUUID()}/revoke`, {}));
    for (const { status, data } of await Promise.all(calls)) {
      assert.deepEqual([status, fieldsOf(data['error'])['code']], [403, 'FORBIDDEN']);
    }
    assert.equal((await apiWith('sk_test_none').get('keys')).status, 401);
    const [maker, viewer] = await Promise.all([personWith('maker'), personWith('viewer')]);
    assert.equal((await inBook(maker, 'keys')).code, 'FORBIDDEN');
    assert.equal((await inBook(viewer, 'keys')).status, 200);
    assert.equal((await post(viewer, 'keys', 'test', BODY)).code, 'FORBIDDEN');
  });
});

describe('saved views', () => {
  const VIEW = { name: 'Doubts', query: 'state=in_doubt', columns: ['reference', 'amount'] };
  const viewsOf = async (person: TestPerson, mode: Mode = 'test') =>
    listOf((await inBook(person, 'views', { mode })).data['items']);

  it('are seen by their owner alone until they are shared', async () => {
    const [maker, viewer] = await Promise.all([personWith('maker'), personWith('viewer')]);
    const saved = await post(maker, 'views', 'test', VIEW);
    const ownedBy = { id: maker.id, name: maker.name };
    const expected = { id: saved.data['id'], ...VIEW, isShared: false, ownedBy };
    assert.deepEqual([saved.status, saved.data], [201, expected]);
    assert.deepEqual(await viewsOf(maker), [expected]);
    assert.deepEqual(await viewsOf(viewer), []);
    const path = `views/${textOf(expected.id)}`;
    const put = (person: TestPerson, body: Fields) => inBook(person, path, { method: 'PUT', body });
    assert.equal((await put(maker, { ...VIEW, isShared: true })).status, 200);
    assert.deepEqual(await viewsOf(viewer), [{ ...expected, isShared: true }]);
    assert.deepEqual(await viewsOf(viewer, 'live'), []);
    assert.equal((await put(viewer, VIEW)).code, 'VIEW_NOT_FOUND');
    assert.equal((await inBook(viewer, path, { method: 'DELETE' })).code, 'VIEW_NOT_FOUND');
    assert.equal((await inBook(maker, path, { method: 'DELETE' })).status, 200);
    assert.deepEqual(await viewsOf(maker), []);
  });

  it('can be shared only by people who may prepare payouts', async () => {
    const viewer = await personWith('viewer');
    const shared = await post(viewer, 'views', 'test', { ...VIEW, isShared: true });
    assert.equal(shared.code, 'FORBIDDEN');
  });

  it('are bounded in number and length', async () => {
    const viewer = await personWith('viewer');
    const long = { name: 'n'.repeat(61), query: 'q'.repeat(2_001), columns: ['c'.repeat(41)] };
    const refused = await post(viewer, 'views', 'test', long);
    const fields = listOf(fieldsOf(refused.data['error'])['fields']).map(({ field }) => field);
    assert.deepEqual(new Set(fields), new Set(['columns', 'name', 'query']));
    await run(
      `insert into saved_views (id, person_id, book_id, name, query, columns, is_shared, created_at)
       select gen_random_uuid(), $1, $2, 'n', '', '{}', false, now() from generate_series(1, 49)`,
      [viewer.id, merchant.books.test],
    );
    const both = await Promise.all([0, 1].map(() => post(viewer, 'views', 'test', VIEW)));
    assert.deepEqual(new Set(both.map(({ status }) => status)), new Set([201, 422]));
  });
});
