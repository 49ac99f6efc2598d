import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { WEEKDAYS } from '../../src/domain/recurrence.ts';
import { createTestMerchant } from '../test-merchant.ts';
import { storePerson } from '../test-person.ts';
import {
  type Answer,
  errorCode,
  type Fields,
  fieldsOf,
  listOf,
  readTransfer,
} from './api-client.ts';
import { openContract, TRANSFERS } from './open-contract.ts';
import { callAs } from './person-client.ts';

const DAY_MS = 24 * 60 * 60_000;
const contract = await openContract();
after(() => contract.close());
const { apiWith, database, service } = contract;

const BIG = {
  name: 'big',
  when: { amountAtLeast: '50.00' },
  require: { approvals: 1, of: ['approver', 'owner'] },
};
const HUGE = { name: 'huge', when: { amountAtLeast: '500.00' }, require: { refuse: true } };
const DAILY = {
  name: 'daily',
  when: { sum: { by: 'key', day: true, above: '100.00' } },
  require: { refuse: true },
};
const AGAIN = { name: 'again', when: { similarWithin: 'PT24H' }, require: { warn: true } };

/** A merchant with an owner who publishes policies, and a key that was used before there was one. */
async function openBook() {
  const merchant = await createTestMerchant(database);
  const merchantId = merchant.id;
  const owner = await storePerson(database, { roles: [{ merchantId, role: 'owner' }] });
  const maker = await storePerson(database, { roles: [{ merchantId, role: 'maker' }] });
  const bookId = merchant.books.test;
  const api = apiWith(merchant.keys.test);
  const order = (changes: Fields = {}): Fields => ({
    ...contract.order(),
    walletId: merchant.wallets.test.ZMW,
    ...changes,
  });
  const pay = (changes: Fields = {}) => api.post(TRANSFERS, order(changes));
  const publish = async (...rules: readonly object[]) => {
    const call = (method: string, path: string, body: Fields) =>
      callAs(service.baseUrl, owner, `payments/policy/${path}`, { method, bookId, body });
    const saved = await call('PUT', 'draft', { rules });
    assert.equal(saved.status, 200, JSON.stringify(saved));
    const published = await call('POST', 'draft/publish', {});
    assert.equal(published.status, 200, JSON.stringify(published));
  };
  assert.equal((await pay()).status, 201);
  return { api, order, pay, publish, bookId, maker, merchant };
}

const ruleOf = ({ data }: Answer) => fieldsOf(data['error'])['rule'];

describe('a payout of a book with a policy', () => {
  it('is judged from the moment of publishing on, by the key that was used before', async () => {
    const { pay, publish } = await openBook();
    await publish(BIG, HUGE);
    const refused = await pay({ amount: 500 });
    assert.deepEqual(
      [refused.status, errorCode(refused), ruleOf(refused)],
      [422, 'POLICY_REFUSED', 'huge'],
    );
    assert.match(refused.message, /"huge"/);
    const waiting = readTransfer((await pay({ amount: 50 })).data);
    assert.deepEqual(
      [waiting.state, waiting.status, waiting.policyVersion, waiting.rules, waiting.source],
      ['awaiting_approval', 'pending', 1, ['big'], 'api'],
    );
    assert.match(String(waiting.contentHash), /^[0-9a-f]{64}$/);
    const paid = readTransfer((await pay({ amount: 49.99 })).data);
    assert.deepEqual([paid.policyVersion, paid.rules, paid.contentHash], [1, [], null]);
    await publish();
    assert.equal((await pay({ amount: 500 })).status, 201);
  });

  it('cannot avoid a rule about hours by a time to be sent', async () => {
    const { api, order, pay, publish } = await openBook();
    const at = new Date(Date.now() + 3 * DAY_MS);
    const days = [WEEKDAYS[(at.getUTCDay() + 6) % 7]];
    const hours = { zone: 'UTC', days, from: '00:00', to: '24:00' };
    await publish({ name: 'day', when: { hours }, require: { refuse: true } });
    const sendAt = at.toISOString();
    assert.equal((await pay()).status, 201);
    const before = new Date(at.getTime() - DAY_MS).toISOString();
    assert.equal((await pay({ sendAt: before })).status, 201);
    assert.equal(ruleOf(await pay({ sendAt })), 'day');
    const bulk = await api.post(`${TRANSFERS}/bulk`, { transfers: [order({ sendAt }), order()] });
    assert.deepEqual([bulk.data['accepted'], bulk.data['refused']], [1, 1]);
    const preflight = await api.post(`${TRANSFERS}/preflight`, order({ sendAt }));
    assert.deepEqual(
      listOf(preflight.data['problems']).map(({ code }) => code),
      ['POLICY_REFUSED'],
    );
  });

  it('has its name asked for by a rule that is younger than the cached key', async () => {
    const { api, order, pay, publish } = await openBook();
    const other = { when: { nameMatch: ['mismatch'] }, require: { refuse: true } };
    const names = { name: 'other name', ...other };
    const wrong = { phone: '0977433571', recipientName: 'Zzz Qqq' };
    await publish(names);
    assert.equal(ruleOf(await pay(wrong)), 'other name');
    await publish(BIG);
    assert.equal((await pay(wrong)).status, 201);
    await publish(names);
    const { data } = await api.post(`${TRANSFERS}/bulk`, { transfers: [order(), order(wrong)] });
    assert.deepEqual([data['accepted'], data['refused']], [1, 1]);
  });

  it('is judged one by one in a bulk call, in order', async () => {
    const { api, order, publish } = await openBook();
    await publish(DAILY);
    const transfers = Array.from({ length: 12 }, () => order({ amount: 10 }));
    const { data } = await api.post(`${TRANSFERS}/bulk`, { transfers });
    // 1.00 was paid before there was a policy, and counts.
    assert.deepEqual([data['accepted'], data['refused']], [9, 3]);
    const codes = listOf(data['results']).map((result) => {
      const { error } = fieldsOf(result['data']);
      return error === undefined ? 'accepted' : fieldsOf(error)['rule'];
    });
    assert.deepEqual(codes, [...Array(9).fill('accepted'), ...Array(3).fill('daily')]);
  });

  it('by a person is from the console, and never approved by its maker alone', async () => {
    const { order, publish, bookId, maker } = await openBook();
    await publish(BIG);
    const path = `payments/${TRANSFERS}`;
    const body = order({ amount: 50 });
    const { data } = await callAs(service.baseUrl, maker, path, { method: 'POST', bookId, body });
    assert.deepEqual([data['source'], data['state']], ['console', 'awaiting_approval']);
  });

  it('says in a preflight what would be asked, what is left and what is worth a look', async () => {
    const { api, order, pay, publish } = await openBook();
    await publish(BIG, HUGE, DAILY, AGAIN);
    assert.equal((await pay({ amount: 60 })).status, 201);
    const preflight = async (amount: number) =>
      (await api.post(`${TRANSFERS}/preflight`, order({ amount }))).data;
    const second = await preflight(30);
    assert.deepEqual(
      [second['wouldAccept'], second['approvals'], second['limits'], second['warnings']],
      [true, { needed: 0, rules: [] }, [{ rule: 'daily', left: '39.00' }], []],
    );
    const again = await preflight(60);
    assert.deepEqual(again['approvals'], { needed: 1, rules: ['big'] });
    assert.deepEqual(
      listOf(again['warnings']).map(({ code, rule }) => [code, rule]),
      [['POLICY_WARNS', 'again']],
    );
    assert.deepEqual(
      listOf(again['problems']).map(({ code }) => code),
      ['POLICY_REFUSED'],
    );
  });
});
