import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { scriptRoute } from '../../test/fake-route.ts';
import { pollUntil } from '../../test/poll.ts';
import { NOT_PAID, openResolutionWorld, refusal } from '../../test/resolution-world.ts';
import {
  DOUBT_FEE_MINOR,
  FUNDED_MINOR,
  newTestId,
  readBalance,
  storeDoubt,
} from '../../test/stored-doubt.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import { type Outcome, REPORTED_FIELDS } from '../domain/outcome.ts';
import type { Transfer } from '../domain/transfer.ts';
import { verifyLedger } from '../ledger/verify-ledger.ts';
import { isFaultOfOneCommand } from '../postgres/bad-command.ts';
import { createCommitQueue } from '../postgres/commit-queue.ts';
import { type Move, moveTransfers } from '../transfers/move/move-transfers.ts';
import { recordOutcome } from '../transfers/move/record-outcome.ts';
import { findAnyTransfer } from '../transfers/read/find-any-transfer.ts';
import { type PeopleDeps, resolveByPeople } from './resolve-by-people.ts';

const HOUR_MS = 3_600_000;
const HELD_MINOR = 100n + DOUBT_FEE_MINOR;

const world = openResolutionWorld();
const { depsAt, say, endsOf, stateOf } = world;

describe('who comes at the same moment', () => {
  it('proposes or confirms, and one transfer ends once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const doubt = await storeDoubt(world.database);
      const said = await Promise.allSettled([
        say('Chanda', doubt.id, NOT_PAID),
        say('Mutinta', doubt.id, NOT_PAID),
        say('Bwalya', doubt.id, NOT_PAID),
      ]);
      const kinds = said.map((one) => (one.status === 'fulfilled' ? one.value.kind : 'refused'));
      assert.equal(kinds.filter((kind) => kind === 'proposed').length, 1, kinds.join());
      assert.ok(kinds.filter((kind) => kind === 'carriedOut').length <= 1, kinds.join());
    }
    assert.equal((await verifyLedger(world.database)).ok, true);
  });

  it('proposes nothing for a transfer that two others have decided meanwhile', async () => {
    const doubt = await storeDoubt(world.database);
    let late: Promise<string> | undefined;
    await world.database.transaction(async (tx) => {
      const inThisTransaction: PeopleDeps['database'] = {
        ...world.database,
        transaction: (work) => work(tx),
      };
      const deps = { ...depsAt(new Date()), database: inThisTransaction };
      const request = { id: doubt.id, resolution: NOT_PAID };
      await resolveByPeople(deps, { ...request, actor: world.people.Chanda });
      // Sees no proposal, since none is committed, and waits for this one's end with one of its own.
      late = refusal(say('Bwalya', doubt.id, NOT_PAID));
      await waitForLock();
      const confirmed = await resolveByPeople(deps, { ...request, actor: world.people.Mutinta });
      assert.equal(confirmed.kind, 'carriedOut');
    });
    assert.match((await late) ?? '', /it is failed now/);
    assert.deepEqual(await endsOf(doubt), ['carried_out']);
  });

  it('to confirm finds it carried out once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const doubt = await storeDoubt(world.database);
      await say('Chanda', doubt.id, NOT_PAID);
      const said = await Promise.allSettled([
        say('Mutinta', doubt.id, NOT_PAID),
        say('Bwalya', doubt.id, NOT_PAID),
      ]);
      const done = said.filter((one) => one.status === 'fulfilled');
      assert.equal(done.length, 1);
      const refused = said.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      assert.ok(refused.every((reason) => reason instanceof AdminRefused));
      assert.deepEqual(await readBalance(world.database, doubt), {
        availableMinor: FUNDED_MINOR,
        heldMinor: 0n,
      });
    }
    assert.equal((await verifyLedger(world.database)).ok, true);
  });

  it('as the answer of the operator: one of both counts, and a contradiction is told', async () => {
    for (let round = 0; round < 20; round += 1) {
      const doubt = await storeDoubt(world.database);
      await say('Chanda', doubt.id, NOT_PAID);
      const paid: Outcome = {
        kind: 'paid',
        operatorTransactionId: 'R1',
        confirmed: REPORTED_FIELDS,
      };
      const [people, operator] = await Promise.allSettled([
        say('Mutinta', doubt.id, NOT_PAID),
        answer(doubt, paid),
      ]);
      assert.equal(operator.status, 'fulfilled');
      const state = await stateOf(doubt);
      const recorded = operator.status === 'fulfilled' ? operator.value.kind : '';
      assert.equal(people.status, state === 'failed' ? 'fulfilled' : 'rejected');
      assert.equal(recorded, state === 'failed' ? 'contradicted' : 'recorded');
      assert.deepEqual(await endsOf(doubt), [state === 'failed' ? 'carried_out' : 'superseded']);
      const available = state === 'failed' ? FUNDED_MINOR : FUNDED_MINOR - HELD_MINOR;
      const balance = await readBalance(world.database, doubt);
      assert.deepEqual(balance, { availableMinor: available, heldMinor: 0n });
    }
    assert.equal((await verifyLedger(world.database)).ok, true);
  });

  it('with the move itself: people are refused when the row moved after they had read it', async () => {
    const doubt = await storeDoubt(world.database);
    await say('Chanda', doubt.id, NOT_PAID);
    // The operator's answer is in the database but not yet committed: people read the old state, then
    // wait for the row and find it moved.
    let confirmed: Promise<string> | undefined;
    await world.database.transaction(async (tx) => {
      const move = {
        transfer: doubt,
        step: PAID_STEP,
        actor: 'dispatcher',
        needsLease: false,
        leaseFor: null,
      };
      const group = { moves: [move], mover: randomUUID(), at: new Date() };
      assert.deepEqual(await moveTransfers(tx, group), [true]);
      confirmed = refusal(say('Mutinta', doubt.id, NOT_PAID));
      await waitForLock();
    });
    assert.match((await confirmed) ?? '', /it is succeeded now/);
    assert.deepEqual(await endsOf(doubt), ['superseded']);
    assert.equal((await verifyLedger(world.database)).ok, true);
  });
});

