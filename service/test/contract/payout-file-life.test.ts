import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import type { MerchantRole } from '../../src/domain/roles.ts';
import { type StoredFileRow, storedReference, storeFile } from '../stored-file.ts';
import { createTestMerchant, type TestMerchant } from '../test-merchant.ts';
import { storePerson, type TestPerson } from '../test-person.ts';
import { openStream } from './event-stream.ts';
import { openContract, poll } from './open-contract.ts';

const contract = await openContract();
after(() => contract.close());
const { database, service } = contract;

type Fields = Readonly<Record<string, unknown>>;
type Called = Readonly<{ status: number; code: string | undefined; data: Fields; text: string }>;

async function call(
  path: string,
  options: Readonly<{ headers: object; method?: string; body?: unknown }>,
): Promise<Called> {
  const { headers, body, method = 'GET' } = options;
  const response = await fetch(`${service.baseUrl}/api/v1/payments/${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const { data } = JSON.parse(text) as { data: Fields & { error?: { code: string } } };
  return { status: response.status, code: data?.error?.code, data, text };
}

/** A merchant with people, of whom each test has its own. */
async function openTeam() {
  const merchant = await createTestMerchant(database);
  const bookId = merchant.books.test;
  const person = (role: MerchantRole) =>
    storePerson(database, { roles: [{ merchantId: merchant.id, role }] });
  const [owner, maker, approver] = [
    await person('owner'),
    await person('maker'),
    await person('approver'),
  ];
  const as = (one: TestPerson) => ({ ...one.headers, 'x-book': bookId });
  const post = (one: TestPerson, path: string, body: unknown = {}) =>
    call(path, { headers: as(one), method: 'POST', body });
  const get = (one: TestPerson, path: string) => call(path, { headers: as(one) });
  return { merchant, owner, maker, approver, as, post, get };
}
type Team = Awaited<ReturnType<typeof openTeam>>;

const store = (merchant: TestMerchant, rows: readonly StoredFileRow[], madeBy?: TestPerson) =>
  storeFile(database, {
    bookId: merchant.books.test,
    walletId: merchant.wallets.test.ZMW,
    rows,
    ...(madeBy === undefined ? {} : { madeBy: madeBy.id }),
  });

async function publish({ owner, as }: Team, document: unknown): Promise<void> {
  const headers = as(owner);
  const saved = await call('policy/draft', { headers, method: 'PUT', body: document });
  assert.equal(saved.status, 200, saved.text);
  const published = await call('policy/draft/publish', { headers, method: 'POST', body: {} });
  assert.equal(published.status, 200, published.text);
}

async function fileState(id: string): Promise<string> {
  const text = 'select state from payout_files where id = $1';
  const [row] = await database.query<{ state: string }>({ name: '', text }, [id]);
  return row?.state ?? '';
}
const untilState = (id: string, wanted: string) =>
  poll(
    () => fileState(id),
    (state) => state === wanted,
  );

const BIG = {
  rules: [
    {
      name: 'big',
      when: { amountAtLeast: '5000.00', source: ['file'] },
      require: { approvals: 1, of: ['approver', 'owner'] },
    },
  ],
};

describe('a payout file', () => {
  it('is submitted by a key, paid, and told of by stream and events', async () => {
    const team = await openTeam();
    const { merchant, maker, as } = team;
    const stream = await openStream(service.baseUrl, {
      headers: as(maker),
      path: 'payments/stream',
    });
    const id = await store(merchant, [{}, {}, { phone: '+260977433901' }]);
    const headers = { 'x-api-key': merchant.keys.test };
    const submitted = await call(`payout-files/${id}/submit`, {
      headers,
      method: 'POST',
      body: {},
    });
    assert.equal(submitted.status, 200, submitted.text);
    const again = await call(`payout-files/${id}/submit`, { headers, method: 'POST' });
    assert.equal(again.status, 200, again.text);
    await untilState(id, 'done');
    await poll(
      async () => stream.changes(),
      (changes) =>
        changes.some(({ what, id: of, state }) => what === 'file' && of === id && state === 'done'),
    );
    stream.close();
    const { data } = await call('events?limit=100', { headers });
    const types = (data['items'] as Fields[])
      .filter(({ data: subject }) => Object(subject).id === id)
      .map(({ type }) => type);
    assert.deepEqual(types, ['payout_file.paying', 'payout_file.done']);
    const transfer = await call(`transfers/status/${storedReference(id, 1)}`, { headers });
    assert.deepEqual(
      [transfer.data['source'], transfer.data['payoutFileId'], transfer.data['status']],
      ['file', id, 'successful'],
    );
    const failed = await call(`payout-files/${id}/failed-rows`, {
      headers,
      method: 'POST',
      body: {},
    });
    assert.equal(failed.status, 201, failed.text);
    const retried = String(failed.data['id']);
    await call(`payout-files/${retried}/submit`, { headers, method: 'POST', body: {} });
    await untilState(retried, 'done');
    const original = await call(`transfers/status/${storedReference(id, 3)}`, { headers });
    const replacement = await call(`transfers/status/${storedReference(id, 3)}.retry-1`, {
      headers,
    });
    assert.equal(replacement.data['replaces'], original.data['id']);
  });

  it('is submitted only as it was seen, also when it was submitted meanwhile', async () => {
    const { merchant, maker, owner, as, post, get } = await openTeam();
    const id = await store(merchant, [{}, {}], maker);
    const { data: seen } = await get(maker, `payout-files/${id}`);
    const submit = (version: unknown) => post(maker, `payout-files/${id}/submit`, { version });
    const changed = await call(`payout-files/${id}/rows/2`, {
      headers: as(owner),
      method: 'PUT',
      body: { amount: '7' },
    });
    assert.equal(changed.status, 200, changed.text);
    assert.equal((await submit(seen['version'])).code, 'CONTENT_CHANGED');
    assert.equal((await submit('2')).code, 'VALIDATION_ERROR');
    const { data: now } = await get(maker, `payout-files/${id}`);
    assert.deepEqual([now['state'], (await submit(now['version'])).status], ['draft', 200]);
    assert.equal((await submit(now['version'])).status, 200);
    assert.equal((await submit(seen['version'])).code, 'CONTENT_CHANGED');
  });

  it('has results as CSV and as a workbook that say the same of every row', async () => {
    const { merchant } = await openTeam();
    const id = await store(merchant, [{}, { phone: '+260977433901' }, { amountMinor: 10n ** 11n }]);
    const headers = { 'x-api-key': merchant.keys.test };
    await call(`payout-files/${id}/submit`, { headers, method: 'POST', body: {} });
    await untilState(id, 'done');
    const download = (query: string, accept = '*/*') =>
      fetch(`${service.baseUrl}/api/v1/payments/payout-files/${id}/results${query}`, {
        headers: { ...headers, accept },
      });
    const csv = await (await download('')).text();
    const [columns = '', ...lines] = csv.trimEnd().split('\r\n');
    const names = columns.split(',');
    const cell = (line: string, name: string) => line.split(',')[names.indexOf(name)];
    assert.deepEqual(
      lines.map((line) => [cell(line, 'row'), cell(line, 'status'), cell(line, 'code')]),
      [
        ['1', 'successful', ''],
        ['2', 'failed', 'RECIPIENT_NOT_FOUND'],
        ['3', 'refused', 'INSUFFICIENT_BALANCE'],
      ],
    );
    const accept = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    for (const answer of [await download('?format=xlsx'), await download('', accept)]) {
      assert.equal(answer.headers.get('content-type'), accept);
      const sheet = memberOf(Buffer.from(await answer.arrayBuffer()), 'xl/worksheets/sheet1.xml');
      assert.equal([...sheet.matchAll(/<row /g)].length, 4);
      assert.match(sheet, />RECIPIENT_NOT_FOUND</);
      assert.match(sheet, /<c><v>1\.00<\/v><\/c>/);
    }
    const unknown = `payout-files/${crypto.randomUUID()}/results`;
    assert.equal((await call(unknown, { headers })).code, 'PAYOUT_FILE_NOT_FOUND');
  });
});

describe('a payout file that a rule wants approved', () => {
  it('is judged by its total, waits, and is paid once another person approves what it shows', async () => {
    const team = await openTeam();
    const { merchant, maker, approver, owner, post, get } = team;
    await publish(team, BIG);
    // No row is large; together they are.
    const id = await store(merchant, [{ amountMinor: 300_000n }, { amountMinor: 250_000n }], maker);
    const submitted = await post(maker, `payout-files/${id}/submit`);
    assert.deepEqual([submitted.status, submitted.data['state']], [200, 'awaiting_approval']);
    const contentHash = String(submitted.data['contentHash']);
    const listed = await get(approver, 'approvals?view=mine');
    const [item] = listed.data['items'] as Fields[];
    assert.deepEqual(
      [item?.['kind'], item?.['id'], item?.['contentHash'], item?.['iCan']],
      ['file', id, contentHash, true],
    );
    const shownTo = async (person: TestPerson) => {
      const { approval } = (await get(person, `payout-files/${id}`)).data;
      const { given, needed, iCan, iCanReject, decisions } = Object(approval);
      return [given, needed, iCan, iCanReject, decisions.length];
    };
    assert.deepEqual(await shownTo(approver), [0, 1, true, true, 0]);
    assert.deepEqual(await shownTo(maker), [0, 1, false, false, 0]);
    const approve = (person: TestPerson, hash: string) =>
      post(person, `payout-files/${id}/approve`, { contentHash: hash });
    assert.equal((await approve(approver, '0'.repeat(64))).code, 'CONTENT_CHANGED');
    assert.equal((await approve(maker, contentHash)).code, 'FORBIDDEN');
    assert.equal(await fileState(id), 'awaiting_approval');
    const approved = await approve(approver, contentHash);
    assert.equal(approved.status, 200, approved.text);
    assert.equal((await approve(owner, contentHash)).code, 'ALREADY_DECIDED');
    await untilState(id, 'done');
    assert.deepEqual(await shownTo(approver), [1, 1, false, false, 1]);
    const { data } = await get(owner, `transfers/status/${storedReference(id, 1)}`);
    assert.equal(data['status'], 'successful');
  });

  it('tells open screens of an approval that is not the last, and of people who are gone', async () => {
    const team = await openTeam();
    const { merchant, maker, approver, owner, as, post, get } = team;
    const other = await storePerson(database, {
      roles: [{ merchantId: merchant.id, role: 'approver' }],
    });
    await publish(team, {
      rules: [{ name: 'two', when: {}, require: { approvals: 2, of: ['approver'] } }],
    });
    const id = await store(merchant, [{}], maker);
    const submitted = await post(maker, `payout-files/${id}/submit`);
    const transfer = await post(maker, 'transfers/mobile-money', {
      ...contract.order(),
      walletId: merchant.wallets.test.ZMW,
    });
    const stream = await openStream(service.baseUrl, {
      headers: as(maker),
      path: 'payments/stream',
    });
    const since = new Date().toISOString();
    for (const [path, { data }] of [
      [`payout-files/${id}`, submitted],
      [`transfers/${String(transfer.data['id'])}`, transfer],
    ] as const) {
      const { contentHash } = data;
      const approved = await post(approver, `${path}/approve`, { contentHash });
      assert.deepEqual([approved.status, approved.data['state']], [200, 'awaiting_approval']);
    }
    const toldOf = (what: string, of: unknown) =>
      poll(
        async () => stream.changes().filter(({ at }) => String(at) >= since),
        (changes) => changes.some((one) => one['what'] === what && one['id'] === of),
      );
    await toldOf('file', id);
    await toldOf('transfer', transfer.data['id']);
    const removed = await fetch(
      `${service.baseUrl}/api/v1/merchants/${merchant.id}/people/${other.id}`,
      { method: 'DELETE', headers: owner.headers },
    );
    assert.equal(removed.status, 200);
    const types = async () => {
      const { data } = await get(owner, `events/latest?type=payout_file.approval_impossible`);
      return (data['items'] as Fields[]).map(({ data: subject }) => Object(subject).id);
    };
    await poll(types, (ids) => ids.includes(id));
    // The approval that was given still counts: with another person it is enough.
    const third = await storePerson(database, {
      roles: [{ merchantId: merchant.id, role: 'approver' }],
    });
    const { contentHash } = submitted.data;
    await post(third, `payout-files/${id}/approve`, { contentHash });
    await untilState(id, 'done');
    stream.close();
  });

  it('cannot be approved by an owner who uploaded or submitted it', async () => {
    const team = await openTeam();
    const { merchant, maker, owner, post } = team;
    await publish(team, BIG);
    const id = await store(merchant, [{ amountMinor: 600_000n }], owner);
    const submitted = await post(maker, `payout-files/${id}/submit`);
    const { contentHash } = submitted.data;
    const approved = await post(owner, `payout-files/${id}/approve`, { contentHash });
    assert.deepEqual([approved.status, approved.code], [403, 'OWN_WORK']);
  });

  it('is cancelled by one rejection, and no row is paid', async () => {
    const team = await openTeam();
    const { merchant, maker, approver, post } = team;
    await publish(team, BIG);
    const id = await store(merchant, [{ amountMinor: 600_000n }], maker);
    const { data } = await post(maker, `payout-files/${id}/submit`);
    const rejected = await post(approver, `payout-files/${id}/reject`, {
      contentHash: data['contentHash'],
      reason: 'Not this month.',
    });
    assert.deepEqual([rejected.status, rejected.data['state']], [200, 'cancelled']);
    const text = 'select count(*)::integer as count from transfers where file_id = $1';
    const [row] = await database.query<{ count: number }>({ name: '', text }, [id]);
    assert.equal(row?.count, 0);
  });

  it('is refused where a rule refuses, with the rows that it refuses', async () => {
    const team = await openTeam();
    const { merchant, maker, post } = team;
    await publish(team, {
      rules: [{ name: 'huge', when: { amountAtLeast: '9000.00' }, require: { refuse: true } }],
    });
    const total = await store(merchant, [{ amountMinor: 500_000n }, { amountMinor: 500_000n }]);
    const whole = await post(maker, `payout-files/${total}/submit`);
    assert.deepEqual([whole.status, whole.code], [422, 'POLICY_REFUSED']);
    const rows = await store(merchant, [{}, { amountMinor: 900_000n }]);
    const row = await post(maker, `payout-files/${rows}/submit`);
    assert.deepEqual([row.status, row.code], [422, 'POLICY_REFUSED']);
    assert.match(row.text, /rows 2\b/);
    assert.deepEqual([await fileState(total), await fileState(rows)], ['draft', 'draft']);
  });
});

/** The text of one member of a zip archive, found by its directory. */
function memberOf(zip: Buffer, wanted: string): string {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const nameLength = zip.readUInt16LE(at + 28);
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const size = zip.readUInt32LE(at + 20);
    const local = zip.readUInt32LE(at + 42);
    if (name === wanted) {
      const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      return inflateRawSync(zip.subarray(start, start + size)).toString();
    }
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return '';
}
