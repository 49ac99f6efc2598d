import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { findInForce, findListed, readListedNumbers } from '../../src/lists/read-numbers.ts';
import { createTestMerchant } from '../test-merchant.ts';
import { storePerson, type TestPerson } from '../test-person.ts';
import { openContract, poll, TRANSFERS } from './open-contract.ts';

const contract = await openContract();
after(() => contract.close());
const { merchant, database, service } = contract;
const other = await createTestMerchant(database);
const owner = await storePerson(database, { roles: [{ merchantId: merchant.id, role: 'owner' }] });
const approver = await storePerson(database, {
  roles: [{ merchantId: merchant.id, role: 'approver' }],
});
const admin = await storePerson(database, { staffRoles: ['admin'] });
const bookId = merchant.books.test;

type Entry = Readonly<{
  id: string;
  list: string;
  phone: string;
  reason: string;
  inForce: boolean;
  endedBy: { id: string } | null;
}>;
type Answered = Readonly<{
  status: number;
  code: string | undefined;
  data: Entry & {
    items: Entry[];
    nextCursor: string | null;
    error?: { fields?: { field: string }[] };
  };
}>;

async function call(
  path: string,
  { body, headers, query = '' }: { body?: object; headers: object; query?: string },
): Promise<Answered> {
  const response = await fetch(`${service.baseUrl}/api/v1/${path}${query}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { data } = (await response.json()) as {
    data: Answered['data'] & { error?: { code: string } };
  };
  return { status: response.status, code: data?.error?.code, data };
}

const inBook = (person: TestPerson, id = bookId) => ({ ...person.headers, 'x-book': id });
const add = (body: object, headers: object = inBook(owner)) =>
  call('payments/lists', { body, headers });
const list = (query: string, headers: object = inBook(owner)) =>
  call('payments/lists', { query, headers });
const company = (body: object) => call('operations/lists', { body, headers: admin.headers });

let used = 0;
/** A number that no other test has. */
function nextPhone(): string {
  used += 1;
  return `+26097${String(1_000_000 + used)}`;
}

describe('the lists of a book', () => {
  it('have entries with a reason and an author, found by number, reason and author', async () => {
    const phone = nextPhone();
    const added = await add({ list: 'deny', phone, reason: 'Reported stolen' });
    assert.equal(added.status, 201);
    assert.deepEqual(
      { list: added.data.list, phone: added.data.phone, inForce: added.data.inForce },
      { list: 'deny', phone, inForce: true },
    );
    for (const q of [phone.slice(4), 'STOLEN', 'mutale']) {
      const found = await list(`?list=deny&q=${encodeURIComponent(q)}`);
      assert.ok(
        found.data.items.some(({ id }) => id === added.data.id),
        q,
      );
    }
    const other = `?list=allow&q=${encodeURIComponent(phone)}`;
    assert.deepEqual((await list(other)).data.items, []);
    assert.deepEqual((await list('?q=nothing-like-it')).data.items, []);
  });

  it('take a number once, whichever way it is spelt, also when two people add it at once', async () => {
    const phone = nextPhone();
    const spellings = [phone, `00${phone.slice(1)}`, `${phone.slice(0, 4)} ${phone.slice(4)}`];
    const answers = await Promise.all(
      spellings.map((spelling) => add({ list: 'deny', phone: spelling, reason: 'Twice' })),
    );
    assert.deepEqual(
      answers.map(({ status }) => status).sort((one, other) => one - other),
      [201, 409, 409],
    );
    assert.equal((await add({ list: 'allow', phone, reason: 'The other list' })).status, 201);
  });

  it('end once, with a reason, and the entry stays', async () => {
    const { data: entry } = await add({ list: 'deny', phone: nextPhone(), reason: 'A mistake' });
    const end = (reason: string) =>
      call(`payments/lists/${entry.id}/end`, { body: { reason }, headers: inBook(owner) });
    const ended = await end('It was the wrong number');
    assert.deepEqual([ended.status, ended.data.inForce], [200, false]);
    assert.equal(ended.data.endedBy?.id, owner.id);
    const again = await end('Once more');
    assert.deepEqual([again.status, again.code], [409, 'INVALID_STATE']);
    const over = await list('?inForce=false');
    assert.ok(over.data.items.some(({ id }) => id === entry.id));
  });

  it('say every broken field at once', async () => {
    const past = new Date(Date.now() - 1_000).toISOString();
    const answer = await add({
      list: 'grey',
      phone: '0977433571',
      reason: '',
      expiresAt: past,
      x: 1,
    });
    assert.equal(answer.status, 400);
    const fields = answer.data.error?.fields?.map(({ field }) => field).sort();
    assert.deepEqual(fields, ['expiresAt', 'list', 'phone', 'reason', 'x']);
    const national = { list: 'deny', phone: '0977433571', country: 'zm', reason: 'With country' };
    assert.equal((await add(national)).data.phone, '+260977433571');
  });

  it("are another merchant's own, and a key only reads them", async () => {
    const phone = nextPhone();
    const { data: entry } = await add({ list: 'deny', phone, reason: 'Ours' });
    const stranger = await storePerson(database, {
      roles: [{ merchantId: other.id, role: 'owner' }],
    });
    const theirs = inBook(stranger, other.books.test);
    assert.deepEqual((await list('', theirs)).data.items, []);
    const end = { body: { reason: 'Not mine' }, headers: theirs };
    const ended = await call(`payments/lists/${entry.id}/end`, end);
    assert.deepEqual([ended.status, ended.code], [404, 'LIST_ENTRY_NOT_FOUND']);
    const key = { 'x-api-key': merchant.keys.test };
    assert.equal((await list('', key)).status, 200);
    const byKey = await add({ list: 'deny', phone: nextPhone(), reason: 'By a key' }, key);
    assert.equal(byKey.status, 403);
  });

  it('have pages', async () => {
    const reason = 'One of three';
    for (let n = 0; n < 3; n += 1) await add({ list: 'allow', phone: nextPhone(), reason });
    const query = `?q=${encodeURIComponent(reason)}&limit=2`;
    const first = await list(query);
    const second = await list(`${query}&cursor=${first.data.nextCursor}`);
    assert.deepEqual([first.data.items.length, second.data.items.length], [2, 1]);
    assert.equal(second.data.nextCursor, null);
  });
});

describe('what payouts see of the lists', () => {
  it('is every entry that is in force, with the time at which it ends', async () => {
    const [denied, soon, allowed, ended] = [nextPhone(), nextPhone(), nextPhone(), nextPhone()];
    const expiresAt = new Date(Date.now() + 60_000);
    await add({ list: 'deny', phone: denied, reason: 'For good' });
    await add({ list: 'deny', phone: soon, reason: 'For now', expiresAt: expiresAt.toISOString() });
    await add({ list: 'allow', phone: allowed, reason: 'Known' });
    const { data: entry } = await add({ list: 'deny', phone: ended, reason: 'Over' });
    await call(`payments/lists/${entry.id}/end`, { body: { reason: 'x' }, headers: inBook(owner) });
    const kept = await readListedNumbers(database, bookId);
    assert.ok(kept.denied !== 'many' && kept.allowed !== 'many');
    const now = new Date();
    assert.equal(findInForce(kept.denied, denied, now)?.reason, 'For good');
    assert.equal(findInForce(kept.denied, soon, now)?.reason, 'For now');
    assert.equal(findInForce(kept.denied, soon, expiresAt), undefined);
    assert.equal(findInForce(kept.denied, ended, now), undefined);
    assert.ok(findInForce(kept.allowed, allowed, now));
    const phones = [denied, soon, allowed, ended];
    const found = await findListed(database, { bookId, phones });
    assert.deepEqual([...found.denied.keys()].sort(), [denied, soon].sort());
    assert.deepEqual([...found.allowed.keys()], [allowed]);
  });

  it("has the company's deny list in every book, and merchants do not see the entry", async () => {
    const phone = nextPhone();
    const { status, data: entry } = await company({ phone, reason: 'Sanctioned' });
    assert.equal(status, 201);
    for (const book of [bookId, merchant.books.live, other.books.test]) {
      const { denied } = await findListed(database, { bookId: book, phones: [phone] });
      assert.equal(denied.get(phone)?.isCompanys, true);
    }
    assert.deepEqual((await list(`?q=${encodeURIComponent(phone)}`)).data.items, []);
    const body = { reason: 'Taken off the list of sanctions' };
    const ended = await call(`operations/lists/${entry.id}/end`, { body, headers: admin.headers });
    assert.equal(ended.status, 200);
    const { denied } = await findListed(database, { bookId, phones: [phone] });
    assert.equal(denied.size, 0);
  });

  it('changes the version of the controls with each entry, in all books when it is the company', async () => {
    const versions = async () => {
      const rows = await database.query<{ id: string; controls_version: number | null }>(
        { name: '', text: 'select id, controls_version from books where id = any ($1::uuid[])' },
        [[bookId, other.books.live]],
      );
      return new Map(rows.map((row) => [row.id, row.controls_version ?? 0]));
    };
    const before = await versions();
    await add({ list: 'deny', phone: nextPhone(), reason: 'One book' });
    const between = await versions();
    assert.ok((between.get(bookId) ?? 0) > (before.get(bookId) ?? 0));
    assert.equal(between.get(other.books.live), before.get(other.books.live));
    await company({ phone: nextPhone(), reason: 'All books' });
    const afterwards = await versions();
    assert.ok((afterwards.get(other.books.live) ?? 0) > (between.get(other.books.live) ?? 0));
  });
});

describe('a payout to a denied number', () => {
  const pay = (phone: string, walletId = merchant.wallets.test.ZMW) =>
    contract.api.post(TRANSFERS, contract.order({ phone, walletId, amount: 1 }));
  const codeOf = ({ data }: { data: Record<string, unknown> }) =>
    (data.error as { code: string } | undefined)?.code ?? 'accepted';

  it('is refused with the reason, alone and in bulk, from the moment that the entry is stored', async () => {
    const phone = nextPhone();
    assert.equal(codeOf(await pay(phone)), 'accepted');
    await add({ list: 'deny', phone, reason: 'Reported stolen' });
    const refused = await pay(phone);
    assert.deepEqual([refused.status, codeOf(refused)], [422, 'RECIPIENT_DENIED']);
    assert.match(refused.text, /Reported stolen/);
    const transfers = [contract.order({ phone }), contract.order({ phone: nextPhone() })];
    const { data } = await contract.api.post(`${TRANSFERS}/bulk`, { transfers });
    assert.deepEqual([data.accepted, data.refused], [1, 1]);
  });

  it('is accepted again when the entry has ended or is over by its time', async () => {
    const phone = nextPhone();
    const { data: entry } = await add({ list: 'deny', phone, reason: 'Wrong' });
    assert.equal(codeOf(await pay(phone)), 'RECIPIENT_DENIED');
    await call(`payments/lists/${entry.id}/end`, { body: { reason: 'x' }, headers: inBook(owner) });
    assert.equal(codeOf(await pay(phone)), 'accepted');
    const soon = nextPhone();
    const expiresAt = new Date(Date.now() + 2_000).toISOString();
    await add({ list: 'deny', phone: soon, reason: 'For a moment', expiresAt });
    assert.equal(codeOf(await pay(soon)), 'RECIPIENT_DENIED');
    await poll(
      () => pay(soon),
      (answer) => codeOf(answer) === 'accepted',
    );
    assert.ok(Date.now() >= Date.parse(expiresAt));
    const inForce = async (is: boolean) =>
      (await list(`?inForce=${is}&q=${encodeURIComponent(soon)}`)).data.items.length;
    assert.deepEqual([await inForce(true), await inForce(false)], [0, 1]);
  });

  it("is refused in every book when the company denies it, without the company's reason", async () => {
    const phone = nextPhone();
    const { data: entry } = await company({ phone, reason: 'A secret inquiry' });
    const refused = await pay(phone);
    assert.equal(codeOf(refused), 'RECIPIENT_DENIED');
    assert.doesNotMatch(refused.text, /secret/);
    const theirs = contract.apiWith(other.keys.test);
    const order = contract.order({ phone, walletId: other.wallets.test.ZMW });
    assert.equal(codeOf(await theirs.post(TRANSFERS, order)), 'RECIPIENT_DENIED');
    const body = { reason: 'Over' };
    await call(`operations/lists/${entry.id}/end`, { body, headers: admin.headers });
    assert.equal(codeOf(await pay(phone)), 'accepted');
  });

  it('is never accepted after the answer that it is denied, however many come at once', async () => {
    const phone = nextPhone();
    const walletId = await merchant.createWallet({ fundedMinor: 100_000n });
    const denied = { at: Number.POSITIVE_INFINITY };
    const late: string[] = [];
    const makers = Array.from({ length: 8 }, async () => {
      for (let n = 0; n < 12; n += 1) {
        const isAfter = performance.now() > denied.at;
        const code = codeOf(await pay(phone, walletId));
        if (isAfter) late.push(code);
      }
    });
    await add({ list: 'deny', phone, reason: 'In the middle' });
    denied.at = performance.now();
    await Promise.all(makers);
    assert.deepEqual(new Set([...late, codeOf(await pay(phone))]), new Set(['RECIPIENT_DENIED']));
  });
});

describe('a transfer whose number is denied after it was ordered', () => {
  const deny = async (phone: string) => (await add({ list: 'deny', phone, reason: 'Stolen' })).data;
  const endOf = (entry: Entry) =>
    call(`payments/lists/${entry.id}/end`, { body: { reason: 'Found' }, headers: inBook(owner) });
  const approve = async (id: string) => {
    const { data } = await contract.api.get(`transfers/${id}`);
    const body = { contentHash: data.contentHash };
    return call(`payments/transfers/${id}/approve`, { body, headers: inBook(approver) });
  };
  const waiting = (id: string) =>
    contract.transferOnce(id, ({ state }) => state === 'awaiting_approval');

  it('waits for a person when its time comes, and is approved only once the entry has ended', async () => {
    const phone = nextPhone();
    const sendAt = new Date(Date.now() + 3_000).toISOString();
    const { id } = await contract.initiate({ phone, sendAt });
    const entry = await deny(phone);
    await waiting(id);
    const denied = await approve(id);
    assert.deepEqual([denied.status, denied.code], [422, 'RECIPIENT_DENIED']);
    assert.equal((await contract.transfer(id)).state, 'awaiting_approval');
    await endOf(entry);
    assert.equal((await approve(id)).status, 200);
    await contract.transferOnce(id, ({ state }) => state === 'succeeded');
  });

  it('waits for a person when it was queued, as long as the policy of its book says', async () => {
    const text = 'update books set approval_expires_after_ms = $2 where id = $1';
    const setExpiry = (ms: number | null) =>
      contract.database.query({ name: '', text }, [merchant.books.test, ms]);
    await setExpiry(3_600_000);
    // The operator of this number is down for a while.
    const phone = '+260977433941';
    const { id } = await contract.initiate({ phone, operator: 'mtn' });
    assert.equal((await contract.transfer(id)).state, 'queued');
    const entry = await deny(phone);
    await waiting(id);
    const { data } = await contract.api.get(`transfers/${id}/history`);
    assert.match(JSON.stringify(data), /deny list/);
    const hours = `select extract(epoch from next_action_at - now())::float8 / 3600 as hours
                   from transfers where id = $1`;
    const [row] = await contract.database.query<{ hours: number }>({ name: '', text: hours }, [id]);
    assert.ok(row !== undefined && row.hours > 0.9 && row.hours <= 1, `${row?.hours} hours`);
    await endOf(entry);
    await setExpiry(null);
  });

  it('is paid when the entry ended before its time', async () => {
    const phone = nextPhone();
    const { id } = await contract.initiate({
      phone,
      sendAt: new Date(Date.now() + 3_000).toISOString(),
    });
    await endOf(await deny(phone));
    await contract.transferOnce(id, ({ state }) => state === 'succeeded');
  });
});

describe('the tables of lists', () => {
  it('let an entry end once, and change nothing else of it', async () => {
    const { data: entry } = await add({ list: 'deny', phone: nextPhone(), reason: 'Kept' });
    for (const change of [
      `update list_entries set phone = '+260970000000' where id = $1`,
      `update list_entries set reason = 'other' where id = $1`,
      `delete from list_entries where id = $1`,
    ]) {
      await assert.rejects(database.query({ name: '', text: change }, [entry.id]), change);
    }
  });
});
