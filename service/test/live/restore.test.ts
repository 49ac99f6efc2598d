import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { OperatorName } from '../../../emulators/start-operators.ts';
import { addAdministrator } from '../../src/administrators/add-administrator.ts';
import type { PersonActor } from '../../src/domain/actor.ts';
import { type Country, currencyOf, type Operator } from '../../src/domain/operator.ts';
import type { Database } from '../../src/postgres/database.ts';
import { startRoutes, stopRoutes } from '../../src/resolutions/stop-routes.ts';
import { readTransfer, type Transfer } from '../contract/api-client.ts';
import { pollUntil } from '../poll.ts';
import { newTestId } from '../stored-doubt.ts';
import { TEST_ACTOR } from '../test-actor.ts';
import { type LiveWorld, openLiveWorld } from './live-world.ts';

/** A hundred times as fast as real time: the first inquiry about a doubt follows after 50 ms. */
const TIME_SCALE = 0.01;
const PAYOUTS = 10;
const SETTLE_TIMEOUT_MS = 60_000;

type Way = Readonly<{
  emulator: OperatorName;
  operator: Operator;
  country: Country;
  prefix: string;
  /** Whether its answers report what was paid to whom. */
  reportsAmounts: boolean;
}>;

/** Every operator that recognises an order by its reference. */
const WAYS: readonly Way[] = [
  { emulator: 'mtn', operator: 'mtn', country: 'zm', prefix: '096120', reportsAmounts: true },
  {
    emulator: 'airtel',
    operator: 'airtel',
    country: 'zm',
    prefix: '097120',
    reportsAmounts: false,
  },
  {
    emulator: 'vodacom',
    operator: 'vodacom',
    country: 'zm',
    prefix: '097120',
    reportsAmounts: false,
  },
  { emulator: 'pawapay', operator: 'mtn', country: 'ng', prefix: '0803120', reportsAmounts: true },
];

/** It has no inquiry, and pays every request. */
const ZAMTEL: Way = {
  emulator: 'zamtel',
  operator: 'zamtel',
  country: 'zm',
  prefix: '095120',
  reportsAmounts: false,
};
const ZAMTEL_ROUTE = 'zamtel-zm';

/** A payout file. Its references follow from its bytes, so a database that forgot it finds them again. */
const FILE_NUMBERS = ['260961300001', '260961300002', '260961300003'];
const FILE = ['phone,amount', ...FILE_NUMBERS.map((phone, n) => `+${phone},${20 + n}`), ''].join(
  '\r\n',
);

type Order = Readonly<{ way: Way; n: number; amount: number }>;

const ORDERS: readonly Order[] = WAYS.flatMap((way) =>
  Array.from({ length: PAYOUTS }, (_, n) => ({ way, n, amount: 10 + n })),
);

/** Sent again with another amount, which is another order under an old reference. */
const CHANGED: readonly Order[] = WAYS.map((way) => ({ way, n: PAYOUTS, amount: 50 }));
const CHECKS_MIN = 3;

const ZAMTEL_ORDERS: readonly Order[] = [0, 1].map((n) => ({ way: ZAMTEL, n, amount: 5 }));
const NEW_ZAMTEL_ORDER: Order = { way: ZAMTEL, n: 2, amount: 5 };

