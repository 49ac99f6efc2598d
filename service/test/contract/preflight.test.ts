import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { createTestMerchant, type TestMerchant } from '../test-merchant.ts';
import { storePerson } from '../test-person.ts';
import {
  type Answer,
  brokenFields,
  errorCode,
  type Fields,
  fieldsOf,
  listOf,
} from './api-client.ts';
import { newReference, openContract, RECIPIENTS, TRANSFERS } from './open-contract.ts';

const PREFLIGHT = `${TRANSFERS}/preflight`;
const NAMES_PER_DAY = 3;
const POLL_INTERVAL_MS = 20;
const contract = await openContract({ RESOLVE_LIMIT_PER_DAY: String(NAMES_PER_DAY) });
after(() => contract.close());
const { apiWith, database, service } = contract;

const run = (text: string, values: readonly unknown[] = []) =>
  database.query({ name: '', text }, values);

/** Each test has a merchant of its own, so that no test uses up the names of another. */
async function openBook() {
  const merchant = await createTestMerchant(database);
  const order = (changes: Fields = {}): Fields => ({
    ...contract.order(),
    walletId: merchant.wallets.test.ZMW,
    ...changes,
  });
  return { merchant, api: apiWith(merchant.keys.test), order };
}

const problemsOf = ({ data }: Answer) => listOf(data['problems']);

