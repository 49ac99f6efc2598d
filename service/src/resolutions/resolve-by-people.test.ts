import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { withLedger } from '../../test/every-state-ledger.ts';
import { scriptRoute } from '../../test/fake-route.ts';
import { pollUntil } from '../../test/poll.ts';
import {
  addTestAdministrators,
  DOUBT_FEE_MINOR,
  FUNDED_MINOR,
  moveTo,
  newTestId,
  readBalance,
  storeDoubt,
} from '../../test/stored-doubt.ts';
import { readActs } from '../../test/test-actor.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { explainRefusal } from '../admin/explain-refusal.ts';
import { addAdministrator } from '../administrators/add-administrator.ts';
import { removeAdministrator } from '../administrators/remove-administrator.ts';
import type { PersonActor } from '../domain/actor.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import { type Outcome, SUBJECTS } from '../domain/outcome.ts';
import type { Transfer } from '../domain/transfer.ts';
import { verifyLedger } from '../ledger/verify-ledger.ts';
import { isFaultOfOneCommand } from '../postgres/bad-command.ts';
import { createCommitQueue } from '../postgres/commit-queue.ts';
import { type Move, moveTransfers } from '../transfers/move/move-transfers.ts';
import { recordOutcome } from '../transfers/move/record-outcome.ts';
import { findAnyTransfer } from '../transfers/read/find-any-transfer.ts';
import { readHistory } from '../transfers/read/read-history.ts';
import { listProposals } from './proposal.ts';
import type { Resolution } from './propose-resolution.ts';
import { type PeopleDeps, type Resolved, resolveByPeople } from './resolve-by-people.ts';
import { withdrawProposal } from './withdraw-proposal.ts';

const HOUR_MS = 3_600_000;
const HELD_MINOR = 100n + DOUBT_FEE_MINOR;
const PAID: Resolution = { decision: 'paid', receipt: 'MP77', evidence: 'ticket 4711' };
const NOT_PAID: Resolution = { decision: 'not_paid', receipt: null, evidence: 'statement of MTN' };
const REVERSED: Resolution = { decision: 'reversed', receipt: null, evidence: 'credit note 8' };

let test: TestDatabase;
let people: Readonly<Record<'Chanda' | 'Mutinta' | 'Bwalya', PersonActor>>;
before(async () => {
  test = await createTestDatabase();
  people = await addTestAdministrators(test.database, ['Chanda', 'Mutinta', 'Bwalya']);
});
after(() => test.drop());

const depsAt = (now: Date) => ({ database: test.database, now: () => now, newId: newTestId });

function say(
  who: keyof typeof people,
  id: string,
  resolution: Resolution,
  now = new Date(),
): Promise<Resolved> {
  return resolveByPeople(depsAt(now), { actor: people[who], id, resolution });
}

async function refusal(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => new Error('it was not refused'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof AdminRefused)) throw error;
  const { message, advice } = explainRefusal(error);
  return `${message} ${advice}`;
}

async function endsOf({ bookId, id }: Transfer): Promise<readonly (string | null)[]> {
  const proposals = await listProposals(test.database, { bookId, transferId: id, max: 100 });
  return proposals.map(({ end }) => end?.as ?? null);
}

async function stateOf({ id }: Transfer): Promise<string> {
  return (await findAnyTransfer(test.database, id)).transfer.state;
}

