import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import type { MerchantRole } from '../../src/domain/roles.ts';
import type { Mode } from '../../src/domain/transfer.ts';
import { createTestMerchant, type TestMerchant } from '../test-merchant.ts';
import { storePerson, type TestPerson } from '../test-person.ts';
import { createApiClient } from './api-client.ts';
import { openContract, TRANSFERS } from './open-contract.ts';

const contract = await openContract();
after(() => contract.close());
const { database, service } = contract;

const DAY_MS = 24 * 60 * 60_000;
const BIG = {
  name: 'big',
  when: { amountAtLeast: '5000.00' },
  require: { approvals: 1, of: ['approver', 'owner'] },
};
const TINY = { name: 'tiny', when: { amountBelow: '2.00' }, require: { warn: true } };

type Answer = Readonly<{ status: number; code: string | undefined; data: Policy & Draft & Replay }>;
type Draft = Readonly<{
  contentHash: string;
  problems: readonly Readonly<{ field: string; message: string }>[];
  replay: Replay | null;
  publishedBy: Readonly<{ id: string }> | null;
  rules: readonly Readonly<{ rule: string; text: string }>[];
}>;
type Policy = Readonly<{
  version: number | null;
  document: object | null;
  draft: Draft | null;
  history: readonly Readonly<{ version: number; by: readonly object[] }>[];
}>;
type Replay = Readonly<{
  transfers: number;
  warned: number;
  refused: number;
  approvals: number;
  byRule: readonly Readonly<{
    rule: string;
    matched: number;
    refused: number;
    sum: string;
    samples: readonly string[];
  }>[];
  inForce: Replay | null;
}>;
type Broken = Readonly<{
  error: Readonly<{ code: string; message: string; fields?: readonly { field: string }[] }>;
}>;

type Call = Readonly<{ body?: unknown; ifMatch?: string; ifNoneMatch?: string; mode?: Mode }>;

/** A person of a merchant, as a browser calls for them. */
function callerOf(person: TestPerson, merchant: TestMerchant) {
  return async (method: string, path: string, call: Call = {}): Promise<Answer> => {
    const { body, ifMatch, ifNoneMatch, mode = 'test' } = call;
    const response = await fetch(`${service.baseUrl}/api/v1/payments/${path}`, {
      method,
      headers: {
        ...person.headers,
        'x-book': merchant.books[mode],
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
        ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { data } = (await response.json()) as { data: Answer['data'] & Broken };
    return { status: response.status, code: data.error?.code, data };
  };
}

/** A merchant of the test's own, so that its policy concerns no other test. */
async function team(...roles: readonly MerchantRole[]) {
  const merchant = await createTestMerchant(database);
  const people = await Promise.all(
    roles.map((role) => storePerson(database, { roles: [{ merchantId: merchant.id, role }] })),
  );
  const calls = people.map((person) => callerOf(person, merchant));
  const [first = callerOf(await storePerson(database), merchant)] = calls;
  return {
    merchant,
    people,
    calls,
    call: first,
    api: createApiClient(service.baseUrl, merchant.keys.test),
  };
}

const brokenFields = ({ data }: Answer) =>
  (data as unknown as Broken).error.fields?.map(({ field }) => field);

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
    const [book] = await database.query<{ controls_version: number; send_late_within_ms: bigint }>(
      { name: '', text: 'select controls_version, send_late_within_ms from books where id = $1' },
      [merchant.books.test],
    );
    assert.equal(book?.send_late_within_ms, BigInt(DAY_MS));
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
      return (answer.data as { id: string }).id;
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
