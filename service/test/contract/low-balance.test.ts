import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import { setLowBalance } from '../../src/merchants/set-low-balance.ts';
import { TEST_ACTOR } from '../test-actor.ts';
import { type Contract, openContract, poll } from './open-contract.ts';

let contract: Contract;
before(async () => {
  contract = await openContract();
});
after(() => contract.close());

type FeedEvent = { id: string; type: string; data: { id: string; available?: string } };

async function lowBalances(): Promise<FeedEvent[]> {
  const { baseUrl } = contract.service;
  const response = await fetch(`${baseUrl}/api/v1/payments/events?type=wallet.low_balance`, {
    headers: { 'x-api-key': contract.merchant.keys.test },
  });
  const body = (await response.json()) as { data: { items: FeedEvent[] } };
  return body.data.items;
}

it('sends one event when a wallet falls below its threshold, and none while it stays there', async () => {
  const walletId = await contract.merchant.createWallet({ fundedMinor: 10_000n });
  const deps = { database: contract.database, now: () => new Date(), newId: randomUUID };
  await setLowBalance(deps, { actor: TEST_ACTOR, id: walletId, lowBalanceMinor: 5_000n });
  for (const amount of [40, 15, 1, 1]) await contract.initiate({ walletId, amount });
  // The feed shows an event once all transactions that began before it have ended.
  const reported = await poll(lowBalances, (events) => events.length > 0);
  assert.deepEqual(
    reported.map(({ type, data }) => ({ type, id: data.id, available: data.available })),
    [{ type: 'wallet.low_balance', id: walletId, available: '45.00' }],
  );
});
