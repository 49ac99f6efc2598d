import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { readTransfer } from '../contract/api-client.ts';
import { pollUntil } from '../poll.ts';
import { type LiveWorld, openLiveWorld } from './live-world.ts';

const ASKED_TIMEOUT_MS = 60_000;

let world: LiveWorld;
before(async () => {
  world = await openLiveWorld({ operators: ['airtel'], timeScale: 0.01 });
});
after(() => world.close());

it('does not accept a success after a restart, if an amount was contradicted before', async () => {
  await world.setRules('airtel', [{ match: {}, preset: 'wrong-amount' }]);
  const answer = await world.api().post('transfers/mobile-money', {
    amount: 25.71,
    reference: 'restarted',
    phone: '0971271001',
    operator: 'airtel',
    country: 'zm',
    walletId: world.merchant.wallets.live.ZMW,
  });
  assert.equal(answer.status, 201);
  const { id } = readTransfer(answer.data);
  const read = async () => readTransfer((await world.api().get(`transfers/${id}`)).data);
  await pollUntil('doubt', async () => (await read()).state === 'in_doubt');
  await world.service().end('SIGKILL');
  await world.restartService();
  const before = await inquiries();
  // Airtel's answer to an inquiry is TS without an amount, so without the stored contradiction the second one would be
  // accepted.
  await pollUntil('inquiries', async () => (await inquiries()) >= before + 2, ASKED_TIMEOUT_MS);
  assert.equal((await read()).state, 'in_doubt');

  async function inquiries(): Promise<number> {
    const [row] = await world.database.query<{ count: number }>(
      {
        name: '',
        text: `select count(*)::integer as count from attempts
               where transfer_id = $1 and purpose = 'inquire'`,
      },
      [id],
    );
    return row?.count ?? 0;
  }
});
