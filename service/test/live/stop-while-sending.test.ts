import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import { pollUntil } from '../poll.ts';
import { type LiveWorld, openLiveWorld } from './live-world.ts';

/** Longer than a stop waits for an operator that can be asked later, and shorter than a submission may take. */
const ANSWER_DELAY_MS = 5_000;

let world: LiveWorld;
before(async () => {
  world = await openLiveWorld({ operators: ['zamtel'], timeScale: 1 });
});
after(() => world.close());

it('records the answer to a payout that no inquiry could find, when the service stops meanwhile', async () => {
  const phone = '0955123456';
  const behaviour = { answerDelayMs: ANSWER_DELAY_MS };
  await world.setRules('zamtel', [{ match: {}, preset: 'ok', behaviour }]);
  const reference = randomUUID();
  const answer = await world.api().post('transfers/mobile-money', {
    amount: 1,
    reference,
    phone,
    operator: 'zamtel',
    country: 'zm',
    walletId: world.merchant.wallets.live.ZMW,
  });
  assert.equal(answer.status, 201);
  await pollUntil('it is paid', async () => (await world.book('zamtel')).length === 1);
  const beganMs = performance.now();
  assert.equal(await world.service().end('SIGTERM'), 0);
  assert.ok(performance.now() - beganMs < 15_000, 'within the deadline of a stop');
  const text = 'select state from transfers where reference = $1';
  const rows = await world.database.query<{ state: string }>({ name: '', text }, [reference]);
  assert.deepEqual(rows, [{ state: 'succeeded' }]);
});
