import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import {
  assertRefused,
  type Fields,
  listOf,
  readTransfer,
  type Transfer,
  textOf,
} from './api-client.ts';
import { openContract, poll } from './open-contract.ts';

const SANDBOX_DELAY_MS = 50;
const contract = await openContract({ SANDBOX_DELAY_MS: String(SANDBOX_DELAY_MS) });
after(() => contract.close());
const { api, merchant } = contract;

const GRAPH: Readonly<Record<string, readonly string[]>> = {
  queued: ['submitting', 'cancelled'],
  submitting: ['submitted', 'succeeded', 'failed', 'in_doubt', 'queued'],
  submitted: ['succeeded', 'failed', 'in_doubt'],
  in_doubt: ['submitted', 'succeeded', 'failed'],
  succeeded: ['reversed'],
};

async function history(id: string): Promise<readonly Fields[]> {
  const { status, data, text } = await api.get(`transfers/${id}/history`);
  assert.equal(status, 200, text);
  return listOf(data.items);
}

/** Checks that each state follows from the one before by the published graph, with when, why and by whom. */
async function assertPath(transfer: Transfer): Promise<readonly string[]> {
  const steps = await history(transfer.id);
  const states = steps.map(({ state }) => String(state));
  const path = states.join(' → ');
  assert.ok(['queued', 'submitting'].includes(states[0] ?? ''), path);
  for (const [index, step] of steps.entries()) {
    const previous = index === 0 ? null : (states[index - 1] ?? '');
    assert.equal(step.from, previous, path);
    assert.equal(step.sequence, index + 1, path);
    if (previous !== null) assert.ok(GRAPH[previous]?.includes(states[index] ?? ''), path);
    assert.ok(Number.isFinite(Date.parse(String(step.at))), path);
    assert.ok(index === 0 || String(step.at) >= String(steps[index - 1]?.at), path);
    assert.ok(textOf(step.cause) !== '' && textOf(step.actor) !== '', path);
  }
  assert.equal(states.at(-1), transfer.state, path);
  return states;
}

type Ending = Readonly<{ state: string; failure?: string; through?: string }>;
const endings: Readonly<Record<string, Ending>> = {
  '571': { state: 'succeeded' },
  '000': { state: 'succeeded' },
  '901': { state: 'failed', failure: 'RECIPIENT_NOT_FOUND' },
  '902': { state: 'failed', failure: 'RECIPIENT_LIMIT_REACHED' },
  '903': { state: 'failed', failure: 'OPERATOR_REJECTED' },
  '911': { state: 'succeeded', through: 'in_doubt' },
  '912': { state: 'failed', through: 'in_doubt' },
  '913': { state: 'in_doubt' },
  '921': { state: 'reversed', through: 'succeeded' },
  '931': { state: 'succeeded' },
  '941': { state: 'succeeded', through: 'queued' },
  '951': { state: 'succeeded' },
};

for (const [digits, { state, failure, through }] of Object.entries(endings)) {
  const way = through === undefined ? '' : ` through ${through}`;
  it(`brings a number that ends in ${digits} to ${state}${way}`, async () => {
    const { id } = await contract.initiate({ phone: `0977433${digits}` });
    const transfer = await contract.transferOnce(id, (shown) => shown.state === state);
    const states = await assertPath(transfer);
    if (through !== undefined) assert.ok(states.includes(through), states.join(' → '));
    if (failure !== undefined) assert.equal(transfer.failure?.code, failure);
    if (transfer.failure !== null) assert.notEqual(transfer.failure.message, '');
    if (state === 'succeeded') assert.ok((transfer.operatorTransactionId ?? '') !== '');
  });
}

it('reads the last three digits in Nigeria and at every operator too', async () => {
  for (const operator of ['airtel', 'mtn', 'zamtel', 'vodacom']) {
    const { id } = await contract.initiate({
      phone: '08031234902',
      country: 'ng',
      operator,
      walletId: merchant.wallets.test.NGN,
    });
    const transfer = await contract.transferOnce(id, ({ status }) => status !== 'pending');
    assert.equal(transfer.failure?.code, 'RECIPIENT_LIMIT_REACHED');
  }
});

it('takes ten times as long for a number that ends in 931', async () => {
  const { id } = await contract.initiate({ phone: '0977433931' });
  const done = await contract.transferOnce(id, ({ status }) => status !== 'pending');
  const tookMs = Date.parse(done.completedAt ?? '') - Date.parse(done.createdAt);
  assert.ok(tookMs >= 10 * SANDBOX_DELAY_MS, `${tookMs} ms`);
});

it('shows since when it is in doubt and when the next inquiry is due, and stays pending', async () => {
  const { id } = await contract.initiate({ phone: '0977433913' });
  const isInDoubt = ({ state }: Transfer) => state === 'in_doubt';
  const first = await contract.transferOnce(id, isInDoubt);
  assert.ok(Number.isFinite(Date.parse(first.inDoubtSince ?? '')));
  const asked = await contract.transferOnce(
    id,
    (shown) => isInDoubt(shown) && shown.lastCheckedAt !== null && shown.nextCheckAt !== null,
  );
  assert.equal(asked.inDoubtSince, first.inDoubtSince);
  assert.ok(Date.parse(asked.nextCheckAt ?? '') > Date.parse(asked.inDoubtSince ?? ''));
  await wait(20 * SANDBOX_DELAY_MS);
  const later = await contract.transfer(id);
  assert.deepEqual([later.state, later.status, later.failure], ['in_doubt', 'pending', null]);
});

async function cancel(id: string) {
  return api.post(`transfers/${id}/cancel`, '');
}

it('cancels a queued transfer, releases its hold and never pays it', async () => {
  const walletId = await merchant.createWallet({ fundedMinor: 10_000n });
  const { id } = await contract.initiate({ walletId, phone: '0977433941', amount: 10 });
  // The transfer may be on its way to the operator at this moment, when it cannot be cancelled.
  const answer = await poll(
    () => cancel(id),
    ({ status }) => status !== 409,
  );
  assert.equal(answer.status, 200, answer.text);
  const cancelled = readTransfer(answer.data);
  assert.equal(cancelled.failure?.code, 'CANCELLED');
  const states = await assertPath(cancelled);
  assert.deepEqual(states.slice(-2), ['queued', 'cancelled']);
  assert.equal((await api.get(`wallets/${walletId}`)).data.available, '100.00');
  assert.equal((await api.get(`wallets/${walletId}`)).data.held, '0.00');
  assertRefused(await cancel(id), 409, 'INVALID_STATE');
  await wait(20 * SANDBOX_DELAY_MS);
  assert.deepEqual(await contract.transfer(id), cancelled);
});

it('cancels no transfer that may have reached an operator', async () => {
  const phones = ['0977433571', '0977433902', '0977433913', '0977433931', '0977433921'];
  for (const phone of phones) {
    const { id } = await contract.initiate({ phone });
    assertRefused(await cancel(id), 409, 'INVALID_STATE', phone);
    await contract.transferOnce(id, ({ state }) => !['submitting', 'submitted'].includes(state));
    assertRefused(await cancel(id), 409, 'INVALID_STATE', phone);
    // A cancellation has nothing but the id, so it needs neither a body nor a content type.
    const bare = await api.send({ method: 'POST', path: `transfers/${id}/cancel` });
    assertRefused(bare, 409, 'INVALID_STATE', phone);
    assertRefused(await api.post(`transfers/${id}/cancel`, '{}'), 409, 'INVALID_STATE', phone);
  }
});
