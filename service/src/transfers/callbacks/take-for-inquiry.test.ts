import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { callbackAbout, type Given, openCallbackWorld } from '../../../test/callback-world.ts';
import { scriptRoutes } from '../../../test/fake-route.ts';
import type { Transfer } from '../../domain/transfer.ts';
import { LEASE_MS } from '../move/lease.ts';
import { storeAndTake } from './store-callbacks.ts';
import { inquiriesFree } from './take-for-inquiry.ts';

const ROUTE = 'pawapay-mtn-zm';
const leaseOwner = randomUUID();

const world = openCallbackWorld();
const { storeSent, change, read, handledAs, ask } = world;

type Call = Readonly<{ transfer: Transfer; given?: Given }>;

/** Stores callbacks by one statement; returns them with what was taken for an inquiry. */
async function callAll(calls: readonly Call[], free = 100) {
  const group = calls.map(({ transfer, given = {} }) =>
    callbackAbout(transfer, { route: ROUTE, ...given }),
  );
  const inquirer = { leaseOwner, inquiriesFree: new Map([[ROUTE, free]]) };
  const stored = await storeAndTake(world.database, group, inquirer);
  return stored.map((one, index) => ({ ...one, id: group[index]?.id ?? '' }));
}

const call = async (transfer: Transfer, given: Given = {}) => {
  const [stored] = await callAll([{ transfer, given }]);
  assert.ok(stored?.isStored);
  return stored;
};

async function assertTaken(transfer: Transfer, stored: Awaited<ReturnType<typeof call>>) {
  assert.equal(stored.toInquire?.id, transfer.id);
  assert.equal(await handledAs(stored.id), 'INQUIRED');
  const { state, eventSeq, nextActionAt } = await read(transfer);
  assert.deepEqual([state, eventSeq], [transfer.state, transfer.eventSeq], 'nothing has moved');
  const leftMs = (nextActionAt?.getTime() ?? 0) - Date.now();
  assert.ok(leftMs > LEASE_MS / 2 && leftMs <= LEASE_MS, `${leftMs} ms of the lease`);
  const [row] = await ask<{ lease_owner: string }>(
    'select lease_owner from transfers where id = $1',
    [transfer.id],
  );
  assert.equal(row?.lease_owner, leaseOwner);
}

async function assertLeft(transfer: Transfer, stored: Awaited<ReturnType<typeof call>>) {
  assert.equal(stored.toInquire, undefined);
  assert.equal(await handledAs(stored.id), null);
  const now = await read(transfer);
  assert.deepEqual(now.nextActionAt, transfer.nextActionAt);
}

