import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { callStaff, type StaffCall } from '../../../test/call-staff.ts';
import { scriptRoutes } from '../../../test/fake-route.ts';
import { queueScreenings } from '../../../test/queue-screenings.ts';
import { storeAwaiting } from '../../../test/stored-awaiting.ts';
import {
  addTestAdministrators,
  moveTo,
  newTestId,
  storeDoubt,
} from '../../../test/stored-doubt.ts';
import { storeFile } from '../../../test/stored-file.ts';
import { storeTestTransfer } from '../../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import type { PersonActor } from '../../domain/actor.ts';
import { causeOf } from '../../domain/cause.ts';
import type { Mode } from '../../domain/transfer.ts';
import { openIncident } from '../../transfers/move/open-incident.ts';
import { readStaffMarks } from '../../views/read-staff-marks.ts';

const FLOAT = { readEveryMs: 60_000, low: { belowMinor: null, hours: 24 } };
const { routes } = scriptRoutes([{ name: 'mtn-zm', float: FLOAT }, { name: 'sandbox' }]);

let test: TestDatabase;
let people: Readonly<Record<'Chanda' | 'Mutinta', PersonActor>>;
before(async () => {
  test = await createTestDatabase();
  people = await addTestAdministrators(test.directory, ['Chanda', 'Mutinta']);
});
after(() => test.drop());

function call(operationId: string, { as = people.Chanda, ...rest }: Partial<StaffCall> = {}) {
  const { directory, cells } = test;
  return callStaff({ directory, cells, routes }, operationId, { as, ...rest });
}

const run = (text: string, values: readonly unknown[] = []) =>
  test.database.query({ name: '', text }, [...values]);

async function storeQueued() {
  const book = await createTestBook(test.database, { mode: 'live' });
  const walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 1_000n });
  const order = { book, walletId, leaseOwner: randomUUID(), reserved: false, route: 'mtn-zm' };
  return storeTestTransfer(test.database, order);
}

const PAYMENTS = `
  insert into unmatched_payments (operator_reference, id, route, opened_at)
  select gen_random_uuid(), gen_random_uuid(), 'mtn-zm', now() from generate_series(1, $1)`;

const ENDPOINT = `
  insert into webhook_endpoints (book_id, id, url, secret_sealed, status, disabled_reason, created_at)
  values ($1, gen_random_uuid(), 'https://example.com', decode(repeat('00', 40), 'hex'), 'disabled', $2, now())`;

describe('incidents', () => {
  it('are listed up to a limit, and the list says that there are more', async () => {
    await run(PAYMENTS, [501]);
    const { items, more } = await call('listIncidents');
    assert.deepEqual([items.length, more], [500, true]);
  });
});

describe('open pages', () => {
  it('are told of payments without a transfer, and of take-backs', async () => {
    const first = await readStaffMarks(test.database);
    await run(PAYMENTS, [1]);
    const second = await readStaffMarks(test.database);
    assert.notEqual(second.incident, first.incident);
    const { walletId } = await storeDoubt(test.database);
    const params = { id: walletId };
    await call('fundWallet', { params, body: { amount: 80, reference: 'bank-0' } });
    const body = { fundingReference: 'bank-0', reason: 'booked twice' };
    await call('takeBackFunding', { params, body });
    assert.notEqual((await readStaffMarks(test.database)).doubt, second.doubt);
  });
});

describe('a transfer that is queued', () => {
  const whyOf = async (id: string) => (await call('getAnyTransfer', { params: { id } })).why;

  it('is explained by what a person stopped, in words of the browser', async () => {
    const { id, bookId } = await storeQueued();
    const free = await whyOf(id);
    assert.match(free.line, /waits for its turn/);
    assert.doesNotMatch(free.action, /GET/);
    const body = { reason: 'ticket 1' };
    const params = { name: 'mtn-zm' };
    await call('holdRoute', { params, body });
    assert.match((await whyOf(id)).line, /route mtn-zm is held by a person/);
    await call('releaseRoute', { params, body });
    await run('update books set suspended_at = now() where id = $1', [bookId]);
    assert.match((await whyOf(id)).line, /merchant is suspended/);
    await run('update books set suspended_at = null where id = $1', [bookId]);
  });

  it('is explained by its payout file, which waits for a person or was cancelled', async () => {
    const { id, bookId } = await storeQueued();
    const fileId = await storeFile(test.database, { bookId, rows: [{}] });
    await run(`update transfers set source = 'file', file_id = $2 where id = $1`, [id, fileId]);
    const set = (text: string) => run(`update payout_files set ${text} where id = $1`, [fileId]);
    await set(`state = 'awaiting_approval', content_hash = repeat('0', 64), submitted_at = now(),
               next_action_at = now(), approval_expires_at = now()`);
    const waiting = await whyOf(id);
    assert.match(waiting.line, /^The rest of its payout file waits for a person/);
    assert.match(waiting.action, /approves or rejects the file/);
    await set(
      `state = 'cancelled', approval_expires_at = null, ended_at = now(), ended_as = 'CANCELLED', ended_by = 'x'`,
    );
    const cancelled = await whyOf(id);
    assert.match(cancelled.line, /^Its payout file was cancelled.* cancels it by itself\.$/);
    assert.equal(cancelled.action, null);
  });

  it('is explained by an incident that says that it was paid before', async () => {
    const transfer = await storeQueued();
    const incident = { id: newTestId(), kind: 'paid_before_sent', at: new Date() } as const;
    await openIncident(test.database, { ...incident, transfer });
    const text = `
      insert into callbacks (id, route, method, headers, body, reading, operator_reference, claims, verified, received_at,
                             handled_at, handled_as)
      values (gen_random_uuid(), 'another', 'PUT', '{}', '', 'read', $1, 'paid', false, now(), now(), 'PAID_BEFORE_SENT')`;
    await run(text, [transfer.operatorReference]);
    const { line, action } = await whyOf(transfer.id);
    assert.match(line, /paid it before it was sent/);
    assert.match(action, /cancel it; then close the incident/);
  });

  it('counts for its route, which no person stopped', async () => {
    await storeQueued();
    const { items } = await call('listRoutes');
    const route = items.find(({ name }: { name: string }) => name === 'mtn-zm');
    assert.ok(route.queued > 0);
  });
});

