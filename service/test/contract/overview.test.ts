import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { firstUuidAt } from '../../src/domain/uuid.ts';
import { createTestMerchant } from '../test-merchant.ts';
import { assertRefused, type Fields, fieldsOf, listOf, type Transfer } from './api-client.ts';
import { openContract } from './open-contract.ts';
import { type OwnerClient, openOwnerClient } from './owner-client.ts';

const DAY_MS = 86_400_000;
const contract = await openContract();
after(() => contract.close());
const { apiWith, database, merchant, initiate, transferOnce } = contract;

let person: OwnerClient;
let data: Fields;
const run = (text: string, values: readonly unknown[]) =>
  database.query({ name: '', text }, values);
const is = (state: string) => (transfer: Transfer) => transfer.state === state;
const today = () => new Date().toISOString().slice(0, 10);

async function overviewOf(who: OwnerClient): Promise<Fields> {
  const { status, data: found, text } = await who.get('overview');
  assert.equal(status, 200, text);
  return found;
}

/** A transfer of some days ago that took this long to be paid. */
async function storePast(daysAgo: number, tookMs: number): Promise<void> {
  const at = new Date(Date.now() - daysAgo * DAY_MS);
  const id = firstUuidAt(at).slice(0, -6) + String(tookMs).padStart(6, '0');
  await run(
    `insert into transfers (book_id, id, wallet_id, reference, state, amount_minor, fee_minor, currency,
       phone, operator, country, operator_reference, event_seq, created_at, updated_at, completed_at)
     values ($1, $2::uuid, $3, $2::uuid::text, 'succeeded', 1000, 0, 'ZMW', '+260977433571', 'mtn', 'zm', $2::uuid, 2, $4,
       $5, $5)`,
    [merchant.books.test, id, merchant.wallets.test.ZMW, at, new Date(at.getTime() + tookMs)],
  );
}

describe('the overview', { skip: isNearMidnight() }, () => {
  before(async () => {
    person = await openOwnerClient({ database, api: apiWith() }, merchant);
    for (const tookMs of [1_000, 2_000, 60_000]) await storePast(3, tookMs);
    await storePast(13, 500);
    await storePast(14, 500);
    await run('update wallets set low_balance_minor = 200000000 where id = $1', [
      merchant.wallets.test.ZMW,
    ]);
    const [paid, failed, doubt] = [
      await initiate({ amount: 2.5 }),
      await initiate({ phone: '0977433902', amount: 3 }),
      await initiate({ phone: '0977433913', amount: 4 }),
    ];
    await transferOnce(paid.id, is('succeeded'));
    await transferOnce(failed.id, is('failed'));
    await transferOnce(doubt.id, is('in_doubt'));
    data = await overviewOf(person);
  });

  it('has what was created today by state', () => {
    const shown = listOf(data['today']).map(({ state, currency, count, sum }) =>
      [state, currency, count, sum].join(' '),
    );
    assert.deepEqual(shown.sort(), [
      'failed ZMW 1 3.00',
      'in_doubt ZMW 1 4.00',
      'succeeded ZMW 1 2.50',
    ]);
  });

  it('has wallets with what is held for', () => {
    const wallet = listOf(data['wallets']).find(({ id }) => id === merchant.wallets.test.ZMW);
    assert.equal(wallet?.['held'], '4.00');
    assert.deepEqual(wallet?.['heldFor'], [{ state: 'in_doubt', count: 1, sum: '4.00' }]);
    assert.equal(listOf(data['wallets']).length, 2);
  });

  it('has fourteen days with the time to paid', () => {
    const days = listOf(data['days']);
    assert.equal(days.length, 14);
    assert.deepEqual(
      days.map(({ paid }) => paid),
      [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 1],
    );
    const [first, third, last] = [days[0], days[10], days[13]];
    assert.deepEqual([first?.['paid'], last?.['day']], [1, today()]);
    assert.deepEqual([last?.['failed'], last?.['doubt']], [1, 1]);
    const near = (told: unknown, exact: number) =>
      assert.ok(Math.abs(Number(told) - exact) / exact < 0.05, `${String(told)}, not ${exact}`);
    near(third?.['medianMs'], 2_000);
    near(third?.['p95Ms'], 60_000);
    assert.equal(days[1]?.['medianMs'], null);
  });

  it('compares operators with a usual day', () => {
    assert.deepEqual(
      listOf(data['operators']).map((one) => ({ ...one })),
      [
        {
          operator: 'mtn',
          country: 'zm',
          currency: 'ZMW',
          todaySum: '0.00',
          todayCount: 0,
          usualSum: '20.00',
        },
        {
          operator: 'airtel',
          country: 'zm',
          currency: 'ZMW',
          todaySum: '2.50',
          todayCount: 1,
          usualSum: '0.00',
        },
      ],
    );
  });

  it('lists what needs a person', () => {
    const needs = listOf(data['needsYou']);
    const kinds = needs.map(({ kind, count }) => `${String(kind)} ${String(count)}`);
    assert.deepEqual(kinds, ['in_doubt 1', 'low_balance 1', 'failed_today 1']);
    // It leads to those that it counts.
    assert.equal(needs.at(-1)?.['link'], '/transfers?state=failed&created=today-utc');
  });

  it('has nothing of another book, and is for people alone', async () => {
    const other = await createTestMerchant(database);
    const stranger = await openOwnerClient({ database, api: apiWith() }, other);
    const found = await overviewOf(stranger);
    assert.deepEqual([found['today'], found['operators'], found['needsYou']], [[], [], []]);
    const own = Object.values(other.wallets.test).sort();
    assert.deepEqual(
      listOf(found['wallets'])
        .map((wallet) => String(fieldsOf(wallet)['id']))
        .sort(),
      own,
    );
    assertRefused(await contract.api.get('overview'), 403, 'FORBIDDEN');
    assertRefused(await person.get('overview?x=1'), 400, 'VALIDATION_ERROR');
  });
});

/** The day would change between the payouts and the answer. */
function isNearMidnight(): boolean {
  const leftMs = DAY_MS - (Date.now() % DAY_MS);
  return leftMs < 60_000;
}
