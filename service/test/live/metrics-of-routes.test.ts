import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { readTransfer } from '../contract/api-client.ts';
import { findExpositionProblems } from '../exposition-problems.ts';
import { pollUntil } from '../poll.ts';
import { type LiveWorld, openLiveWorld } from './live-world.ts';

/** What was paid is counted again after twenty times as long as the count before took: a second on a busy machine. */
const FLOATS_WITHIN_MS = 60_000;

/** One payout by each connector. */
const PAYOUTS = [
  { phone: '0961234567', operator: 'mtn', country: 'zm' },
  { phone: '0971234567', operator: 'airtel', country: 'zm' },
  { phone: '0971234568', operator: 'vodacom', country: 'zm' },
  { phone: '0951234567', operator: 'zamtel', country: 'zm' },
  { phone: '08031234567', operator: 'mtn', country: 'ng' },
] as const;

describe('the metrics of a service with live routes', () => {
  let world: LiveWorld;
  before(async () => {
    const operators = ['mtn', 'airtel', 'vodacom', 'zamtel', 'pawapay'] as const;
    world = await openLiveWorld({ operators, timeScale: 0.01 });
  });
  after(() => world.close());

  async function readMetrics(): Promise<string> {
    const answer = await fetch(`${world.service().baseUrl}/metrics`);
    assert.equal(answer.status, 200);
    return answer.text();
  }

  async function pay({ country, ...order }: (typeof PAYOUTS)[number]): Promise<void> {
    const { live } = world.merchant.wallets;
    const { data } = await world.api().post('transfers/mobile-money', {
      amount: 12,
      reference: `metrics-${order.operator}-${country}`,
      country,
      ...order,
      walletId: country === 'ng' ? live.NGN : live.ZMW,
    });
    const { id } = readTransfer(data);
    await pollUntil(`${order.operator} ${country} is paid`, async () => {
      const { state } = readTransfer((await world.api().get(`transfers/${id}`)).data);
      return state === 'succeeded';
    });
  }

  it('keep the rules of Prometheus, with figures of every route', async () => {
    await Promise.all(PAYOUTS.map(pay));
    let text = '';
    const hasFigures = (name: string, route: string) =>
      new RegExp(`^${name}\\{route="${route}"[,}]`, 'm').test(text);
    const hasFloats = async () => {
      text = await readMetrics();
      return ['mtn-zm', 'airtel-zm', 'pawapay-mtn-ng'].every(
        (route) =>
          hasFigures('kafue_float', route) && hasFigures('kafue_float_left_seconds', route),
      );
    };
    await pollUntil('the float of every route that reports one', hasFloats, FLOATS_WITHIN_MS);
    assert.deepEqual(findExpositionProblems(text), []);
    for (const { operator, country } of PAYOUTS) {
      const labels = `operator="${operator}",country="${country}",mode="live",outcome="paid"`;
      assert.ok(text.includes(`kafue_outcomes_total{${labels}} `), labels);
    }
    for (const route of ['vodacom-zm', 'zamtel-zm']) {
      assert.ok(hasFigures('kafue_route_open', route), route);
      assert.ok(!hasFigures('kafue_float_age_seconds', route), `${route} reports no balance`);
    }
  });
});
