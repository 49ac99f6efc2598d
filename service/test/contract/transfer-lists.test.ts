import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, it } from 'node:test';
import { assertRefused, brokenFields, listOf, readTransfer, type Transfer } from './api-client.ts';
import { openContract, poll } from './open-contract.ts';

const contract = await openContract();
after(() => contract.close());
const { api, merchant } = contract;
const nigeria = { country: 'ng', phone: '08031234567', walletId: merchant.wallets.test.NGN };
const secondWallet = await merchant.createWallet({});

type Page = Readonly<{ items: readonly Transfer[]; nextCursor: string | null }>;

async function list(query: string): Promise<Page> {
  const { status, data, text } = await api.get(`transfers?${query}`);
  assert.equal(status, 200, text);
  assert.deepEqual(Object.keys(data).sort(), ['items', 'nextCursor']);
  const { nextCursor } = data;
  assert.ok(nextCursor === null || typeof nextCursor === 'string', text);
  return { items: listOf(data.items).map(readTransfer), nextCursor };
}

async function listAll(query: string, between?: () => Promise<unknown>): Promise<Transfer[]> {
  const all: Transfer[] = [];
  let cursor: string | null = null;
  do {
    const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page: Page = await list(query + next);
    all.push(...page.items);
    cursor = page.nextCursor;
    await between?.();
  } while (cursor !== null);
  return all;
}

const ids = (transfers: readonly Transfer[]) => transfers.map(({ id }) => id);
const initiateSome = (count: number, changes = {}) =>
  Promise.all(Array.from({ length: count }, () => contract.initiate(changes)));

// All filters are tried on one set: eleven transfers of every kind, all in a final state.
const made = [
  ...(await initiateSome(3)),
  ...(await initiateSome(2, { operator: 'mtn' })),
  ...(await initiateSome(2, { ...nigeria, operator: 'mtn' })),
  ...(await initiateSome(2, { phone: '0977433902' })),
  ...(await initiateSome(1, { phone: '0977433913' })),
  ...(await initiateSome(1, { walletId: secondWallet })),
];
const settled = await Promise.all(
  made.map(({ id }) =>
    contract.transferOnce(id, ({ state }) => ['succeeded', 'failed', 'in_doubt'].includes(state)),
  ),
);

const filters: Readonly<Record<string, (transfer: Transfer) => boolean>> = {
  'status=successful': ({ status }) => status === 'successful',
  'status=failed': ({ status }) => status === 'failed',
  'status=pending': ({ status }) => status === 'pending',
  'status=cancelled': () => false,
  'state=succeeded': ({ state }) => state === 'succeeded',
  'state=failed': ({ state }) => state === 'failed',
  'state=in_doubt': ({ state }) => state === 'in_doubt',
  'state=queued': () => false,
  'operator=mtn': ({ operator }) => operator === 'mtn',
  'operator=vodacom': () => false,
  'country=ng': ({ country }) => country === 'ng',
  [`walletId=${secondWallet}`]: ({ walletId }) => walletId === secondWallet,
  [`walletId=${secondWallet.toUpperCase()}`]: ({ walletId }) => walletId === secondWallet,
  [`reference=${made[4]?.reference}`]: ({ id }) => id === made[4]?.id,
  'reference=unknown': () => false,
  [`reference=${made[4]?.reference},unknown,${made[1]?.reference}`]: ({ id }) =>
    id === made[4]?.id || id === made[1]?.id,
  'operator=mtn&country=zm': ({ operator, country }) => operator === 'mtn' && country === 'zm',
  'status=successful&operator=airtel&country=zm': (transfer) =>
    transfer.status === 'successful' && transfer.operator === 'airtel' && transfer.country === 'zm',
  'status=failed&state=succeeded': () => false,
  'from=2020-01-01T00:00:00Z&to=2999-01-01T00:00:00Z': () => true,
  'from=2999-01-01T00:00:00Z': () => false,
  'to=2020-01-01T00:00:00.000Z': () => false,
};

for (const [query, matches] of Object.entries(filters)) {
  it(`lists by ${query.replaceAll(/[0-9a-f-]{30,}/gi, '…')}, whole and page by page`, async () => {
    const expected = ids(settled.filter(matches)).toSorted();
    assert.deepEqual(ids((await list(query)).items).toSorted(), expected);
    assert.deepEqual(ids(await listAll(`${query}&limit=2`)).toSorted(), expected);
  });
}

