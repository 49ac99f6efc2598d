import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { scriptRoute } from '../../test/scripted-route.ts';
import { newTestId, storeDoubt } from '../../test/stored-doubt.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { NOT_FOUND_ANSWERS_MIN } from '../domain/doubt-schedule.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { Transfer } from '../domain/transfer.ts';
import { createGroupCommit } from '../postgres/group-commit.ts';
import { findTransfer } from './find-transfer.ts';
import { type Move, moveTransfers } from './move-transfers.ts';
import { type Recorded, recordOutcome } from './record-outcome.ts';

const ROUTE = 'mtn-zm';
const NOT_FOUND: Outcome = { kind: 'notFound' };
const REJECTED: Outcome = { kind: 'rejected', failure: 'OPERATOR_REJECTED', cause: 'no' };

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

/** A process that holds leases under its own name. */
function openProcess() {
  const leaseOwner = randomUUID();
  const moves = createGroupCommit<Move, boolean>({
    ownerOf: ({ transfer }) => transfer.bookId,
    lanes: 1,
    groupMax: 10,
    waitingMax: 10,
    commit: (group) =>
      moveTransfers(test.database, { moves: group, mover: leaseOwner, at: new Date() }),
    mayBeOneCommandsFault: () => false,
    monotonicMs: () => performance.now(),
  });
  const deps = { database: test.database, moves, now: () => new Date(), newId: newTestId };
  const [route] = scriptRoute({ name: ROUTE, abilities: { notFoundIsFinal: true } }).routes.all();
  assert.ok(route !== undefined);
  const record = (
    transfer: Transfer,
    outcome: Outcome,
    account: string | null = null,
  ): Promise<Recorded> => {
    const reply = { outcome, wire: null };
    return recordOutcome(deps, {
      transfer,
      route,
      account,
      purpose: 'inquire',
      reply,
      attemptId: newTestId(),
    });
  };
  return { leaseOwner, record };
}

async function change({ id }: Transfer, assignments: string): Promise<void> {
  const text = `update transfers set ${assignments} where id = $1`;
  await test.database.query({ name: '', text }, [id]);
}

async function read(transfer: Transfer): Promise<Transfer> {
  return (await findTransfer(test.database, transfer)) ?? assert.fail();
}

/** In doubt for an hour, leased, with one answer of "not found" less than are needed. */
async function claimOldDoubt(leaseOwner: string): Promise<Transfer> {
  const doubt = await storeDoubt(test.database, { route: ROUTE });
  await change(
    doubt,
    `lease_owner = '${leaseOwner}', next_action_at = now() + interval '1 hour',
     not_found_answers = ${NOT_FOUND_ANSWERS_MIN - 1}, doubt_began_at = now() - interval '1 hour',
     answers_lapse_at = now() + interval '1 hour', answers_count_from = now() - interval '1 ms'`,
  );
  return read(doubt);
}

describe('the last answer of "not found"', () => {
  it('ends a doubt', async () => {
    const { leaseOwner, record } = openProcess();
    const doubt = await claimOldDoubt(leaseOwner);
    await record(doubt, NOT_FOUND);
    assert.equal((await read(doubt)).state, 'failed');
  });

  it('does not when those before it lapsed after the transfer was read, and is the first again', async () => {
    const { leaseOwner, record } = openProcess();
    const doubt = await claimOldDoubt(leaseOwner);
    await change(doubt, `answers_lapse_at = now() - interval '1 ms'`);
    await record(doubt, NOT_FOUND);
    const { state, notFoundAnswers, doubtMs } = await read(doubt);
    assert.equal(state, 'in_doubt');
    assert.equal(notFoundAnswers, 1);
    assert.ok((doubtMs ?? Infinity) < 1_800_000, 'and so does the age of the doubt');
  });

  it('does not when it comes sooner after the one before than planned', async () => {
    const { leaseOwner, record } = openProcess();
    const doubt = await claimOldDoubt(leaseOwner);
    await change(doubt, `answers_count_from = now() + interval '1 hour'`);
    await record(doubt, NOT_FOUND);
    const { state, notFoundAnswers } = await read(doubt);
    assert.equal(state, 'in_doubt');
    assert.equal(notFoundAnswers, NOT_FOUND_ANSWERS_MIN - 1);
  });

  it('does not when the lease ran out after the transfer was read', async () => {
    const { leaseOwner, record } = openProcess();
    const doubt = await claimOldDoubt(leaseOwner);
    await change(doubt, `next_action_at = now() - interval '1 ms'`);
    assert.deepEqual(await record(doubt, NOT_FOUND), { kind: 'superseded' });
    const { state, notFoundAnswers } = await read(doubt);
    assert.equal(state, 'in_doubt');
    assert.equal(notFoundAnswers, NOT_FOUND_ANSWERS_MIN - 1);
  });
});

it('a "no" of another account than the transfer was sent under proves nothing', async () => {
  const { leaseOwner, record } = openProcess();
  for (const outcome of [NOT_FOUND, REJECTED]) {
    const doubt = await claimOldDoubt(leaseOwner);
    await change(doubt, `route_account = 'first'`);
    await record(await read(doubt), outcome, 'second');
    const { state, notFoundAnswers } = await read(doubt);
    assert.equal(state, 'in_doubt');
    assert.equal(notFoundAnswers, 0, 'what the other account does not know is not counted');
  }
  const doubt = await claimOldDoubt(leaseOwner);
  await change(doubt, `route_account = 'first'`);
  await record(await read(doubt), NOT_FOUND, 'first');
  assert.equal((await read(doubt)).state, 'failed');
});

it('a refusal by a route that the transfer no longer has ends nothing', async () => {
  const { leaseOwner, record } = openProcess();
  const doubt = await claimOldDoubt(leaseOwner);
  await change(doubt, `route = 'other'`);
  assert.deepEqual(await record(doubt, REJECTED), { kind: 'superseded' });
  assert.equal((await read(doubt)).state, 'in_doubt');
});