describe('after a restore of an old backup, with operators that remember later payouts', () => {
  let world: LiveWorld;
  let actor: PersonActor;
  before(async () => {
    const operators = [...WAYS, ZAMTEL].map(({ emulator }) => emulator);
    world = await openLiveWorld({ operators, timeScale: TIME_SCALE, keepsBackup: true });
    const all = [...ORDERS, ...CHANGED, ...ZAMTEL_ORDERS];
    await Promise.all([...all.map(pay), payFile()]);
    await pollUntil('all are paid', () => areAll(all, ['succeeded']), SETTLE_TIMEOUT_MS);
    await world.restore(holdZamtel);
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

  /** Uploads and submits the file, and waits until its rows are paid. */
  async function payFile(): Promise<void> {
    const path = `payout-files?name=salaries.csv&walletId=${world.merchant.wallets.live.ZMW}`;
    const headers = { 'content-type': 'text/csv' };
    const { text, data } = await world.api().send({ method: 'POST', path, headers, body: FILE });
    assert.ok(typeof data.id === 'string', text);
    const { id } = data;
    const find = async (): Promise<string> => (await world.api().get(`payout-files/${id}`)).text;
    await pollUntil('it is checked', async () => /"state":"draft"/.test(await find()));
    const submitted = await world.api().post(`payout-files/${id}/submit`, {});
    assert.equal(submitted.status, 200, submitted.text);
    const count = FILE_NUMBERS.length;
    const isPaid = async () => new RegExp(`"succeeded":${count}\\b`).test(await find());
    await pollUntil('its rows are paid', isPaid, SETTLE_TIMEOUT_MS);
  }

  /** The numbers that an operator paid, without those of the file. */
  async function numbersPaid(emulator: OperatorName): Promise<readonly string[]> {
    const numbers = (await world.book(emulator)).map(({ msisdn }) => msisdn);
    return numbers.filter((number) => !FILE_NUMBERS.includes(number));
  }

  /** As the runbook says: before the service starts. */
  async function holdZamtel(database: Database): Promise<void> {
    const deps = { ...DEPS, directory: database };
    const { id, name } = await addAdministrator(deps, { actor: TEST_ACTOR, name: 'Chanda' });
    actor = { kind: 'person', id, name };
    const routes = [ZAMTEL_ROUTE];
    await stopRoutes(deps, { actor, routes, effect: 'held', reason: 'restored' });
  }

  async function stateOf({ way, n }: Order): Promise<string> {
    const { data } = await world.api().get(`transfers/status/${referenceOf(way, n)}`);
    return readTransfer(data).state;
  }

  /** Until they have ended, or had so many inquiries that one more answer changes nothing. */
  async function waitUntilAsked(orders: readonly Order[]): Promise<void> {
    const references = orders.map(({ way, n }) => referenceOf(way, n));
    const text = `
      select count(*)::integer as open from transfers
      where reference = any ($1) and completed_at is null and checks < $2`;
    await pollUntil('inquiries about all', async () => {
      const values = [references, CHECKS_MIN];
      const [row] = await world.database.query<{ open: number }>({ name: '', text }, values);
      return row?.open === 0;
    });
  }

  async function areAll(orders: readonly Order[], states: readonly string[]): Promise<boolean> {
    const found = await Promise.all(orders.map(stateOf));
    return found.every((state) => states.includes(state));
  }

  it('pays nothing twice if everything is sent again, and confirms what can be confirmed', async () => {
    await Promise.all(ORDERS.map(pay));
    const confirmed = ORDERS.filter(({ way }) => way.reportsAmounts);
    const unconfirmed = ORDERS.filter(({ way }) => !way.reportsAmounts);
    await pollUntil('all are paid', () => areAll(confirmed, ['succeeded']), SETTLE_TIMEOUT_MS);
    await waitUntilAsked(unconfirmed);
    assert.ok(await areAll(unconfirmed, ['in_doubt']), 'another amount may have been paid');
    for (const { emulator } of WAYS) {
      const numbers = await numbersPaid(emulator);
      assert.equal(numbers.length, PAYOUTS + 1, `${emulator} paid a number twice`);
      assert.equal(new Set(numbers).size, PAYOUTS + 1, emulator);
    }
  });

  it('pays the rows of a forgotten file once when it is uploaded again', async () => {
    await payFile();
    const paid = (await world.book('mtn')).map(({ msisdn }) => msisdn);
    assert.deepEqual(paid.filter((number) => FILE_NUMBERS.includes(number)).sort(), FILE_NUMBERS);
  });

  it('does not mistake an old order for a new one with another amount', async () => {
    await Promise.all(CHANGED.map((order) => pay({ ...order, amount: order.amount + 1 })));
    await waitUntilAsked(CHANGED);
    for (const order of CHANGED) {
      assert.equal(await stateOf(order), 'in_doubt', order.way.emulator);
    }
    for (const { emulator } of WAYS) {
      assert.equal((await numbersPaid(emulator)).length, PAYOUTS + 1, emulator);
    }
  });

  it('holds a route that would pay twice until a person releases it', async () => {
    const again = await Promise.all([...ZAMTEL_ORDERS, NEW_ZAMTEL_ORDER].map(pay));
    assert.deepEqual(
      again.map(({ state }) => state),
      ['queued', 'queued', 'queued'],
    );
    assert.equal((await world.book('zamtel')).length, ZAMTEL_ORDERS.length);
    // The statement shows these two as paid; the third is new.
    for (const { id } of again.slice(0, ZAMTEL_ORDERS.length)) {
      const { status } = await world.api().post(`transfers/${id}/cancel`, {});
      assert.equal(status, 200);
    }
    const deps = { ...DEPS, directory: world.database };
    const routes = [ZAMTEL_ROUTE];
    await startRoutes(deps, { actor, routes, effect: 'held', reason: 'compared' });
    await pollUntil('the new one', () => areAll([NEW_ZAMTEL_ORDER], ['succeeded']));
    assert.equal((await world.book('zamtel')).length, ZAMTEL_ORDERS.length + 1);
  });
});

const DEPS = { now: () => new Date(), newId: newTestId, randomBytes };

function referenceOf({ emulator }: Way, n: number): string {
  return `${emulator}-${n}`;
}