describe('a callback about a transfer that was sent', () => {
  for (const state of ['submitted', 'in_doubt'] as const) {
    it(`takes its lease for an inquiry when it is stored: ${state}`, async () => {
      const transfer = await storeSent(state);
      const stored = await call(transfer);
      await assertTaken(transfer, stored);
      const { nextActionAt: _, ...left } = await read(transfer);
      const { nextActionAt: __, ...taken } = stored.toInquire ?? transfer;
      // Ages grow between the two.
      const ages = { doubtMs: 0, sinceDoubtMs: 0, sincePendingMs: 0, sinceSubmissionMs: 0 };
      assert.deepEqual({ ...taken, ...ages }, { ...left, ...ages });
    });
  }

  it('does so whatever it claims, and with nothing reported', async () => {
    for (const given of [
      { claims: 'failed', reported: { amountMinor: 1n, currency: 'EUR', phone: '+260' } },
      { claims: 'pending' },
      { reported: null },
    ] satisfies Given[]) {
      const transfer = await storeSent();
      await assertTaken(transfer, await call(transfer, given));
    }
  });

  it('is left to the next round where it contradicts what was sent', async () => {
    const [amountMinor, currency, phone] = [1n, 'EUR', '+260966000000'];
    for (const otherwise of [{ amountMinor }, { currency }, { phone }]) {
      const transfer = await storeSent();
      const { amountMinor: sentMinor, currency: sentIn, phone: sentTo } = transfer;
      const sent = { amountMinor: sentMinor, currency: sentIn, phone: sentTo };
      await assertLeft(transfer, await call(transfer, { reported: { ...sent, ...otherwise } }));
    }
  });

  it('is left while another works on it, before it was sent and after it has ended', async () => {
    for (const assignments of [
      'lease_owner = gen_random_uuid()',
      "state = 'submitting'",
      "state = 'queued'",
      "state = 'succeeded', completed_at = now()",
    ]) {
      const sent = await storeSent();
      await change(sent, assignments);
      const transfer = await read(sent);
      await assertLeft(transfer, await call(transfer));
    }
  });

  it('is left when it came by another route, or cannot be read', async () => {
    const transfer = await storeSent();
    await assertLeft(transfer, await call(transfer, { route: 'pawapay-airtel-zm' }));
    await assertLeft(transfer, await call(transfer, { reading: 'unreadable', cause: 'not JSON' }));
    await change(transfer, "route = 'pawapay-airtel-zm'");
    await assertLeft(transfer, await call(transfer));
  });

  it('is left while its row is locked, and does not wait for it', async () => {
    const transfer = await storeSent();
    const stored = await world.database.transaction(async (tx) => {
      const lock = { name: '', text: 'select 1 from transfers where id = $1 for update' };
      await tx.query(lock, [transfer.id]);
      return call(transfer);
    });
    await assertLeft(transfer, stored);
  });

  it('is left while its merchant moves to another cell', async () => {
    const transfer = await storeSent();
    const text = `
      update merchants m set state = $2 from books b
      where b.merchant_id = m.id and b.id = $1`;
    await ask(text, [transfer.bookId, 'closing']);
    const stored = await call(transfer);
    await ask(text, [transfer.bookId, 'open']);
    await assertLeft(transfer, stored);
  });

  it('is stored all the same when its merchant refuses the lease at the last moment', async () => {
    const transfer = await storeSent();
    await ask(`
      create function refuse_lease() returns trigger language plpgsql as
        $$ begin raise exception 'closed' using errcode = 'KF001'; end $$`);
    await ask(`
      create trigger refuse_lease before update of lease_owner on transfers
        for each row execute function refuse_lease()`);
    const stored = await call(transfer);
    await ask('drop function refuse_lease cascade');
    await assertLeft(transfer, stored);
  });

  it('is left beside and after one that contradicts what was sent, until that is kept', async () => {
    const reported = { amountMinor: 1n, currency: 'ZMW', phone: '+260966000000' } as const;
    const [beside, later] = [await storeSent(), await storeSent()];
    const calls = [{ transfer: beside }, { transfer: beside, given: { reported } }];
    for (const group of [calls, calls.toReversed()]) {
      for (const stored of await callAll(group)) await assertLeft(beside, stored);
    }
    await assertLeft(later, await call(later, { reported }));
    await assertLeft(later, await call(later));
    await ask("update callbacks set handled_at = now(), handled_as = 'TEST'");
    await assertTaken(later, await call(later));
  });

  it('is taken only as long as an inquiry may begin', async () => {
    const [one, two] = [await storeSent(), await storeSent()];
    const stored = await callAll([{ transfer: one }, { transfer: two }], 1);
    assert.deepEqual(
      stored.map(({ isStored, toInquire }) => [isStored, toInquire?.id]),
      [
        [true, one.id],
        [true, undefined],
      ],
    );
  });
});

describe('the routes on which callbacks lead to inquiries at once', () => {
  it('are those that are inquired of, have room, and whose callbacks are no answers', () => {
    const { routes, limiter } = scriptRoutes([
      { name: 'full', slotsMax: 1 },
      { name: 'open' },
      { name: 'final', abilities: { signedCallbacksAreFinal: true } },
      { name: 'never', abilities: { inquires: false } },
    ]);
    limiter.takeInquiry();
    assert.deepEqual([...inquiriesFree(routes).keys()], ['open']);
  });
});
