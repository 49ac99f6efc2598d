import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { CallCount } from '../../../emulators/kernel/call-limiter.ts';
import type { PresetName } from '../../../emulators/kernel/presets.ts';
import { readTransfer, type Transfer } from '../contract/api-client.ts';
import { pollUntil } from '../poll.ts';
import { type Connection, connectorConformance } from './connector-conformance.ts';
import { type LiveWorld, openLiveWorld } from './live-world.ts';

const SIGNED = { operators: ['pawapay'], settings: { signedCallbacksAreFinal: true } } as const;
const TIMEOUT_MS = 60_000;

const PAWAPAY: Connection = {
  emulator: 'pawapay',
  operator: 'mtn',
  country: 'ng',
  prefix: '080312',
  inquires: true,
  tellsPending: true,
  resolvesNames: false,
  reportsBalance: true,
  reportsAmounts: true,
  notFoundIsFinal: true,
  smallestAmount: '1',
  renewsTokens: false,
  signedCallbacksAreFinal: true,
};

describe('conformance with signed callbacks that are final', () => {
  let world: LiveWorld;
  before(async () => {
    world = await openLiveWorld({ ...SIGNED, timeScale: 0.01 });
  });
  after(() => world.close());

  connectorConformance(() => world, PAWAPAY);
});

describe('a signed callback that is final', () => {
  let world: LiveWorld;
  let paid = 0;
  before(async () => {
    // The first inquiry follows after 5 s, and payouts end after one.
    world = await openLiveWorld({ ...SIGNED, timeScale: 1 });
  });
  after(() => world.close());

  async function pay(preset: PresetName, operator: 'mtn' | 'airtel' = 'mtn'): Promise<string> {
    await world.setRules('pawapay', [{ match: {}, preset }]);
    paid += 1;
    const answer = await world.api().post('transfers/mobile-money', {
      amount: 12.34,
      reference: `signed-${paid}`,
      phone: `${operator === 'mtn' ? '080312' : '080212'}7000${paid}`,
      operator,
      country: 'ng',
      walletId: world.merchant.wallets.live.NGN,
    });
    assert.equal(answer.status, 201, JSON.stringify(answer));
    return readTransfer(answer.data).id;
  }

  const read = async (id: string): Promise<Transfer> =>
    readTransfer((await world.api().get(`transfers/${id}`)).data);

  const reaches = (id: string, state: string) =>
    pollUntil(state, async () => (await read(id)).state === state, TIMEOUT_MS);

  const attemptsOf = (id: string) =>
    world.database.query<{ purpose: string; outcome: string }>(
      {
        name: '',
        text: 'select purpose, outcome from attempts where transfer_id = $1 order by ended_at',
      },
      [id],
    );

  async function callbacksOf(id: string): Promise<readonly unknown[]> {
    const text = `
      select c.reading, c.claims, c.handled_as as "handledAs"
      from transfers t join callbacks c on c.operator_reference = t.operator_reference
      where t.id = $1 order by c.received_at`;
    return world.database.query({ name: '', text }, [id]);
  }

  async function inquiries(): Promise<number> {
    const { inquiry } = (await world.control('pawapay', 'GET calls')) as {
      inquiry: CallCount;
    };
    return inquiry.calls;
  }

  it('ends a payout as paid without any inquiry', async () => {
    const before = await inquiries();
    const id = await pay('ok');
    await reaches(id, 'succeeded');
    assert.deepEqual(await attemptsOf(id), [
      { purpose: 'submit', outcome: 'pending' },
      { purpose: 'callback', outcome: 'paid' },
    ]);
    assert.equal(await inquiries(), before);
    const { operatorTransactionId } = await read(id);
    assert.notEqual(operatorTransactionId, null);
    assert.equal((await world.book('pawapay')).length, 1);
  });

  it('ends a payout as failed without any inquiry', async () => {
    const before = await inquiries();
    const id = await pay('pending-then-failed');
    // An inquiry would be due by then.
    await world.control('pawapay', 'PUT throttle', { on: 'inquiry', status: 503 });
    await reaches(id, 'failed');
    await world.control('pawapay', 'PUT throttle', null);
    const last = (await attemptsOf(id)).at(-1);
    assert.deepEqual(last, { purpose: 'callback', outcome: 'rejected' });
    const refused = (await attemptsOf(id)).filter(({ outcome }) => outcome === 'unanswered');
    assert.equal(await inquiries(), before + refused.length);
  });

  it('with another amount ends nothing', async () => {
    const id = await pay('wrong-amount');
    await reaches(id, 'in_doubt');
    const [callback] = await callbacksOf(id);
    assert.deepEqual(callback, { reading: 'read', claims: 'paid', handledAs: 'INQUIRED' });
    assert.ok((await attemptsOf(id)).every(({ purpose }) => purpose !== 'callback'));
  });

  it('ends nothing if its signature is forged', async () => {
    const id = await pay('callback-forged');
    await reaches(id, 'succeeded');
    assert.deepEqual(await attemptsOf(id), [
      { purpose: 'submit', outcome: 'pending' },
      { purpose: 'callback', outcome: 'paid' },
    ]);
    const text = `select handled_as as "handledAs", verified from callbacks where reading = 'forged'`;
    const forged = await world.database.query({ name: '', text });
    assert.ok(forged.length >= 1);
    for (const one of forged) assert.deepEqual(one, { handledAs: 'forged', verified: false });
  });

  it('about a payout of another route of the account leads to an inquiry', async () => {
    const id = await pay('ok', 'airtel');
    await reaches(id, 'succeeded');
    assert.deepEqual(await attemptsOf(id), [
      { purpose: 'submit', outcome: 'pending' },
      { purpose: 'inquire', outcome: 'paid' },
    ]);
  });
});