describe('two administrators', () => {
  it('settle the hold when both say that it was paid, and only then', async () => {
    const doubt = await storeDoubt(test.database);
    const first = await say('Chanda', doubt.id, PAID);
    assert.equal(first.kind, 'proposed');
    assert.equal(await stateOf(doubt), 'in_doubt');
    assert.deepEqual(await readBalance(test.database, doubt), {
      availableMinor: FUNDED_MINOR - HELD_MINOR,
      heldMinor: HELD_MINOR,
    });

    const second = await say('Mutinta', doubt.id, { ...PAID, evidence: 'I saw it on the portal' });
    assert.equal(second.kind, 'carriedOut');
    const { transfer } = await findAnyTransfer(test.database, doubt.id);
    assert.equal(transfer.state, 'succeeded');
    assert.equal(transfer.operatorTransactionId, 'MP77');
    assert.equal(transfer.nextActionAt, null);
    assert.deepEqual(await readBalance(test.database, doubt), {
      availableMinor: FUNDED_MINOR - HELD_MINOR,
      heldMinor: 0n,
    });
    const event = (await readHistory(test.database, doubt)).at(-1);
    assert.equal(event?.actor, `person:${people.Mutinta.id}`);
    assert.equal(event?.cause, 'two people decided, with evidence: ticket 4711');
    assert.equal(event?.event, 'transfer.successful');
    const acts = await readActs(test.database);
    assert.deepEqual(
      acts
        .filter(({ subject }) => subject === doubt.id)
        .map(({ actor, kind, before, after }) => [actor.name, kind, before?.state, after?.state]),
      [
        ['Mutinta', 'RESOLUTION_CONFIRMED', 'in_doubt', 'succeeded'],
        ['Chanda', 'RESOLUTION_PROPOSED', 'in_doubt', 'in_doubt'],
      ],
    );
    assert.equal((await verifyLedger(test.database)).ok, true);
  });

  it('release the hold once when both say that it was not paid', async () => {
    const doubt = await storeDoubt(test.database);
    await say('Chanda', doubt.id, NOT_PAID);
    await say('Mutinta', doubt.operatorReference, NOT_PAID);
    const { transfer } = await findAnyTransfer(test.database, doubt.id);
    assert.equal(transfer.state, 'failed');
    assert.equal(transfer.failureCode, 'OPERATOR_REJECTED');
    assert.deepEqual(await readBalance(test.database, doubt), {
      availableMinor: FUNDED_MINOR,
      heldMinor: 0n,
    });
    assert.match(await refusal(say('Bwalya', doubt.id, NOT_PAID)), /is failed/);
    assert.deepEqual(await endsOf(doubt), ['carried_out']);
  });

  it('credit the wallet when both say that the money of a paid one came back', async () => {
    const paid = await moveTo(test.database, await storeDoubt(test.database), 'succeeded');
    await say('Chanda', paid.id, REVERSED);
    assert.equal(await stateOf(paid), 'succeeded');
    await say('Bwalya', paid.id, REVERSED);
    assert.equal(await stateOf(paid), 'reversed');
    const { availableMinor } = await readBalance(test.database, paid);
    assert.equal(availableMinor, FUNDED_MINOR);
    assert.equal((await verifyLedger(test.database)).ok, true);
  });

  it('are two: a proposer cannot confirm, and the database would not let them', async () => {
    const doubt = await storeDoubt(test.database);
    await say('Chanda', doubt.id, PAID);
    assert.match(await refusal(say('Chanda', doubt.id, PAID)), /two different administrators/);
    assert.equal(await stateOf(doubt), 'in_doubt');
    const text = `
      update proposals set ended_at = now(), ended_as = 'carried_out', ended_by = proposed_by,
                           second_evidence = 'me too'
      where transfer_id = $1`;
    const alone = test.database.query({ name: '', text }, [doubt.id]);
    await assert.rejects(alone, /proposals_two_persons/);
    assert.deepEqual(await endsOf(doubt), [null]);
  });

  it('must say the same, the receipt included', async () => {
    const doubt = await storeDoubt(test.database);
    await say('Chanda', doubt.id, PAID);
    const other = { ...PAID, receipt: 'MP78' };
    assert.match(await refusal(say('Mutinta', doubt.id, other)), /Chanda .*MP77; you .*MP78/);
    assert.match(await refusal(say('Mutinta', doubt.id, NOT_PAID)), /you say that it was not paid/);
    assert.equal(await stateOf(doubt), 'in_doubt');
    assert.deepEqual(await endsOf(doubt), [null]);
  });

  it('have 24 hours: later words begin anew', async () => {
    const doubt = await storeDoubt(test.database);
    const at = Date.now();
    await say('Chanda', doubt.id, PAID, new Date(at));
    const late = await say('Mutinta', doubt.id, PAID, new Date(at + 24 * HOUR_MS));
    assert.equal(late.kind, 'proposed');
    assert.equal(await stateOf(doubt), 'in_doubt');
    assert.deepEqual(await endsOf(doubt), ['expired', null]);
    const intime = await say('Chanda', doubt.id, PAID, new Date(at + 47 * HOUR_MS));
    assert.equal(intime.kind, 'carriedOut');
  });

  it('do not overrule what the operator said meanwhile', async () => {
    const doubt = await storeDoubt(test.database);
    await say('Chanda', doubt.id, NOT_PAID);
    await moveTo(test.database, doubt, 'succeeded');
    assert.match(await refusal(say('Mutinta', doubt.id, NOT_PAID)), /it is succeeded now/);
    assert.deepEqual(await endsOf(doubt), ['superseded']);
    const { availableMinor } = await readBalance(test.database, doubt);
    assert.equal(availableMinor, FUNDED_MINOR - HELD_MINOR);
  });

  it('begin again when the operator had it in between, although it is in doubt as before', async () => {
    const doubt = await storeDoubt(test.database);
    await say('Chanda', doubt.id, NOT_PAID);
    await moveTo(test.database, await moveTo(test.database, doubt, 'submitted'), 'in_doubt');
    assert.match(await refusal(say('Mutinta', doubt.id, NOT_PAID)), /it is in_doubt now/);
    assert.equal((await say('Mutinta', doubt.id, NOT_PAID)).kind, 'proposed');
    assert.deepEqual(await endsOf(doubt), ['superseded', null]);
  });

  it('wait while the same order may be on the wire again, and decide afterwards', async () => {
    const doubt = await storeDoubt(test.database);
    await say('Chanda', doubt.id, NOT_PAID);
    const set = (assignments: string) =>
      test.database.query({ name: '', text: `update transfers set ${assignments} where id = $1` }, [
        doubt.id,
      ]);
    await set(
      `resubmissions = 1, lease_owner = '${randomUUID()}', next_action_at = now() + interval '30 s'`,
    );
    assert.match(await refusal(say('Mutinta', doubt.id, NOT_PAID)), /being submitted again/);
    assert.deepEqual(await endsOf(doubt), [null]);
    await set('lease_owner = null');
    assert.equal((await say('Mutinta', doubt.id, NOT_PAID)).kind, 'carriedOut');
  });

  it('can take a proposal back, and it is gone when its proposer is', async () => {
    const doubt = await storeDoubt(test.database);
    await say('Chanda', doubt.id, PAID);
    const request = { actor: people.Bwalya, id: doubt.id };
    await withdrawProposal(depsAt(new Date()), request);
    assert.match(
      await refusal(withdrawProposal(depsAt(new Date()), request)),
      /Nothing is proposed/,
    );
    const extra = await addMore('Leaver');
    const resolution = PAID;
    await resolveByPeople(depsAt(new Date()), { actor: extra, id: doubt.id, resolution });
    await removeAdministrator(depsAt(new Date()), { actor: people.Chanda, name: 'leaver' });
    assert.deepEqual(await endsOf(doubt), ['withdrawn', 'withdrawn']);
    assert.equal((await say('Mutinta', doubt.id, PAID)).kind, 'proposed');
  });

  async function addMore(name: string): Promise<PersonActor> {
    const deps = { ...depsAt(new Date()), randomBytes };
    const { id } = await addAdministrator(deps, { actor: people.Chanda, name });
    return { kind: 'person', id, name };
  }

  it('are administrators still when they decide, not only when their key was looked at', async () => {
    const doubt = await storeDoubt(test.database);
    const removed = await addMore('Removed');
    await removeAdministrator(depsAt(new Date()), { actor: people.Chanda, name: 'Removed' });
    const request = { actor: removed, id: doubt.id, resolution: PAID };
    const said = resolveByPeople(depsAt(new Date()), request);
    assert.match(await refusal(said), /removed as an administrator a moment ago/);
    assert.deepEqual(await endsOf(doubt), []);
  });
});