it('lists by the time of creation', async () => {
  const [latest] = (await list('limit=1')).items;
  const from = new Date(Date.parse(latest?.createdAt ?? '') + 2).toISOString();
  const later = await poll(
    () => contract.initiate(),
    ({ createdAt }) => createdAt > from,
  );
  const shown = ids((await list(`from=${encodeURIComponent(from)}`)).items);
  assert.ok(shown.includes(later.id) && !shown.includes(latest?.id ?? ''));
  const before = ids((await list(`to=${encodeURIComponent(from)}`)).items);
  assert.ok(before.includes(latest?.id ?? '') && !before.includes(later.id));
});

it('lists the newest first, and each as GET transfers/{id} shows it', async () => {
  const { items } = await list('limit=100');
  const times = items.map(({ createdAt }) => createdAt);
  assert.deepEqual(times, times.toSorted().toReversed());
  const first = await contract.initiate();
  const second = await contract.initiate();
  assert.deepEqual(ids((await list('limit=2')).items), [second.id, first.id]);
  const done = await contract.transferOnce(second.id, ({ status }) => status !== 'pending');
  assert.deepEqual((await list('limit=1')).items, [done]);
});

it('pages through everything once, also while other transfers are created', async () => {
  await initiateSome(30);
  const before = ids(await listAll('limit=100'));
  const meanwhile: Transfer[] = [];
  const paged = ids(
    await listAll('limit=4', async () => {
      meanwhile.push(...(await initiateSome(3)));
    }),
  );
  assert.equal(new Set(paged).size, paged.length);
  assert.ok(meanwhile.length > 0);
  assert.deepEqual(paged, before);
});

it('returns 50 without a limit and at most 100', async () => {
  await initiateSome(100);
  assert.equal((await list('')).items.length, 50);
  assert.equal((await list('limit=1')).items.length, 1);
  const hundred = await list('limit=100');
  assert.equal(hundred.items.length, 100);
  assert.notEqual(hundred.nextCursor, null);
});

const refusedQueries: Readonly<Record<string, readonly string[]>> = {
  limit: ['0', '101', '-1', '1.5', 'abc', '', '1e1', '10 ', '99999999999999999999'],
  cursor: ['x', '', 'AAAA', '%00', randomUUID(), 'a'.repeat(5_000)],
  status: ['done', 'Pending', 'succeeded', ''],
  state: ['successful', 'SUCCEEDED', ''],
  operator: ['MTN', 'tigo', ''],
  country: ['ZM', 'za', ''],
  walletId: ['mine', merchant.wallets.test.ZMW.replaceAll('-', ''), ''],
  from: ['yesterday', '', '2026-13-01T00:00:00Z', '2026-02-30T00:00:00Z', '1'],
  to: ['now', '2026-01-01T25:00:00Z'],
  reference: ['a%20b', '', 'a'.repeat(101), 'a,,b', 'a,', 'a,b c', 'a,'.repeat(100) + 'a'],
};

for (const [name, values] of Object.entries(refusedQueries)) {
  it(`refuses a bad ${name} by name`, async () => {
    for (const value of values) {
      const answer = await api.get(`transfers?${name}=${encodeURI(decodeURI(value))}`);
      assertRefused(answer, 400, 'VALIDATION_ERROR', `${name}=${value}`);
      assert.deepEqual(Object.keys(brokenFields(answer)), [name], `${name}=${value}`);
    }
  });
}

it('refuses unknown parameters, and those given twice', async () => {
  const lists = ['transfers', 'transfer-recipients', 'wallets'];
  for (const path of [...lists, `wallets/${merchant.wallets.test.ZMW}/postings`]) {
    const answer = await api.get(`${path}?page=2`);
    assertRefused(answer, 400, 'VALIDATION_ERROR', path);
    assert.deepEqual(brokenFields(answer), { page: 'UNKNOWN_FIELD' });
  }
  assertRefused(await api.get('transfers?limit=1&limit=2'), 400, 'VALIDATION_ERROR');
  const several = await api.get('transfers?limit=0&state=x&Status=failed');
  assert.deepEqual(Object.keys(brokenFields(several)).sort(), ['Status', 'limit', 'state']);
});

it('applies the same bounds in the other lists', async () => {
  const lists = ['transfer-recipients', 'wallets'];
  for (const path of [...lists, `wallets/${merchant.wallets.test.ZMW}/postings`]) {
    for (const query of ['limit=0', 'limit=101', 'cursor=x']) {
      assertRefused(await api.get(`${path}?${query}`), 400, 'VALIDATION_ERROR', path);
    }
    const { data, text } = await api.get(`${path}?limit=100`);
    assert.ok(Array.isArray(data.items), text);
  }
});