it('people are refused when the same order is recorded to be sent again after they had read it', async () => {
  const doubt = await storeDoubt(world.database);
  const mover = randomUUID();
  const text = `
    update transfers
    set lease_owner = $2, next_action_at = now() + interval '1 hour', throttled = true
    where id = $1`;
  await world.database.query({ name: '', text }, [doubt.id, mover]);
  let confirmed: Promise<string> | undefined;
  await world.database.transaction(async (tx) => {
    const step = { ...PAID_STEP, to: 'in_doubt', nextActionInMs: 30_000 } as const;
    const proof = { answersMin: 1, doubtMinMs: 0 };
    const again = { ...step, notFoundProof: proof, resubmission: { withinMs: HOUR_MS } };
    const move = { transfer: doubt, step: again, actor: 'dispatcher', leaseFor: null };
    const group = { moves: [{ ...move, needsLease: true }], mover, at: new Date() };
    assert.deepEqual(await moveTransfers(tx, group), [true]);
    await say('Chanda', doubt.id, NOT_PAID);
    confirmed = refusal(say('Mutinta', doubt.id, NOT_PAID));
    await waitForLock();
  });
  assert.match((await confirmed) ?? '', /it is in_doubt now/);
  const { transfer } = await findAnyTransfer(world.database, doubt.id);
  assert.deepEqual([transfer.state, transfer.resubmissions], ['in_doubt', 1]);
});

const PAID_STEP = {
  to: 'succeeded',
  cause: 'the operator paid',
  failure: null,
  operatorTransactionId: null,
  nextActionInMs: null,
  checks: 0,
  notFoundAnswers: 0,
  needsPerson: false,
} as const;

async function waitForLock(): Promise<void> {
  const text = `
    select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  const isWaiting = async () => (await world.database.query({ name: '', text })).length > 0;
  await pollUntil('another transaction waits for the row', isWaiting);
}

async function answer(transfer: Transfer, outcome: Outcome) {
  const [route] = scriptRoute({}).routes.all();
  assert.ok(route !== undefined);
  const { database } = world;
  const moves = createCommitQueue<Move, boolean>({
    ownerOf: () => '',
    concurrency: 1,
    groupMax: 10,
    waitingMax: 10,
    commit: (group) =>
      moveTransfers(database, { moves: group, mover: randomUUID(), at: new Date() }),
    mayBeOneCommandsFault: isFaultOfOneCommand,
    monotonicMs: () => performance.now(),
  });
  const deps = { database, moves, now: () => new Date(), newId: newTestId };
  const reply = { outcome, wire: null };
  return recordOutcome(deps, {
    transfer,
    route,
    purpose: 'inquire',
    reply,
    account: null,
    attemptId: newTestId(),
  });
}
