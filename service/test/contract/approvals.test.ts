import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import type { MerchantRole } from '../../src/domain/roles.ts';
import { storeAwaiting } from '../stored-awaiting.ts';
import { storeFile } from '../stored-file.ts';
import { bookOf, createTestMerchant } from '../test-merchant.ts';
import { storePerson, type TestPerson } from '../test-person.ts';
import { assertRefused, createApiClient, type Fields, fieldsOf, listOf } from './api-client.ts';
import { openContract, poll } from './open-contract.ts';
import { callAs } from './person-client.ts';

/** An approved payout of the test book is paid within this time, of which the sandbox takes a second. */
const PAID_WITHIN_MS = 2_500;

const contract = await openContract();
after(() => contract.close());
const { database, service } = contract;

/** A merchant of its own with people, so that lists of tests do not meet. */
async function open() {
  const merchant = await createTestMerchant(database);
  const bookId = merchant.books.test;
  const book = bookOf(merchant);
  const personWith = (...roles: readonly MerchantRole[]) =>
    storePerson(database, { roles: roles.map((role) => ({ merchantId: merchant.id, role })) });
  const get = (person: TestPerson, path: string) =>
    callAs(service.baseUrl, person, `payments/${path}`, { bookId });
  const post = (person: TestPerson, path: string, body: Fields = {}) =>
    callAs(service.baseUrl, person, `payments/${path}`, { method: 'POST', bookId, body });
  const store = (options: Partial<Parameters<typeof storeAwaiting>[1]> = {}) =>
    storeAwaiting(database, { book, walletId: merchant.wallets.test.ZMW, ...options });
  const transfer = async (person: TestPerson, id: string) =>
    (await get(person, `transfers/${id}`)).data;
  return { merchant, bookId, personWith, get, post, store, transfer };
}

const APPROVERS = [{ rule: 'big', count: 2, of: ['approver'] }] as const;