describe('a transfer that waits for a screener alone', () => {
  it('is not said to wait for approvals', async () => {
    const book = await createTestBook(test.database, { mode: 'live' });
    const wallet = { bookId: book.id, fundedMinor: 1_000n };
    const walletId = await createTestWallet(test.database, wallet);
    const stored = await storeAwaiting(test.database, { book, walletId, needed: [] });
    const { id } = stored.transfer;
    const question = { bookId: book.id, transferId: id, rule: 'night', screener: 'payouts' };
    await queueScreenings(test.database, [question]);
    const { why } = await call('getAnyTransfer', { params: { id } });
    assert.match(why.line, /^It waits for the answer of a screener, as the merchant's policy asks/);
    assert.match(why.action, /^It goes on when the screener allows it/);
  });
});

describe('the overview', () => {
  it('lists what waits for a second person: reversals and take-backs too', async () => {
    const paid = await moveTo(test.database, await storeDoubt(test.database), 'succeeded');
    const body = { decision: 'reversed', evidence: 'credit note 8' };
    await call('resolveTransfer', { params: { id: paid.id }, body });
    const params = { id: paid.walletId };
    await call('fundWallet', { params, body: { amount: 80, reference: 'bank-1' } });
    const takeBack = { fundingReference: 'bank-1', reason: 'booked twice' };
    await call('takeBackFunding', { params, body: takeBack });
    const { proposals } = await call('getStaffOverview');
    const own = proposals.items.filter(
      (one: { walletId: string }) => one.walletId === paid.walletId,
    );
    type Shown = Readonly<Record<'kind' | 'transferId' | 'amount', string>>;
    assert.deepEqual(
      own.map(({ kind, transferId, amount }: Shown) => [kind, transferId, amount]),
      [
        ['reversed', paid.id, '1.00'],
        ['take_back', null, '80.00'],
      ],
    );
    assert.deepEqual(own[0].proposedBy, { id: people.Chanda.id, name: 'Chanda' });
    assert.equal(proposals.more, false);
  });

  it('lists no take-back of a person who lost the role', async () => {
    const { walletId } = await storeDoubt(test.database);
    const params = { id: walletId };
    await call('fundWallet', { params, body: { amount: 80, reference: 'bank-2' } });
    const body = { fundingReference: 'bank-2', reason: 'booked twice' };
    await call('takeBackFunding', { params, body, as: people.Mutinta });
    const isListed = async () => {
      const { proposals } = await call('getStaffOverview');
      return proposals.items.some((one: { walletId: string }) => one.walletId === walletId);
    };
    assert.equal(await isListed(), true);
    const setRole = 'update staff_roles set role = $2 where person_id = $1';
    await run(setRole, [people.Mutinta.id, 'auditor']);
    assert.equal(await isListed(), false);
    await run(setRole, [people.Mutinta.id, 'admin']);
  });

  it('counts no endpoint that its merchant disabled itself', async () => {
    const { id: bookId } = await createTestBook(test.database);
    const reasons = [causeOf('DISABLED_BY_MERCHANT'), 'GONE'];
    for (const reason of reasons) await run(ENDPOINT, [bookId, reason]);
    const { webhooks } = await call('getStaffOverview');
    const shown = webhooks.failing.map((one: { disabledReason: string }) => one.disabledReason);
    assert.deepEqual([shown, webhooks.more], [['GONE'], false]);
  });

  it('counts incidents and failing webhooks of live books, and lists those of test books too', async () => {
    type Work = Readonly<{ kind: string; count: number }>;
    const count = async () => {
      const { incidents, webhooks, work } = await call('getStaffOverview');
      const countOf = (kind: string) => work.find((one: Work) => one.kind === kind)?.count ?? 0;
      const counted = [incidents.open, countOf('incidents'), countOf('webhooks')];
      return { counted, listed: webhooks.failing.length };
    };
    const fail = async (mode: Mode) => {
      const book = await createTestBook(test.database, { mode });
      const wallet = { bookId: book.id, fundedMinor: 1_000n };
      const walletId = await createTestWallet(test.database, wallet);
      const order = { book, walletId, leaseOwner: randomUUID() };
      const transfer = await storeTestTransfer(test.database, order);
      const incident = { id: newTestId(), kind: 'paid_after_failure', at: new Date() } as const;
      await openIncident(test.database, { ...incident, transfer });
      await run(ENDPOINT, [book.id, 'GONE']);
    };
    const { counted, listed } = await count();
    await fail('test');
    assert.deepEqual(await count(), { counted, listed: listed + 1 });
    await fail('live');
    const more = counted.map((one) => one + 1);
    assert.deepEqual(await count(), { counted: more, listed: listed + 2 });
  });
});

describe('the search of the staff', () => {
  it('says that there are more than it lists', async () => {
    const book = await createTestBook(test.database, { mode: 'live' });
    const walletId = await createTestWallet(test.database, {
      bookId: book.id,
      fundedMinor: 9_000n,
    });
    const phone = '+260977000321';
    const order = { book, walletId, leaseOwner: randomUUID(), phone };
    for (let count = 0; count < 20; count += 1) await storeTestTransfer(test.database, order);
    const query = 'q=0977000321';
    assert.equal((await call('searchAllTransfers', { query })).more, false);
    await storeTestTransfer(test.database, order);
    const found = await call('searchAllTransfers', { query });
    assert.deepEqual([found.items.length, found.more], [20, true]);
  });
});

describe('a difference of a float', () => {
  it('is not explained twice by people who saw the same', async () => {
    const text = `
      insert into route_floats (route, currency, reports_balance, low_hours, next_at, operator_minor, read_at,
                                opening_minor, opened_at, opening_paid_minor)
      values ('mtn-zm', 'ZMW', true, 24, now(), 15000, now(), 10000, now(), 0)`;
    await test.directory.query({ name: '', text });
    const floatOf = async () => (await call('listFloats')).items[0];
    const { seen, difference } = await floatOf();
    assert.equal(difference, '50.00');
    const params = { route: 'mtn-zm' };
    const body = { currency: 'ZMW', amount: '50.00', reason: 'top-up, ticket 3', seen };
    const explained = await call('explainFloat', { params, body });
    assert.equal(explained.difference, '0.00');
    const again = call('explainFloat', { params, body, as: people.Mutinta });
    await assert.rejects(again, { code: 'CONTENT_CHANGED' });
    assert.equal((await floatOf()).difference, '0.00');
    await call('explainFloat', { params, body: { ...body, amount: '-1', seen: explained.seen } });
    assert.equal((await floatOf()).difference, '1.00');
  });
});

describe('the reason that a person gives', () => {
  it('is recorded of fees, wallets, keys and withdrawals, and may be left out', async () => {
    const merchant = await call('createMerchant', { body: { name: 'Mosi' } });
    const [book] = merchant.books;
    const params = { id: book.id };
    const reason = 'asked for, ticket 12';
    await call('setFees', { params, body: { fixed: '1', percent: '0', reason } });
    const wallet = await call('createWallet', { params, body: { currency: 'ZMW', name: 'Main' } });
    await call('freezeWallet', { params: { id: wallet.id }, body: { reason } });
    await call('setWalletLimit', { params: { id: wallet.id }, body: { amount: 5, reason } });
    await call('unfreezeWallet', { params: { id: wallet.id } });
    const key = await call('issueKey', { params, body: { name: 'till' } });
    await call('revokeAnyKey', { params: { id: key.id }, body: { reason } });
    const { items } = await call('listAudit', { query: `merchantId=${merchant.id}` });
    type Act = Readonly<{ kind: string; reason: string | null }>;
    assert.deepEqual(
      items.map((act: Act) => [act.kind, act.reason]),
      [
        ['KEY_REVOKED', reason],
        ['KEY_ISSUED', null],
        ['WALLET_UNFROZEN', null],
        ['WALLET_LIMIT_SET', reason],
        ['WALLET_FROZEN', reason],
        ['WALLET_CREATED', null],
        ['FEES_SET', reason],
        ['MERCHANT_CREATED', null],
      ],
    );
    const broken = call('freezeWallet', { params: { id: wallet.id }, body: { reason: '' } });
    await assert.rejects(broken, { code: 'VALIDATION_ERROR' });
  });
});

describe('a merchant in the list', () => {
  it('has no key that waits for an owner among those that work', async () => {
    const merchant = await call('createMerchant', { body: { name: 'Kalambo' } });
    const [book] = merchant.books;
    await call('issueKey', { params: { id: book.id }, body: { name: 'till' } });
    const { id } = await call('issueKey', { params: { id: book.id }, body: { name: 'new' } });
    await run(`update api_keys set confirm_until = now() + interval '1 day' where id = $1`, [id]);
    const { items } = await call('listMerchants');
    const listed = items.find((one: { id: string }) => one.id === merchant.id);
    assert.equal(listed.liveKeys, 1);
  });
});
