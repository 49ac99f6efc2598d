import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pollUntil } from '../poll.ts';
import { type LiveWorld, openLiveWorld } from './live-world.ts';

const PAYOUTS = 60;
const PAUSE_MS = 40;
/** Sent to the operator that hangs while the others are measured. */
const HANGING = 400;
/** A payout that waits for a hanging operator is late by seconds; two runs on a busy machine differ by less. */
const SLOWER_MAX = 2;
const NOISE_MS = 250;

let world: LiveWorld;
before(async () => {
  world = await openLiveWorld({ operators: ['mtn', 'airtel'], timeScale: 0.05 });
});
after(() => world.close());

it('does not let an operator that hangs slow the others down', async (t) => {
  const quietMs = await measureAirtel();
  await world.control('mtn', 'PUT condition', { kind: 'hang' });
  await Promise.all(Array.from({ length: HANGING }, (_, n) => pay('mtn', `0961${100_000 + n}`)));
  const besideMs = await measureAirtel();
  t.diagnostic(`median ${quietMs.median} ms, beside ${HANGING} that hang ${besideMs.median} ms`);
  t.diagnostic(`p95 ${quietMs.p95} ms, beside ${HANGING} that hang ${besideMs.p95} ms`);
  assert.ok(besideMs.median <= quietMs.median * SLOWER_MAX + NOISE_MS, 'the median rose');
  const { data } = await world.api().get('operators');
  const { items } = data as { items: { operator: string; country: string; health: string }[] };
  const healthOf = (operator: string) =>
    items.find((item) => item.operator === operator && item.country === 'zm')?.health;
  await pollUntil('the breaker', () => healthOf('airtel') === 'up');
  await world.control('mtn', 'PUT condition', { kind: 'clear' });
});

async function measureAirtel() {
  const references: string[] = [];
  for (let n = 0; n < PAYOUTS; n += 1) {
    references.push(await pay('airtel', `0971${100_000 + n}`));
    await pause(PAUSE_MS);
  }
  const read = () =>
    world.database.query<{ elapsed_ms: number }>(
      {
        name: '',
        text: `select extract(epoch from completed_at - created_at)::float8 * 1000 as elapsed_ms
               from transfers where reference = any ($1) and state = 'succeeded'`,
      },
      [references],
    );
  await pollUntil('all are paid', async () => (await read()).length === PAYOUTS, 60_000);
  const sorted = (await read()).map((row) => Math.round(row.elapsed_ms)).sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? 0;
  return { median: at(0.5), p95: at(0.95) };
}

async function pay(operator: 'mtn' | 'airtel', phone: string): Promise<string> {
  const reference = randomUUID();
  const answer = await world.api().post('transfers/mobile-money', {
    amount: 1,
    reference,
    phone,
    operator,
    country: 'zm',
    walletId: world.merchant.wallets.live.ZMW,
  });
  assert.equal(answer.status, 201);
  return reference;
}
