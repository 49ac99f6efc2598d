import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { storePerson, type TestPerson } from '../test-person.ts';
import { assertRefused, errorCode } from './api-client.ts';
import { newReference, openContract, poll, TRANSFERS } from './open-contract.ts';
import { refusalOf, staffCalls } from './staff-calls.ts';

const contract = await openContract();
after(() => contract.close());
const { database, merchant, service, apiWith, order } = contract;
const { get, post, done, send } = staffCalls(service.baseUrl);

let admin: TestPerson;
let treasurer: TestPerson;
let other: TestPerson;
let support: TestPerson;
before(async () => {
  admin = await storePerson(database, { name: 'Bwalya', staffRoles: ['admin'] });
  treasurer = await storePerson(database, { name: 'Chanda', staffRoles: ['treasurer'] });
  other = await storePerson(database, { name: 'Daka', staffRoles: ['treasurer'] });
  support = await storePerson(database, { name: 'Mulenga', staffRoles: ['support'] });
});

type Fields = Readonly<Record<string, unknown>>;
const newName = () => `Tours ${randomUUID().slice(0, 8)}`;
const brokenFields = (answer: { data: { error: { fields: Fields[] } } }) =>
  answer.data.error.fields.map(({ field }) => field);

describe('a merchant made by the staff', () => {
  it('gets books, fees, a wallet, money and a key, and pays; all of it is on record', async () => {
    const name = newName();
    const made = await done(admin, '/merchants', { name, fees: { fixed: '0.50', percent: '1' } });
    const [book] = made.books;
    assert.deepEqual([book.mode, book.fees], ['test', { fixed: '0.50', percent: '1.00' }]);
    const fees = { fixed: '1', percent: '0' };
    const changed = await send('PUT', `/books/${book.id}/fees`, admin, fees);
    assert.equal(changed.data.books[0].fees.fixed, '1.00');
    const wallet = await done(admin, `/books/${book.id}/wallets`, {
      currency: 'ZMW',
      name: 'Main',
    });
    const funded = await done(treasurer, `/wallets/${wallet.id}/fund`, {
      amount: 500,
      reference: 'bank-1',
    });
    assert.deepEqual([funded.wallet.available, funded.already], ['500.00', false]);
    const key = await done(admin, `/books/${book.id}/keys`, { name: 'till' });
    const paid = await apiWith(key.secret).post(
      TRANSFERS,
      order({ walletId: wallet.id, amount: 7 }),
    );
    assert.deepEqual([paid.status, paid.data.fee], [201, 1]);
    const dossier = await get(support, `/merchants/${made.id}`);
    assert.deepEqual([dossier.name, dossier.keys[0].state], [name, 'active']);
    assert.doesNotMatch(JSON.stringify(dossier), new RegExp(key.secret));
    assert.equal((await done(admin, `/keys/${key.id}/revoke`)).state, 'revoked');
    const { items } = await get(support, `/audit?merchantId=${made.id}`);
    assert.deepEqual(
      items.map(
        ({ kind, actor }: { kind: string; actor: { name: string } }) => `${actor.name} ${kind}`,
      ),
      [
        'Bwalya KEY_REVOKED',
        'Bwalya KEY_ISSUED',
        'Chanda WALLET_FUNDED',
        'Bwalya WALLET_CREATED',
        'Bwalya FEES_SET',
        'Bwalya MERCHANT_CREATED',
      ],
    );
    assert.doesNotMatch(JSON.stringify(items), new RegExp(key.secret));
    const page = await get(support, `/audit?merchantId=${made.id}&limit=4`);
    const rest = await get(support, `/audit?merchantId=${made.id}&cursor=${page.nextCursor}`);
    assert.deepEqual([page.items.length, rest.items.length, rest.nextCursor], [4, 2, null]);
  });

  it('needs a name that no other has, and tells every broken field', async () => {
    const taken = await post(admin, '/merchants', { name: merchant.name.toUpperCase() });
    assert.deepEqual(refusalOf(taken), [400, 'VALIDATION_ERROR']);
    assert.match(taken.data.error.fields[0].message, /Choose another name/);
    const broken = await post(admin, '/merchants', { name: '', fees: 3, extra: 1 });
    assert.deepEqual(brokenFields(broken), ['extra', 'name', 'fees']);
    const fee = await post(admin, '/merchants', { name: newName(), fees: { fixed: 'x' } });
    assert.deepEqual(brokenFields(fee), ['fixed', 'percent']);
    const key = { name: 'k', scopes: ['all'], addresses: ['nowhere'], expiresAt: '2001-01-01' };
    const keyed = await post(admin, `/books/${merchant.books.test}/keys`, key);
    assert.deepEqual(brokenFields(keyed), ['expiresAt', 'scopes', 'addresses']);
  });

  it('starts no payouts while it is suspended, and pays again when resumed', async () => {
    const made = await done(admin, '/merchants', { name: newName() });
    const key = await done(admin, `/books/${made.books[0].id}/keys`, { name: 'till' });
    const api = apiWith(key.secret);
    const body = order();
    const codeNow = async () => errorCode(await api.post(TRANSFERS, body));
    assert.equal(await codeNow(), 'WALLET_NOT_FOUND');
    const reason = 'under investigation, ticket 9';
    await done(admin, `/merchants/${made.id}/suspend`, { reason });
    await poll(codeNow, (code) => code === 'FORBIDDEN');
    const twice = await post(admin, `/merchants/${made.id}/suspend`, { reason });
    assert.deepEqual(refusalOf(twice), [409, 'INVALID_STATE']);
    const { suspendedAt } = await done(admin, `/merchants/${made.id}/resume`, { reason });
    assert.equal(suspendedAt, null);
    await poll(codeNow, (code) => code === 'WALLET_NOT_FOUND');
  });
});