describe('a proposal', () => {
  it('is kept as it was made', async () => {
    const doubt = await storeDoubt(test.database);
    await say('Chanda', doubt.id, PAID);
    for (const text of [
      `update proposals set receipt = 'MP99' where transfer_id = $1`,
      `update proposals set expires_at = expires_at + interval '1 day' where transfer_id = $1`,
      'delete from proposals where transfer_id = $1',
    ]) {
      await assert.rejects(test.database.query({ name: '', text }, [doubt.id]), /proposal/);
    }
    await say('Mutinta', doubt.id, PAID);
    const reopen = `
      update proposals set ended_at = null, ended_as = null, ended_by = null, second_evidence = null
      where transfer_id = $1`;
    await assert.rejects(test.database.query({ name: '', text: reopen }, [doubt.id]), /only once/);
  });

  it('is taken of transfers in doubt alone, and a reversal of paid ones alone', () =>
    withLedger(async ({ database, transferIds }) => {
      const { Chanda: actor } = await addTestAdministrators(database, ['Chanda']);
      const deps = { database, now: () => new Date(), newId: newTestId };
      for (const [state, id] of Object.entries(transferIds)) {
        for (const resolution of [PAID, NOT_PAID, REVERSED]) {
          const from = resolution === REVERSED ? 'succeeded' : 'in_doubt';
          const said = resolveByPeople(deps, { actor, id, resolution });
          if (state !== from) assert.match(await refusal(said), /so people cannot decide/, state);
          else if (resolution === NOT_PAID) assert.match(await refusal(said), /yourself/);
          else assert.equal((await said).kind, 'proposed');
        }
      }
    }));
});

