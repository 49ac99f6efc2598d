import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { MerchantRole } from '../../src/domain/roles.ts';
import { openContract } from './open-contract.ts';
import { brokenFields, openPolicyTeam, type Policy } from './policy-team.ts';

const contract = await openContract();
after(() => contract.close());
const { database, service } = contract;
const team = (...roles: readonly MerchantRole[]) => openPolicyTeam(contract, roles);

const DAY_MS = 24 * 60 * 60_000;
const BIG = {
  name: 'big',
  when: { amountAtLeast: '5000.00' },
  require: { approvals: 1, of: ['approver', 'owner'] },
};
const TINY = { name: 'tiny', when: { amountBelow: '2.00' }, require: { warn: true } };

describe('the policy of a book', () => {
  it('is absent at first, for people and for keys', async () => {
    const { call, api } = await team('viewer');
    const { status, data } = await call('GET', 'policy');
    assert.equal(status, 200);
    assert.deepEqual(
      [data.version, data.document, data.draft, data.history],
      [null, null, null, []],
    );
    const byKey = await api.get('policy');
    assert.equal(byKey.status, 200);
    assert.equal((byKey.data as Policy).version, null);
  });

  it('is not changed by a key', async () => {
    const { merchant } = await team();
    const response = await fetch(`${service.baseUrl}/api/v1/payments/policy/draft`, {
      method: 'PUT',
      headers: { 'x-api-key': merchant.keys.test, 'content-type': 'application/json' },
      body: JSON.stringify({ rules: [] }),
    });
    assert.equal(response.status, 403);
  });

  it('names every broken field of a document by its path, and stores nothing', async () => {
    const { call } = await team('owner');
    const rules = [
      { ...BIG, when: { amountAtLeast: 5000, sum: { by: 'moon', above: '1.005' } } },
      { ...BIG, require: { approvals: 1, of: ['viewer'] } },
      {
        name: 'night',
        when: { hours: { zone: 'Mars/Olympus', from: '18:00', to: '18:00' } },
        require: { refuse: true, warn: true },
      },
    ];
    const answer = await call('PUT', 'policy/draft', { body: { sendLateWithin: 'P1M', rules } });
    assert.deepEqual([answer.status, answer.code], [400, 'VALIDATION_ERROR']);
    assert.deepEqual(brokenFields(answer), [
      'sendLateWithin',
      'rules.0.when.amountAtLeast',
      'rules.0.when.sum.by',
      'rules.0.when.sum.window',
      'rules.0.when.sum.above',
      'rules.1.require.of',
      'rules.2.when.hours.zone',
      'rules.2.when.hours.to',
      'rules.2.require.refuse',
    ]);
    assert.equal((await call('GET', 'policy')).data.draft, null);
  });

  it('of a test book is in force at once, and all versions are kept', async () => {
    const { call, merchant, people } = await team('owner', 'approver');
    const saved = await call('PUT', 'policy/draft', { body: { rules: [BIG] } });
    assert.equal(saved.status, 200);
    assert.deepEqual(saved.data.rules, [
      {
        rule: 'big',
        text: 'If the amount is 5,000.00 or more: ask for 1 approval by an approver or an owner.',
      },
    ]);
    assert.deepEqual(saved.data.problems, []);
    const published = await call('POST', 'policy/draft/publish');
    assert.equal(published.status, 200);
    assert.equal(published.data.version, 1);
    await call('PUT', 'policy/draft', { body: { rules: [BIG, TINY] } });
    await call('POST', 'policy/draft/publish', { body: {} });
    const { data } = await call('GET', 'policy');
    assert.equal(data.version, 2);
    assert.deepEqual(data.document, { rules: [BIG, TINY] });
    assert.equal(data.draft, null);
    assert.deepEqual(
      data.history.map(({ version, by }) => [version, by]),
      [2, 1].map((version) => [version, [{ id: people[0]?.id, name: people[0]?.name }]]),
    );
    const first = await call('GET', 'policy/versions/1');
    assert.deepEqual(first.data.document, { rules: [BIG] });
    assert.equal((await call('GET', 'policy/versions/3')).code, 'NOT_FOUND');
    const [book] = await database.query<{
      controls_version: number;
      send_late_within_ms: bigint;
      approval_expires_after_ms: bigint;
    }>(
      {
        name: '',
        text: `select controls_version, send_late_within_ms, approval_expires_after_ms
               from books where id = $1`,
      },
      [merchant.books.test],
    );
    assert.equal(book?.send_late_within_ms, BigInt(DAY_MS));
    assert.equal(book.approval_expires_after_ms, BigInt(7 * DAY_MS));
    // The company's list counts it up too, in every book.
    assert.ok(book.controls_version >= 2);
    const acts = await database.query<{ kind: string }>(
      {
        name: '',
        text: 'select kind from acts where book_id = $1 and kind like $2 order by acted_at, id',
      },
      [merchant.books.test, 'POLICY%'],
    );
    assert.deepEqual(
      acts.map(({ kind }) => kind),
      ['POLICY_DRAFT_SAVED', 'POLICY_PUBLISHED', 'POLICY_DRAFT_SAVED', 'POLICY_PUBLISHED'],
    );
  });

  it('can be discarded as a draft', async () => {
    const { call } = await team('owner');
    await call('PUT', 'policy/draft', { body: { rules: [TINY] } });
    assert.equal((await call('DELETE', 'policy/draft')).status, 200);
    assert.equal((await call('GET', 'policy')).data.draft, null);
    assert.equal((await call('DELETE', 'policy/draft')).code, 'NOT_FOUND');
    assert.equal((await call('POST', 'policy/draft/publish')).code, 'NOT_FOUND');
  });

  it('is saved over the draft that was read, and over no other', async () => {
    const { call } = await team('owner');
    const save = (rules: readonly unknown[], ifMatch?: string) =>
      call('PUT', 'policy/draft', {
        body: { rules },
        ...(ifMatch === undefined ? {} : { ifMatch }),
      });
    const early = await save([TINY], 'a draft that is not there');
    assert.deepEqual([early.status, early.code], [409, 'CONTENT_CHANGED']);
    const read = (await save([])).data.contentHash;
    const newer = (await save([TINY], `"${read}"`)).data.contentHash;
    const refused = await save([BIG], read);
    assert.deepEqual([refused.status, refused.code], [409, 'CONTENT_CHANGED']);
    assert.equal((await call('GET', 'policy')).data.draft?.contentHash, newer);
  });

  it('is begun where there is none, and discarded as it was read, or not at all', async () => {
    const { call } = await team('owner');
    const begin = (rules: readonly unknown[]) =>
      call('PUT', 'policy/draft', { body: { rules }, ifNoneMatch: '*' });
    const first = await begin([]);
    assert.equal(first.status, 200);
    // The same call again, whose answer was lost.
    assert.equal((await begin([])).status, 200);
    const second = await begin([TINY]);
    assert.deepEqual([second.status, second.code], [409, 'CONTENT_CHANGED']);
    const ifMatch = first.data.contentHash;
    await call('PUT', 'policy/draft', { body: { rules: [TINY] } });
    const refused = await call('DELETE', 'policy/draft', { ifMatch });
    assert.deepEqual([refused.status, refused.code], [409, 'CONTENT_CHANGED']);
    const { contentHash } = (await call('GET', 'policy')).data.draft ?? {};
    const gone = await call('DELETE', 'policy/draft', { ifMatch: `"${contentHash}"` });
    assert.equal(gone.status, 200);
  });

  it('is published as it was read, or not at all', async () => {
    const { call } = await team('owner');
    const read = await call('PUT', 'policy/draft', { body: { rules: [TINY] } });
    await call('PUT', 'policy/draft', { body: { rules: [] } });
    const ifMatch = read.data.contentHash;
    const refused = await call('POST', 'policy/draft/publish', { ifMatch });
    assert.deepEqual([refused.status, refused.code], [409, 'CONTENT_CHANGED']);
    const again = await call('PUT', 'policy/draft', { body: { rules: [TINY] } });
    assert.equal(again.data.contentHash, ifMatch);
    assert.equal(
      (await call('POST', 'policy/draft/publish', { ifMatch: `"${ifMatch}"` })).status,
      200,
    );
  });

  it('is refused when its approvals could never be given', async () => {
    const { call } = await team('owner', 'approver', 'maker');
    const asks = (count: number, of: readonly string[]) => ({
      ...BIG,
      require: { approvals: count, of },
    });
    const higher = { ...BIG, name: 'higher', when: { amountAtLeast: '9000.00' } };
    for (const rules of [
      [asks(2, ['approver'])],
      [asks(3, ['approver', 'owner'])],
      [asks(2, ['approver', 'owner']), higher],
    ]) {
      const draft = await call('PUT', 'policy/draft', { body: { rules } });
      assert.equal(draft.data.problems.length, 1);
      const { status, code } = await call('POST', 'policy/draft/publish');
      assert.deepEqual([status, code], [422, 'APPROVAL_IMPOSSIBLE']);
    }
    await call('PUT', 'policy/draft', { body: { rules: [asks(2, ['approver', 'owner'])] } });
    assert.equal((await call('POST', 'policy/draft/publish')).status, 200);
  });

  it('is refused when it names a wallet of another book', async () => {
    const { call, merchant } = await team('owner');
    const rules = [
      { ...TINY, when: { wallet: [merchant.wallets.live.ZMW, merchant.wallets.test.ZMW] } },
    ];
    await call('PUT', 'policy/draft', { body: { rules } });
    const refused = await call('POST', 'policy/draft/publish');
    assert.deepEqual([refused.status, refused.code], [400, 'VALIDATION_ERROR']);
    assert.deepEqual(brokenFields(refused), ['rules.0.when.wallet']);
  });
});
