import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { OperatorName } from '../../../emulators/start-operators.ts';
import { type Country, currencyOf, type Operator } from '../../src/domain/operator.ts';
import { readTransfer, type Transfer } from '../contract/api-client.ts';
import { pollUntil } from '../poll.ts';
import { type LiveWorld, openLiveWorld } from './live-world.ts';

/** A hundred times as fast as life: the first question about a doubt is asked after 50 ms. */
const PACE = 0.01;
const PAYOUTS = 10;
const SETTLE_TIMEOUT_MS = 60_000;

type Way = Readonly<{
  emulator: OperatorName;
  operator: Operator;
  country: Country;
  prefix: string;
}>;

/** Every operator that recognises an order by its reference. */
const WAYS: readonly Way[] = [
  { emulator: 'mtn', operator: 'mtn', country: 'zm', prefix: '096120' },
  { emulator: 'airtel', operator: 'airtel', country: 'zm', prefix: '097120' },
  { emulator: 'vodacom', operator: 'vodacom', country: 'zm', prefix: '097120' },
  { emulator: 'pawapay', operator: 'mtn', country: 'ng', prefix: '0803120' },
];

type Order = Readonly<{ way: Way; n: number; amount: number }>;

const ORDERS: readonly Order[] = WAYS.flatMap((way) =>
  Array.from({ length: PAYOUTS }, (_, n) => ({ way, n, amount: 10 + n })),
);

describe('after a restore of a backup that is too old, with operators that go on as before', () => {
  let world: LiveWorld;
  before(async () => {
    world = await openLiveWorld({ operators: WAYS.map(({ emulator }) => emulator), pace: PACE });
    await world.backUp();
    await Promise.all(ORDERS.map(pay));
    await pollUntil('all are paid', () => areAll(ORDERS, ['succeeded']), SETTLE_TIMEOUT_MS);
    await world.restore();
  });
  after(() => world.close());

  async function pay({ way, n, amount }: Order): Promise<Transfer> {
    const { operator, country, prefix } = way;
    const answer = await world.api().post('transfers/mobile-money', {
      amount,
      reference: referenceOf(way, n),
      phone: `${prefix}${1_000 + n}`,
      operator,
      country,
      walletId: world.merchant.wallets.live[currencyOf(country)],
    });
    assert.equal(answer.status, 201, `${answer.text}: the database must have forgotten it`);
    return readTransfer(answer.data);
  }

  async function stateOf({ way, n }: Order): Promise<string> {
    const { data } = await world.api().get(`transfers/status/${referenceOf(way, n)}`);
    return readTransfer(data).state;
  }

  async function areAll(orders: readonly Order[], states: readonly string[]): Promise<boolean> {
    const found = await Promise.all(orders.map(stateOf));
    return found.every((state) => states.includes(state));
  }

  it('pays nobody twice when everything is sent again, and learns that it was paid', async () => {
    await Promise.all(ORDERS.map(pay));
    await pollUntil('all are paid', () => areAll(ORDERS, ['succeeded']), SETTLE_TIMEOUT_MS);
    for (const { emulator } of WAYS) {
      const numbers = (await world.book(emulator)).map(({ msisdn }) => msisdn);
      assert.equal(numbers.length, PAYOUTS, `${emulator} paid somebody twice`);
      assert.equal(new Set(numbers).size, PAYOUTS, emulator);
    }
  });
});

function referenceOf({ emulator }: Way, n: number): string {
  return `${emulator}-${n}`;
}