describe('a wallet', () => {
  const walletId = () => merchant.createWallet({ mode: 'live', fundedMinor: 0n });

  it('is paid in once under one reference, however often it is sent', async () => {
    const id = await walletId();
    const funding = { amount: 12.5, reference: newReference() };
    const answers = await Promise.all(
      [1, 2, 3].map(() => done(treasurer, `/wallets/${id}/fund`, funding)),
    );
    assert.equal(answers.filter(({ already }) => !already).length, 1);
    assert.equal((await done(treasurer, `/wallets/${id}/fund`, funding)).wallet.available, '12.50');
    const otherwise = await post(treasurer, `/wallets/${id}/fund`, { ...funding, amount: 13 });
    assert.deepEqual(refusalOf(otherwise), [409, 'DUPLICATE_REFERENCE']);
    const wrong = await post(treasurer, `/wallets/${id}/fund`, { amount: '12', reference: '' });
    assert.deepEqual(brokenFields(wrong), ['amount', 'reference']);
  });

  it('gives a wrong funding back when two people say so, never one', async () => {
    const id = await walletId();
    const fundingReference = newReference();
    await done(treasurer, `/wallets/${id}/fund`, { amount: 80, reference: fundingReference });
    const takeBack = { fundingReference, reason: 'the bank booked it twice' };
    const first = await done(treasurer, `/wallets/${id}/take-back`, takeBack);
    assert.deepEqual([first.result, first.wallet.available], ['proposed', '80.00']);
    const own = await post(treasurer, `/wallets/${id}/take-back`, takeBack);
    assert.deepEqual(refusalOf(own), [403, 'OWN_WORK']);
    const unseen = await post(other, `/wallets/${id}/take-back`, { ...takeBack, seen: 'none' });
    assert.deepEqual(refusalOf(unseen), [409, 'CONTENT_CHANGED']);
    const proposed = (await get(other, '/take-backs')).items.find(
      (one: Fields) => one.walletId === id,
    );
    assert.equal(proposed.end, null);
    const seen = { ...takeBack, seen: proposed.id };
    const second = await done(other, `/wallets/${id}/take-back`, seen);
    assert.deepEqual([second.result, second.wallet.available], ['confirmed', '0.00']);
    const { items } = await get(treasurer, '/take-backs');
    const listed = items.find((one: Fields) => one.walletId === id);
    assert.deepEqual(
      [listed.end.as, listed.end.by, listed.amount],
      ['carried_out', 'Daka', '80.00'],
    );
    const again = await post(other, `/wallets/${id}/take-back`, takeBack);
    assert.deepEqual(refusalOf(again), [409, 'INVALID_STATE']);
    const refunded = await post(treasurer, `/wallets/${id}/fund`, {
      amount: 80,
      reference: fundingReference,
    });
    assert.deepEqual(refusalOf(refunded), [409, 'FUNDING_REFERENCE_TAKEN_BACK']);
    assert.match(refunded.message, /taken back.* at \d{4}-.*another reference/);
  });

  it('is frozen, limited and marked', async () => {
    const id = await merchant.createWallet({ mode: 'test' });
    await done(admin, `/wallets/${id}/freeze`);
    assertRefused(
      await contract.api.post(TRANSFERS, order({ walletId: id })),
      422,
      'WALLET_INACTIVE',
    );
    await done(admin, `/wallets/${id}/unfreeze`);
    assert.equal((await done(admin, `/wallets/${id}/limit`, { amount: 5 })).dailyLimit, '5.00');
    const tooMuch = await contract.api.post(TRANSFERS, order({ walletId: id, amount: 6 }));
    assertRefused(tooMuch, 422, 'LIMIT_EXCEEDED');
    assert.equal((await done(admin, `/wallets/${id}/limit`, { amount: null })).dailyLimit, null);
    assert.equal(
      (await done(admin, `/wallets/${id}/low-balance`, { amount: 3 })).lowBalance,
      '3.00',
    );
    const missing = await post(admin, `/wallets/${randomUUID()}/freeze`);
    assert.deepEqual(refusalOf(missing), [404, 'WALLET_NOT_FOUND']);
  });
});