describe('approvals', () => {
  it('are given by people to what they were shown, and the payout is paid', async () => {
    const { personWith, store, get, post, transfer } = await open();
    const [first, second, viewer] = await Promise.all([
      personWith('approver'),
      personWith('approver'),
      personWith('viewer'),
    ]);
    const { transfer: stored, contentHash } = await store({ needed: APPROVERS });
    const path = `transfers/${stored.id}`;
    const { data } = await get(first, 'approvals?view=mine');
    const [item = {}] = listOf(data['items']);
    assert.deepEqual([item['kind'], item['id']], ['transfer', stored.id]);
    assert.deepEqual([item['contentHash'], item['iCan'], item['file']], [contentHash, true, null]);
    assert.equal(fieldsOf(item['transfer'])['contentHash'], contentHash);
    assert.equal(listOf(item['canApprove']).length, 2);
    assert.equal(typeof item['expiresAt'], 'string');

    const changed = await post(first, `${path}/approve`, { contentHash: 'a'.repeat(64) });
    assert.deepEqual([changed.status, changed.code], [409, 'CONTENT_CHANGED']);
    const missing = await post(first, `${path}/approve`);
    assert.deepEqual([missing.status, missing.code], [400, 'VALIDATION_ERROR']);
    const approved = await post(first, `${path}/approve`, { contentHash });
    assert.equal(approved.status, 200);
    assert.equal(approved.data['state'], 'awaiting_approval');
    const approval = fieldsOf(approved.data['approval']);
    assert.deepEqual([approval['needed'], approval['given'], approval['iCan']], [2, 1, false]);
    const again = await post(first, `${path}/approve`, { contentHash });
    assert.deepEqual([again.status, again.code], [409, 'ALREADY_DECIDED']);
    assert.deepEqual((await get(viewer, 'approvals?view=mine')).data['items'], []);

    const last = await post(second, `${path}/approve`, { contentHash, reason: 'Seen the bill' });
    assert.equal(last.data['state'], 'queued');
    const approvedAtMs = Date.now();
    await poll(
      () => transfer(viewer, stored.id),
      (one) => one['state'] === 'succeeded',
    );
    assert.ok(Date.now() - approvedAtMs < PAID_WITHIN_MS, `${Date.now() - approvedAtMs} ms`);

    const shown = await transfer(viewer, stored.id);
    assert.equal(shown['contentHash'], contentHash);
    const decisions = listOf(fieldsOf(shown['approval'])['decisions']);
    assert.deepEqual(
      decisions.map(({ person, decision }) => [fieldsOf(person)['id'], decision]),
      [
        [first.id, 'approve'],
        [second.id, 'approve'],
      ],
    );
    const timeline = listOf((await get(viewer, `${path}/timeline`)).data['entries']);
    const told = timeline.filter(({ kind }) => kind === 'person');
    assert.deepEqual(
      told.map(({ title, detail }) => [title, detail]),
      [
        ['Approved', null],
        ['Approved', 'Seen the bill'],
      ],
    );
    const titles = timeline.map(({ title }) => title);
    assert.equal(titles[titles.lastIndexOf('Approved') + 1], 'Queued', 'the cause comes first');
    const history = listOf((await get(viewer, `${path}/history`)).data['items']);
    assert.ok(history.some(({ event }) => event === 'transfer.approved'));
    const decided = await get(viewer, 'approvals?view=decided');
    assert.deepEqual(
      listOf(decided.data['items']).map(({ id }) => id),
      [stored.id],
    );
  });

  it('are what a policy asks for, and the maker of the order is never one who gives them', async () => {
    const { merchant, bookId, personWith, post, get, transfer } = await open();
    const [owner, approver, maker] = await Promise.all([
      personWith('owner'),
      personWith('approver'),
      personWith('maker', 'approver'),
    ]);
    const when = { amountAtLeast: '5000.00' };
    const rule = { name: 'big', when, require: { approvals: 2, of: ['approver'] } };
    const put = { method: 'PUT', bookId, body: { rules: [rule] } };
    await callAs(service.baseUrl, owner, 'payments/policy/draft', put);
    const published = await post(owner, 'policy/draft/publish');
    assert.equal(published.status, 200, JSON.stringify(published.data));
    const order = { ...contract.order({ amount: 5000 }), walletId: merchant.wallets.test.ZMW };
    // Of two approvers one made it.
    const refused = await post(maker, 'transfers/mobile-money', order);
    assert.deepEqual([refused.status, refused.code], [422, 'APPROVAL_IMPOSSIBLE']);
    await personWith('approver');
    const made = await post(maker, 'transfers/mobile-money', order);
    assert.equal(made.status, 201);
    const { state, contentHash, rules } = made.data;
    const id = String(made.data['id']);
    assert.deepEqual([state, rules], ['awaiting_approval', ['big']]);
    const body = { contentHash };
    const own = await post(maker, `transfers/${id}/approve`, body);
    assert.deepEqual([own.status, own.code], [403, 'OWN_WORK']);
    assert.equal((await post(owner, `transfers/${id}/approve`, body)).code, 'FORBIDDEN');
    assert.equal((await post(approver, `transfers/${id}/approve`, body)).status, 200);
    const [item = {}] = listOf((await get(maker, 'approvals?view=others')).data['items']);
    assert.deepEqual([item['needed'], item['given']], [2, 1]);
    assert.equal(fieldsOf(item['maker'])['id'], maker.id);
    const third = listOf(item['canApprove']);
    assert.equal(third.length, 1);
    const events = await get(owner, 'events/latest?type=transfer.awaiting_approval');
    assert.equal(fieldsOf(listOf(events.data['items'])[0]?.['data'])['id'], id);
    assert.equal((await transfer(owner, id))['state'], 'awaiting_approval');
  });

  it('are for people with a role and a fresh second factor, never for keys', async () => {
    const { merchant, bookId, personWith, store, post } = await open();
    const { transfer, contentHash } = await store();
    const approve = `transfers/${transfer.id}/approve`;
    const viewer = await personWith('viewer');
    assert.equal((await post(viewer, approve, { contentHash })).code, 'FORBIDDEN');
    const roles = [{ merchantId: merchant.id, role: 'approver' as const }];
    const stale = await storePerson(database, { roles, steppedUpAt: null });
    const many = {
      decisions: [{ kind: 'transfer', id: transfer.id, contentHash, decision: 'approve' }],
    };
    for (const [path, body] of [
      [approve, { contentHash }],
      [`transfers/${transfer.id}/reject`, { contentHash }],
      ['approvals/decide', many],
    ] as const) {
      assert.equal((await post(stale, path, body)).code, 'STEP_UP_REQUIRED', path);
      const byKey = await contract.apiWith(merchant.keys.test).post(path, body);
      assert.equal(byKey.status, 403, path);
    }
    const other = await open();
    const stranger = await other.personWith('approver');
    const elsewhere = await callAs(service.baseUrl, stranger, `payments/${approve}`, {
      method: 'POST',
      bookId: other.bookId,
      body: { contentHash },
    });
    assert.equal(elsewhere.code, 'TRANSFER_NOT_FOUND');
    assert.notEqual(other.bookId, bookId);
  });

  it('are refused to the maker, who may recall', async () => {
    const { personWith, store, post, transfer: read } = await open();
    const maker = await personWith('owner', 'approver');
    const approver = await personWith('approver');
    const { transfer, contentHash } = await store({ creator: `person:${maker.id}` });
    const path = `transfers/${transfer.id}`;
    for (const decision of ['approve', 'reject']) {
      const own = await post(maker, `${path}/${decision}`, { contentHash });
      assert.deepEqual([own.status, own.code], [403, 'OWN_WORK'], decision);
    }
    assert.equal((await post(approver, `${path}/recall`)).code, 'FORBIDDEN');
    const recalled = await post(maker, `${path}/recall`);
    assert.equal(recalled.status, 200);
    assert.equal(fieldsOf(recalled.data['failure'])['code'], 'APPROVAL_RECALLED');
    assert.equal((await read(maker, transfer.id))['state'], 'cancelled');
    const late = await post(approver, `${path}/approve`, { contentHash });
    assert.equal(late.code, 'ALREADY_DECIDED');
  });

  it('are waited for until a recall, not a cancellation; what a key ordered keys and people recall', async () => {
    const { merchant, personWith, store, post, transfer: read } = await open();
    const maker = await personWith('maker');
    const viewer = await personWith('viewer');
    const key = createApiClient(service.baseUrl, merchant.keys.test);
    const ofKey = { creator: `key:${randomUUID()}` };
    const [one, other, ofPerson] = await Promise.all([
      store(ofKey),
      store(ofKey),
      store({ creator: `person:${maker.id}` }),
    ]);
    for (const { transfer } of [one, ofPerson]) {
      assertRefused(await key.post(`transfers/${transfer.id}/cancel`, {}), 409, 'INVALID_STATE');
    }
    assertRefused(await key.post(`transfers/${ofPerson.transfer.id}/recall`, {}), 403, 'FORBIDDEN');
    assert.equal((await post(viewer, `transfers/${one.transfer.id}/recall`)).code, 'FORBIDDEN');
    assert.equal((await key.post(`transfers/${one.transfer.id}/recall`, {})).status, 200);
    assert.equal((await post(maker, `transfers/${other.transfer.id}/recall`)).status, 200);
    for (const { transfer } of [one, other]) {
      assert.equal((await read(viewer, transfer.id))['state'], 'cancelled');
    }
  });

  it('are one rejection away from a cancellation', async () => {
    const { personWith, store, post } = await open();
    const approver = await personWith('approver');
    const { transfer, contentHash } = await store({ needed: APPROVERS });
    const body = { contentHash, reason: 'Wrong amount' };
    const rejected = await post(approver, `transfers/${transfer.id}/reject`, body);
    assert.equal(rejected.data['state'], 'cancelled');
    assert.equal(fieldsOf(rejected.data['failure'])['code'], 'APPROVAL_REJECTED');
  });

  it('are given to many at once, with a result for each', async () => {
    const { personWith, store, post, transfer } = await open();
    const approver = await personWith('approver');
    const [good, changed, bad] = [await store(), await store(), await store()];
    const of = ({ transfer: { id }, contentHash }: typeof good, decision: string) => ({
      kind: 'transfer',
      id,
      contentHash,
      decision,
    });
    const { status, data } = await post(approver, 'approvals/decide', {
      decisions: [
        of(good, 'approve'),
        { ...of(changed, 'approve'), contentHash: 'b'.repeat(64) },
        of(bad, 'reject'),
        of(good, 'approve'),
      ],
    });
    assert.equal(status, 200);
    assert.deepEqual(
      listOf(data['results']).map(({ ok, code }) => [ok, code]),
      [
        [true, undefined],
        [false, 'CONTENT_CHANGED'],
        [true, undefined],
        [false, 'ALREADY_DECIDED'],
      ],
    );
    assert.equal((await transfer(approver, changed.transfer.id))['state'], 'awaiting_approval');
    assert.equal((await transfer(approver, bad.transfer.id))['state'], 'cancelled');
    const broken = await post(approver, 'approvals/decide', {
      decisions: [{ ...of(changed, 'perhaps'), id: 'x' }],
    });
    assert.deepEqual(
      listOf(fieldsOf(broken.data['error'])['fields']).map(({ field }) => field),
      ['decisions.0.decision', 'decisions.0.id'],
    );
  });

  it('end by time', async () => {
    const { personWith, store, transfer: read } = await open();
    const viewer = await personWith('viewer');
    const { transfer } = await store({ expiresInMs: 50 });
    const expired = await poll(
      () => read(viewer, transfer.id),
      (one) => one['state'] === 'cancelled',
    );
    assert.equal(fieldsOf(expired['failure'])['code'], 'APPROVAL_EXPIRED');
  });

  it('that no person can give any more are told, shown and counted', async () => {
    const { merchant, personWith, store, get } = await open();
    const [owner, approver] = await Promise.all([personWith('owner'), personWith('approver')]);
    const { transfer } = await store({ needed: [{ rule: 'big', count: 1, of: ['approver'] }] });
    const before = await get(owner, 'approvals');
    assert.equal(listOf(before.data['items'])[0]?.['impossible'], false);
    const removed = await callAs(
      service.baseUrl,
      owner,
      `merchants/${merchant.id}/people/${approver.id}`,
      { method: 'DELETE' },
    );
    assert.equal(removed.status, 200);
    const shown = await get(owner, 'approvals');
    assert.equal(listOf(shown.data['items'])[0]?.['impossible'], true);
    const events = await poll(
      () => get(owner, 'events/latest?type=transfer.approval_impossible'),
      ({ data }) => listOf(data['items']).length > 0,
    );
    const [event = {}] = listOf(events.data['items']);
    assert.equal(fieldsOf(event['data'])['id'], transfer.id);
    const metrics = await (await fetch(`${service.baseUrl}/metrics`)).text();
    assert.match(metrics, /^kafue_approvals_impossible \d+$/m);
    const fileId = await storeFile(database, { bookId: merchant.books.test, rows: [{}, {}] });
    await database.query(
      {
        name: '',
        text: `
          update payout_files
          set state = 'awaiting_approval', event_seq = 1, submitted_at = now(), submitted_by_name = 'Test',
              content_hash = $2, approval_expires_at = now() + interval '1 day'
          where id = $1`,
      },
      [fileId, 'a'.repeat(64)],
    );
    const needs = listOf((await get(owner, 'overview')).data['needsYou']);
    const kinds = needs.map(({ kind, count, sum }) => [kind, count, sum]);
    assert.deepEqual(kinds.slice(0, 3), [
      ['approvals', 1, '7.00'],
      ['file_approvals', 1, '2.00'],
      ['approval_impossible', 1, undefined],
    ]);
    // They count what waits for anyone, and lead to all of it.
    const links = needs.slice(0, 3).map(({ link }) => link);
    assert.deepEqual([...new Set(links)], ['/approvals?view=all']);
  });

  it('are explained to the staff: what a policy asks for, apart from what is too late', async () => {
    const { store } = await open();
    const staff = await storePerson(database, { staffRoles: ['support'] });
    const explain = async (id: string): Promise<string> => {
      const { data } = await callAs(service.baseUrl, staff, `operations/transfers/${id}`);
      return String(fieldsOf(data['why'])['line']);
    };
    const [asked, late] = [await store({ needed: APPROVERS }), await store()];
    assert.match(await explain(asked.transfer.id), /^It waits for approvals/);
    assert.match(await explain(late.transfer.id), /^It was not sent/);
  });
});
