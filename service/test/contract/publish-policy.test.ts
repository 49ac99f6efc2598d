import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import type { MerchantRole } from '../../src/domain/roles.ts';
import { pollUntil } from '../poll.ts';
import { openContract, TRANSFERS } from './open-contract.ts';
import { brokenFields, openPolicyTeam } from './policy-team.ts';

const contract = await openContract();
const { database } = contract;
after(() => contract.close());
const team = (...roles: readonly MerchantRole[]) => openPolicyTeam(contract, roles);

const DAY_MS = 24 * 60 * 60_000;
const BIG = {
  name: 'big',
  when: { amountAtLeast: '5000.00' },
  require: { approvals: 1, of: ['approver', 'owner'] },
};
const TINY = { name: 'tiny', when: { amountBelow: '2.00' }, require: { warn: true } };

describe('the policy of a live book', () => {
  const live = { mode: 'live' } as const;

  it('is published by two owners, after a replay of this very draft', async () => {
    const { calls, merchant, people } = await team('owner', 'owner', 'approver');
    const [one, two] = calls;
    assert.ok(one !== undefined && two !== undefined);
    await one('PUT', 'policy/draft', { ...live, body: { rules: [TINY] } });
    assert.equal((await one('POST', 'policy/draft/publish', live)).code, 'INVALID_STATE');
    const from = new Date(Date.now() - 10 * DAY_MS).toISOString();
    await one('POST', 'policy/draft/replay', { ...live, body: { from } });
    assert.equal((await one('POST', 'policy/draft/publish', live)).code, 'INVALID_STATE');
    assert.equal((await one('POST', 'policy/draft/replay', { ...live, body: {} })).status, 200);
    await one('PUT', 'policy/draft', { ...live, body: { rules: [TINY, BIG] } });
    assert.equal((await one('POST', 'policy/draft/publish', live)).code, 'INVALID_STATE');

    await one('POST', 'policy/draft/replay', { ...live, body: {} });
    assert.equal((await two('POST', 'policy/draft/confirm', live)).code, 'INVALID_STATE');
    const published = await one('POST', 'policy/draft/publish', live);
    assert.deepEqual(
      [published.status, published.data.version, published.data.draft?.publishedBy?.id],
      [200, null, people[0]?.id],
    );
    assert.equal((await two('POST', 'policy/draft/publish', live)).code, 'INVALID_STATE');
    const own = await one('POST', 'policy/draft/confirm', live);
    assert.deepEqual([own.status, own.code], [403, 'OWN_WORK']);
    const confirmed = await two('POST', 'policy/draft/confirm', live);
    assert.deepEqual([confirmed.status, confirmed.data.version], [200, 1]);
    assert.equal(confirmed.data.history[0]?.by.length, 2);
    assert.equal((await one('GET', 'policy')).data.version, null);
    await assert.rejects(
      database.query(
        {
          name: '',
          text: `insert into policies (book_id, version, document, content_hash, published_by, published_by_name, published_at)
            values ($1, 2, '{}', repeat('0', 64), $2, 'One', now())`,
        },
        [merchant.books.live, people[0]?.id],
      ),
      /published by two people/,
    );
  });

  it('is not confirmed after a change, nor after its publisher left', async () => {
    const { calls, people } = await team('owner', 'owner');
    const [one, two] = calls;
    assert.ok(one !== undefined && two !== undefined);
    const publish = async (rules: readonly object[]) => {
      await one('PUT', 'policy/draft', { ...live, body: { rules } });
      await one('POST', 'policy/draft/replay', { ...live, body: {} });
      assert.equal((await one('POST', 'policy/draft/publish', live)).status, 200);
    };
    await publish([TINY]);
    await one('PUT', 'policy/draft', { ...live, body: { rules: [] } });
    assert.equal((await two('POST', 'policy/draft/confirm', live)).code, 'INVALID_STATE');
    await publish([TINY]);
    await database.query({ name: '', text: 'delete from merchant_roles where person_id = $1' }, [
      people[0]?.id,
    ]);
    assert.equal((await two('POST', 'policy/draft/confirm', live)).code, 'INVALID_STATE');
  });
});

describe('a replay', () => {
  it('shows what the draft and the policy in force would have done', async () => {
    const { call, merchant, api } = await team('owner', 'approver');
    const pay = async (amount: number, phone = '0977433571') => {
      const answer = await api.post(TRANSFERS, {
        amount,
        reference: `replay-${randomUUID()}`,
        phone,
        operator: 'airtel',
        country: 'zm',
        walletId: merchant.wallets.test.ZMW,
      });
      assert.equal(answer.status, 201, answer.text);
      const { id } = answer.data as { id: string };
      // What was not paid yet leaves its number a new one.
      await pollUntil('the payout to succeed', async () => {
        return (await api.get(`transfers/${id}`)).data['status'] === 'successful';
      });
      return id;
    };
    const ids = [await pay(100), await pay(150), await pay(100), await pay(60, '0977433572')];
    await call('PUT', 'policy/draft', {
      body: {
        rules: [{ name: 'hundred', when: { amountAtLeast: '100.00' }, require: { warn: true } }],
      },
    });
    await call('POST', 'policy/draft/publish');
    const rules = [
      {
        name: 'daily',
        when: { sum: { by: 'wallet', day: true, above: '210.00' } },
        require: { refuse: true },
      },
      { name: 'again', when: { similarWithin: 'PT1H' }, require: { warn: true } },
      {
        name: 'new number',
        when: { firstPayment: true },
        require: { approvals: 1, of: ['approver'] },
      },
      {
        name: 'by program',
        when: { source: ['api'], count: { by: 'key', window: 'PT1H', above: 2 } },
        require: { warn: true },
      },
    ];
    await call('PUT', 'policy/draft', { body: { rules } });
    const { status, data } = await call('POST', 'policy/draft/replay', { body: {} });
    assert.equal(status, 200);
    // 150 is refused and does not count: so the second 100 is accepted, and 60 after it is refused.
    assert.deepEqual([data.transfers, data.refused, data.approvals, data.warned], [4, 2, 1, 2]);
    assert.deepEqual(
      data.byRule.map(({ rule, matched, refused, sum }) => [rule, matched, refused, sum]),
      [
        ['daily', 2, 2, '210.00'],
        ['again', 1, 0, '100.00'],
        ['new number', 2, 1, '160.00'],
        ['by program', 1, 1, '60.00'],
      ],
    );
    assert.deepEqual(data.byRule[0]?.samples, [ids[1], ids[3]]);
    assert.deepEqual([data.inForce?.transfers, data.inForce?.warned], [4, 3]);
    assert.deepEqual((await call('GET', 'policy')).data.draft?.replay, data);
  });

  it('refuses a time that is none', async () => {
    const { call } = await team('owner');
    const replay = (body: object) => call('POST', 'policy/draft/replay', { body });
    assert.equal((await replay({})).code, 'NOT_FOUND');
    for (const body of [
      { from: 'soon' },
      { from: '2099-01-01T00:00:00Z' },
      { from: '2020-01-01T00:00:00Z' },
    ]) {
      assert.deepEqual(brokenFields(await replay(body)), ['from']);
    }
  });
});