describe('who comes at the same moment', () => {
  it('proposes or confirms, and one transfer ends once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const doubt = await storeDoubt(test.database);
      const said = await Promise.allSettled([
        say('Chanda', doubt.id, NOT_PAID),
        say('Mutinta', doubt.id, NOT_PAID),
        say('Bwalya', doubt.id, NOT_PAID),
      ]);
      const kinds = said.map((one) => (one.status === 'fulfilled' ? one.value.kind : 'refused'));
      assert.equal(kinds.filter((kind) => kind === 'proposed').length, 1, kinds.join());
      assert.ok(kinds.filter((kind) => kind === 'carriedOut').length <= 1, kinds.join());
    }
    assert.equal((await verifyLedger(test.database)).ok, true);
  });

  it('proposes nothing for a transfer that two others have decided meanwhile', async () => {
    const doubt = await storeDoubt(test.database);
    let late: Promise<string> | undefined;
    await test.database.transaction(async (tx) => {
      const inThisTransaction: PeopleDeps['database'] = {
        ...test.database,
        transaction: (work) => work(tx),
      };
      const deps = { ...depsAt(new Date()), database: inThisTransaction };
      const request = { id: doubt.id, resolution: NOT_PAID };
      await resolveByPeople(deps, { ...request, actor: people.Chanda });
      // Sees no proposal, since none is committed, and waits for this one's end with one of its own.
      late = refusal(say('Bwalya', doubt.id, NOT_PAID));
      await waitForLock();
      const confirmed = await resolveByPeople(deps, { ...request, actor: people.Mutinta });
      assert.equal(confirmed.kind, 'carriedOut');
    });
    assert.match((await late) ?? '', /it is failed now/);
    assert.deepEqual(await endsOf(doubt), ['carried_out']);
  });

  it('to confirm finds it carried out once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const doubt = await storeDoubt(test.database);
      await say('Chanda', doubt.id, NOT_PAID);
      const said = await Promise.allSettled([
        say('Mutinta', doubt.id, NOT_PAID),
        say('Bwalya', doubt.id, NOT_PAID),
      ]);
      const done = said.filter((one) => one.status === 'fulfilled');
      assert.equal(done.length, 1);
      const refused = said.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      assert.ok(refused.every((reason) => reason instanceof AdminRefused));
      assert.deepEqual(await readBalance(test.database, doubt), {
        availableMinor: FUNDED_MINOR,
        heldMinor: 0n,
      });
    }
    assert.equal((await verifyLedger(test.database)).ok, true);
  });

  it('as the answer of the operator: one of both counts, and a contradiction is told', async () => {
    for (let round = 0; round < 20; round += 1) {
      const doubt = await storeDoubt(test.database);
      await say('Chanda', doubt.id, NOT_PAID);
      const paid: Outcome = { kind: 'paid', operatorTransactionId: 'R1', confirmed: SUBJECTS };
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
      const balance = await readBalance(test.database, doubt);
      assert.deepEqual(balance, { availableMinor: available, heldMinor: 0n });
    }
    assert.equal((await verifyLedger(test.database)).ok, true);
  });

  it('with the move itself: people are refused when the row moved after they had read it', async () => {
    const doubt = await storeDoubt(test.database);
    await say('Chanda', doubt.id, NOT_PAID);
    // The operator's answer is in the database but not yet committed: people read the old state, then
    // wait for the row and find it moved.
    let confirmed: Promise<string> | undefined;
    await test.database.transaction(async (tx) => {
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
    assert.equal((await verifyLedger(test.database)).ok, true);
  });
});

it('people are refused when the same order is recorded to be sent again after they had read it', async () => {
  const doubt = await storeDoubt(test.database);
  const mover = randomUUID();
  const text = `
    update transfers
    set lease_owner = $2, next_action_at = now() + interval '1 hour', throttled = true
    where id = $1`;
  await test.database.query({ name: '', text }, [doubt.id, mover]);
  let confirmed: Promise<string> | undefined;
  await test.database.transaction(async (tx) => {
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
  const { transfer } = await findAnyTransfer(test.database, doubt.id);
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
  const isWaiting = async () => (await test.database.query({ name: '', text })).length > 0;
  await pollUntil('somebody waits for the row', isWaiting);
}

async function answer(transfer: Transfer, outcome: Outcome) {
  const [route] = scriptRoute({}).routes.all();
  assert.ok(route !== undefined);
  const { database } = test;
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
