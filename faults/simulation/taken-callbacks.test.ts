import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import * as fc from 'fast-check';
import { giveBack } from '../../service/src/transfers/callbacks/take-as-answer.ts';
import { LEASE_MS } from '../../service/src/transfers/move/lease.ts';
import {
  CALLED_ROUTE,
  openCallbackWorld,
  ROUTE_BESIDE,
} from '../../service/test/callback-world.ts';
import { createDatabaseModel } from './database-model.ts';
import type { Transfer } from './service-core.ts';

const RUNS = 150;
const world = openCallbackWorld();

/** Mostly as it must be, so that single differences are drawn often. */
const usually = <T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(usual) },
    ...others.map((other) => fc.constant(other)),
  );

const CASE = fc.record({
  state: usually<Transfer['state']>('submitted', 'in_doubt', 'submitting', 'queued'),
  isLeased: usually(false, true),
  contradictions: usually<Transfer['contradictions']>([], ['amount']),
  unconfirmedSuccesses: usually(0, 1),
  resubmissions: usually(0, 1),
  claims: fc.constantFrom('paid' as const, 'failed' as const, 'pending' as const),
  verified: usually(true, false),
  differsMinor: usually(0n, 1n),
  route: usually(CALLED_ROUTE, ROUTE_BESIDE),
});

/** The same transfer in the model; nothing but these columns matters. */
function createModel(transfer: Transfer, leaseOwner: string | null) {
  const model = createDatabaseModel({
    nowMs: () => 0,
    faults: {},
    onDue: () => undefined,
    note: () => undefined,
    toMs: (date) => date.getTime(),
    controls: null,
  });
  const { walletId: id, bookId, amountMinor, feeMinor } = transfer;
  model.ledger.open({ id, bookId, fundedMinor: amountMinor + feeMinor });
  const stored = { transfer, idempotencyKey: null, actor: 'test', nextActionInMs: 0 };
  model.store({ ...stored, expiresAfterMs: null, controlsVersion: null, screens: [] }, 'another');
  const row = model.find(transfer.id);
  assert.ok(row !== undefined);
  row.leaseOwner = leaseOwner;
  return { model, row };
}

async function leaseOf({ id }: Transfer): Promise<string | null> {
  const [row] = await world.ask<{ lease_owner: string | null }>(
    'select lease_owner from transfers where id = $1',
    [id],
  );
  return row?.lease_owner ?? null;
}

it('the model takes the same callbacks as the statement, and gives them back like it', async () => {
  const { take, leaseOwner } = world.openProcess();
  let takenCount = 0;
  await fc.assert(
    fc.asyncProperty(CASE, async (drawn) => {
      const { state, claims, verified, route } = drawn;
      const sent = await world.storeSent(state);
      const other = drawn.isLeased ? randomUUID() : null;
      await world.change(
        sent,
        `lease_owner = ${other === null ? 'null' : `'${other}'`},
         contradictions = '{${drawn.contradictions.join()}}', resubmissions = ${drawn.resubmissions},
         unconfirmed_successes = ${drawn.unconfirmedSuccesses}`,
      );
      const transfer = await world.read(sent);
      const { currency, phone, operatorReference: reference } = transfer;
      const amountMinor = transfer.amountMinor + drawn.differsMinor;
      const reported = { amountMinor, currency, phone };
      await world.call(transfer, { claims, verified, route, reported });
      const { taken } = await take();
      const { model, row } = createModel(transfer, other);
      const callback = { route, reference, claims, verified, amountMinor };
      const simulated = model.take(callback, { leaseOwner, leaseMs: LEASE_MS });
      assert.equal(
        simulated?.transfer.id,
        taken.find((one) => one.transfer.id === sent.id)?.transfer.id,
      );
      assert.equal(row.leaseOwner, await leaseOf(transfer));
      takenCount += taken.length;
      for (const owner of [randomUUID(), leaseOwner]) {
        await giveBack(world.database, { id: randomUUID(), transfer, leaseOwner: owner });
        model.giveBack(transfer.id, owner);
        assert.equal(row.leaseOwner, await leaseOf(transfer));
      }
      await world.ask(HANDLE_ALL);
    }),
    { numRuns: RUNS },
  );
  assert.ok(takenCount > RUNS / 10, `only ${takenCount} were taken`);
});

const HANDLE_ALL = `
  update callbacks set handled_at = now(), handled_as = 'TEST' where handled_at is null`;
