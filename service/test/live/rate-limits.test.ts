import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import { pollUntil } from '../poll.ts';
import { type LiveWorld, openLiveWorld } from './live-world.ts';

const PAYOUTS = 100;
/** Ten submissions and ten inquiries a second, and some payouts need two inquiries. */
const PAID_WITHIN_MS = 90_000;

let world: LiveWorld;
before(async () => {
  // MTN answers 429 to the eleventh status call within any second, as documented.
  world = await openLiveWorld({ operators: ['mtn'], timeScale: 1, callsPerSecond: null });
});
after(() => world.close());

it('pays 100 concurrent transfers within the limits of MTN, without a 429 and without a doubt', async (t) => {
  await Promise.all(Array.from({ length: PAYOUTS }, (_, n) => pay(`0961${200_000 + n}`)));
  const beganMs = performance.now();
  await pollUntil(
    'all are paid',
    async () => (await count(`from transfers where state = 'succeeded'`)) === PAYOUTS,
    PAID_WITHIN_MS,
  );
  t.diagnostic(`paid within ${Math.round(performance.now() - beganMs)} ms`);
  assert.equal(await count('from attempts where http_status = 429'), 0, 'answers of 429');
  assert.equal(await count(`from events where type = 'transfer.in_doubt'`), 0, 'doubts');
  assert.ok((await count(`from attempts where purpose = 'inquire'`)) >= PAYOUTS);
});

async function count(what: string): Promise<number> {
  const text = `select count(*)::int as count ${what}`;
  const [row] = await world.database.query<{ count: number }>({ name: '', text });
  return row?.count ?? -1;
}

async function pay(phone: string): Promise<void> {
  const answer = await world.api().post('transfers/mobile-money', {
    amount: 1,
    reference: randomUUID(),
    phone,
    operator: 'mtn',
    country: 'zm',
    walletId: world.merchant.wallets.live.ZMW,
  });
  assert.equal(answer.status, 201);
}