describe('a route', () => {
  it('is closed and opened again by a person, with the reason on record', async () => {
    const routeNamed = async () => {
      const { items } = await get(support, '/routes');
      return items.find(({ name }: { name: string }) => name === 'sandbox');
    };
    assert.equal((await routeNamed()).state, 'open');
    const reason = 'maintenance, ticket 3';
    await done(admin, '/routes/sandbox/hold', { reason });
    const { state, why, by } = await routeNamed();
    assert.deepEqual([state, why, by], ['held', reason, 'Bwalya']);
    const twice = await post(admin, '/routes/sandbox/close', { reason });
    assert.deepEqual(refusalOf(twice), [409, 'INVALID_STATE']);
    await done(admin, '/routes/sandbox/release', { reason: 'it is over' });
    assert.equal((await routeNamed()).state, 'open');
    const unknown = await post(admin, '/routes/nowhere/close', { reason });
    assert.deepEqual(refusalOf(unknown), [404, 'NOT_FOUND']);
    const { items } = await get(support, '/audit?subject=sandbox');
    assert.deepEqual(
      items.map(({ kind }: { kind: string }) => kind),
      ['ROUTE_RELEASED', 'ROUTE_HELD'],
    );
  });
});

describe('the rest that the staff see', () => {
  it('tells how everything is, in one call', async () => {
    const overview = await get(support, '/overview');
    assert.equal(overview.days.length, 14);
    assert.equal(overview.days.at(-1).day, new Date().toISOString().slice(0, 10));
    assert.ok(overview.routes.length >= 1);
    assert.equal(typeof overview.doubts.count, 'number');
  });

  it('lists endpoints that fail, and sends what they missed once more', async () => {
    const id = randomUUID();
    const text = `insert into webhook_endpoints (book_id, id, url, secret_sealed, failing_since, created_at)
                  values ($1, $2, 'https://example.com/hook', decode(repeat('00', 40), 'hex'), now(), now())`;
    await database.query({ name: '', text }, [merchant.books.test, id]);
    const { items } = await get(support, '/webhooks/failing');
    const listed = items.find((one: Fields) => one.endpointId === id);
    assert.deepEqual([listed.merchant.id, listed.waiting], [merchant.id, 0]);
    assert.deepEqual(await done(support, `/webhooks/${id}/replay`), {
      replayed: 0,
      nextFrom: null,
    });
    const gone = await post(support, `/webhooks/${randomUUID()}/replay`);
    assert.deepEqual(refusalOf(gone), [404, 'WEBHOOK_NOT_FOUND']);
    await database.query({ name: '', text: 'delete from webhook_endpoints where id = $1' }, [id]);
  });

  it('lists incidents, and keeps what became of one', async () => {
    const { id: transferId } = await contract.initiate();
    const id = randomUUID();
    const text = `insert into incidents (book_id, id, transfer_id, kind, detail, opened_at)
                  values ($1, $2, $3, 'paid_after_failure', 'The operator says paid.', now())`;
    await database.query({ name: '', text }, [merchant.books.test, id, transferId]);
    const before = await get(support, '/incidents');
    const open = before.items.find((one: Fields) => one.id === id);
    assert.deepEqual([open.transfer.id, open.closed], [transferId, null]);
    await done(treasurer, `/incidents/${id}/close`, { note: 'MTN took it back, ticket 8' });
    const after = await get(support, '/incidents');
    const closed = after.items.find((one: Fields) => one.id === id);
    assert.deepEqual(
      [closed.closed.by, closed.closed.note],
      ['Chanda', 'MTN took it back, ticket 8'],
    );
    const again = await post(treasurer, `/incidents/${id}/close`, { note: 'again' });
    assert.deepEqual(refusalOf(again), [404, 'NOT_FOUND']);
  });
});