describe('a preflight', () => {
  it('says what a payout would cost and whom it would pay, and the payout is accepted', async () => {
    const { api, order } = await openBook();
    const body = order({ amount: 25.5, recipientName: 'Joseph Tembo' });
    const { reference: _, ...unnamed } = body;
    const { status, message, data, text } = await api.post(PREFLIGHT, unnamed);
    assert.equal(status, 200, text);
    assert.equal(message, 'Transfer checked');
    assert.deepEqual(data, {
      wouldAccept: true,
      problems: [],
      warnings: [],
      fee: 0,
      total: 25.5,
      available: '1000000.00',
      operator: { given: 'airtel', predicted: 'airtel', open: true, min: 0.01, max: 1_000_000_000 },
      recipient: { accountName: 'Joseph Tembo', nameMatch: 'match' },
      approvals: { needed: 0, rules: [] },
      similar: [],
      limits: [],
    });
    assert.equal((await api.post(TRANSFERS, body)).status, 201);
  });

  type Book = Awaited<ReturnType<typeof openBook>>;
  type Case = Readonly<{ given?: (book: Book) => Promise<unknown>; changes: Fields; live?: true }>;
  const used = newReference();
  const change = (text: string) => (book: Book) => run(text, [book.merchant.wallets.test.ZMW]);
  const cases: Readonly<Record<string, Case>> = {
    DUPLICATE_REFERENCE: {
      given: ({ api, order }) => api.post(TRANSFERS, order({ reference: used })),
      changes: { reference: used },
    },
    WALLET_NOT_FOUND: { changes: { walletId: '00000000-0000-4000-8000-000000000000' } },
    CURRENCY_MISMATCH: { changes: { country: 'ng', phone: '08031234567', operator: 'mtn' } },
    WALLET_INACTIVE: {
      given: change("update wallets set status = 'frozen' where id = $1"),
      changes: {},
    },
    INSUFFICIENT_BALANCE: { changes: { amount: 1_000_000.01 } },
    LIMIT_EXCEEDED: {
      given: change('update wallets set daily_limit_minor = 150 where id = $1'),
      changes: { amount: 1.51 },
    },
    OPERATOR_NOT_AVAILABLE: { changes: {}, live: true },
    FORBIDDEN: {
      given: ({ merchant }) =>
        run('update books set suspended_at = now() where merchant_id = $1', [merchant.id]),
      changes: {},
    },
  };
  for (const [code, { given, changes, live }] of Object.entries(cases)) {
    it(`finds the ${code} with which the call then answers`, async () => {
      const book = await openBook();
      await given?.(book);
      const { merchant } = book;
      const api = live === true ? apiWith(merchant.keys.live) : book.api;
      const walletId = merchant.wallets[live === true ? 'live' : 'test'].ZMW;
      const body = book.order({ walletId, ...changes });
      const checked = await untilPolled(() => api.post(PREFLIGHT, body), code);
      const refused = await api.post(TRANSFERS, body);
      assert.equal(errorCode(refused), code, refused.text);
      assert.equal(checked.data['wouldAccept'], false);
      assert.deepEqual(
        problemsOf(checked).map(({ code: found }) => found),
        [code],
        checked.text,
      );
      assert.equal(problemsOf(checked)[0]?.['message'], refused.message);
    });
  }

  /** Keys learn of a suspension within a second. */
  async function untilPolled(ask: () => Promise<Answer>, code: string): Promise<Answer> {
    for (let tries = 0; ; tries += 1) {
      const answer = await ask();
      if (tries === 100 || problemsOf(answer).some((problem) => problem['code'] === code)) {
        return answer;
      }
      await wait(POLL_INTERVAL_MS);
    }
  }

  it('lists every broken field as the call does, and still says what it can', async () => {
    const { api, order } = await openBook();
    const broken = order({ amount: '5', operator: 'MTN', reference: 'a b', extra: 1 });
    const [checked, refused] = [
      await api.post(PREFLIGHT, broken),
      await api.post(TRANSFERS, broken),
    ];
    const found = problemsOf(checked).map(({ field, code }) => [field, code]);
    assert.deepEqual(Object.fromEntries(found), brokenFields(refused));
    const { wouldAccept, fee, available, operator } = checked.data;
    assert.deepEqual([wouldAccept, fee, available], [false, null, '1000000.00']);
    assert.equal(fieldsOf(operator)['predicted'], 'airtel');
  });

  it('predicts the operator from the prefix, and lets another one be paid', async () => {
    const { api, order } = await openBook();
    const { data } = await api.post(PREFLIGHT, order({ phone: '0966123456' }));
    const { given, predicted } = fieldsOf(data['operator']);
    assert.deepEqual([given, predicted, data['wouldAccept']], ['airtel', 'mtn', true]);
  });

  it('shows payouts of the same amount to the same number under another reference', async () => {
    const { api, order } = await openBook();
    const first = order({ amount: 12.5, phone: '0977433572' });
    assert.equal((await api.post(TRANSFERS, first)).status, 201);
    const similar = async (changes: Fields) => {
      const { data } = await api.post(PREFLIGHT, { ...first, reference: 'another', ...changes });
      return listOf(data['similar']).map(({ reference }) => reference);
    };
    assert.deepEqual(await similar({ phone: '+260 97 743-3572' }), [first['reference']]);
    assert.deepEqual(await similar({ amount: 12.51 }), []);
    assert.deepEqual(await similar({ phone: '0977433573' }), []);
    assert.deepEqual(await similar({ reference: first['reference'] }), []);
    await run(
      `update transfers set id = '01900000-0000-7000-8000-000000000000' where reference = $1`,
      [first['reference']],
    );
    assert.deepEqual(await similar({}), []);
  });

  it('is closed for an operator that is down', async () => {
    const { api, order } = await openBook();
    const { data } = await api.post(PREFLIGHT, order({ phone: '0977433941' }));
    assert.deepEqual([fieldsOf(data['operator'])['open'], data['wouldAccept']], [false, true]);
  });

  it('warns of a number without an account, which the call accepts', async () => {
    const { api, order } = await openBook();
    const { data } = await api.post(PREFLIGHT, order({ phone: '0977433901' }));
    const [warning] = listOf(data['warnings']);
    assert.deepEqual(
      [data['wouldAccept'], data['recipient'], warning?.['code']],
      [true, null, 'ACCOUNT_NOT_FOUND'],
    );
  });

  it('says how much of the daily limit is left', async () => {
    const { api, order, merchant } = await openBook();
    await run('update wallets set daily_limit_minor = 1000 where id = $1', [
      merchant.wallets.test.ZMW,
    ]);
    assert.equal((await api.post(TRANSFERS, order({ amount: 4 }))).status, 201);
    const { data } = await api.post(PREFLIGHT, order());
    assert.deepEqual(data['limits'], [{ rule: 'wallet_daily', left: '6.00' }]);
  });

  it('goes on without a name when the lookups of the day are used up', async () => {
    const { api, order } = await openBook();
    const names: boolean[] = [];
    for (let n = 0; n <= NAMES_PER_DAY; n += 1) {
      const { status, data } = await api.post(PREFLIGHT, order());
      assert.equal(status, 200);
      names.push(data['recipient'] !== null);
    }
    assert.deepEqual(names, [true, true, true, false]);
  });

  it('takes the name of a known recipient without a lookup', async () => {
    const { api, order } = await openBook();
    const account = { phone: '0977433571', operator: 'airtel', country: 'zm' };
    assert.equal((await api.post(RECIPIENTS, account)).status, 201);
    for (let n = 0; n < NAMES_PER_DAY; n += 1) {
      const { data } = await api.post(PREFLIGHT, order({ recipientName: 'Another Person' }));
      assert.deepEqual(data['recipient'], { accountName: 'Joseph Tembo', nameMatch: 'mismatch' });
    }
  });

  it('writes nothing but the record of the lookup', async () => {
    const { api, order } = await openBook();
    const before = await countRows();
    for (const changes of [{}, { amount: 0 }, { phone: '0977433901' }]) {
      assert.equal((await api.post(PREFLIGHT, order(changes))).status, 200);
    }
    assert.deepEqual(await countRows(), before);
  });

  /** The rows of every table, and what each wallet has. The service itself places events and notes the use of keys. */
  async function countRows(): Promise<unknown> {
    const [row] = await run(`
      select (select array_agg(w.* order by w.id) from wallets w)::text as wallets,
             (select count(*) from transfers) as transfers, (select count(*) from events) as events,
             (select count(*) from postings) as postings, (select count(*) from acts) as acts,
             (select count(*) from recipients) as recipients,
             (select count(*) from attempts) as attempts,
             (select count(*) from deliveries) as deliveries`);
    return row;
  }

  it('is for people who may pay and for keys that may', async () => {
    const { merchant, order } = await openBook();
    const readOnly = apiWith((await merchant.issueKey({ scopes: ['read'] })).text);
    assert.equal((await readOnly.post(PREFLIGHT, order())).status, 403);
    assert.deepEqual(
      [await asPerson(merchant, 'maker', order()), await asPerson(merchant, 'viewer', order())],
      [200, 403],
    );
  });

  async function asPerson(merchant: TestMerchant, role: 'maker' | 'viewer', body: Fields) {
    const person = await storePerson(database, { roles: [{ merchantId: merchant.id, role }] });
    const response = await fetch(`${service.baseUrl}/api/v1/payments/${PREFLIGHT}`, {
      method: 'POST',
      headers: {
        ...person.headers,
        'x-book': merchant.books.test,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    return response.status;
  }
});
