import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { directoryWithout } from '../../test/directory-ahead.ts';
import { withLedger } from '../../test/every-state-ledger.ts';
import { NOT_PAID, openResolutionWorld, PAID, refusal } from '../../test/resolution-world.ts';
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
import { cellsOf } from '../../test/test-database.ts';
import { storePerson } from '../../test/test-person.ts';
import { addAdministrator } from '../administrators/add-administrator.ts';
import { removeAdministrator } from '../administrators/remove-administrator.ts';
import type { PersonActor } from '../domain/actor.ts';
import type { StaffRole } from '../domain/roles.ts';
import type { Transfer } from '../domain/transfer.ts';
import { verifyLedger } from '../ledger/verify-ledger.ts';
import { changeRoles } from '../people/change-roles.ts';
import { STAFF } from '../people/team.ts';
import { keepContradictions } from '../transfers/move/keep-contradictions.ts';
import { findAnyTransfer } from '../transfers/read/find-any-transfer.ts';
import { readHistory } from '../transfers/read/read-history.ts';
import { listOpenProposals } from './list-open-proposals.ts';
import type { Resolution } from './propose-resolution.ts';
import { resolveByPeople } from './resolve-by-people.ts';
import { withdrawProposal } from './withdraw-proposal.ts';

const HOUR_MS = 3_600_000;
const HELD_MINOR = 100n + DOUBT_FEE_MINOR;
const REVERSED: Resolution = { decision: 'reversed', receipt: null, evidence: 'credit note 8' };

const world = openResolutionWorld();
const { depsAt, say, endsOf, stateOf } = world;

type Heard =
  | Readonly<{ claims: string; at?: Date }>
  | Readonly<{ outcome: string; purpose?: string; at?: Date }>;

/** Stores a callback, or an exchange with the operator, about a transfer. */
async function hear({ id }: Transfer, heard: Heard): Promise<void> {
  const at = heard.at ?? new Date();
  if ('claims' in heard) {
    const text = `
      insert into callbacks (id, route, method, headers, body, reading, operator_reference, claims, verified, received_at)
      select gen_random_uuid(), t.route, 'PUT', '{}', '', 'read', t.operator_reference, $2, false, $3
      from transfers t where t.id = $1`;
    await world.database.query({ name: '', text }, [id, heard.claims, at]);
    return;
  }
  const text = `
    insert into attempts (book_id, transfer_id, id, route, purpose, operator_reference, request, answer, outcome,
                          elapsed_ms, ended_at)
    select t.book_id, t.id, gen_random_uuid(), t.route, $4, t.operator_reference, 'GET', '', $2, 1, $3
    from transfers t where t.id = $1`;
  await world.database.query({ name: '', text }, [
    id,
    heard.outcome,
    at,
    heard.purpose ?? 'inquire',
  ]);
}

describe('two administrators', () => {
  it('settle the hold when both say that it was paid, and only then', async () => {
    const doubt = await storeDoubt(world.database);
    const first = await say('Chanda', doubt.id, PAID);
    assert.equal(first.kind, 'proposed');
    assert.equal(await stateOf(doubt), 'in_doubt');
    assert.deepEqual(await readBalance(world.database, doubt), {
      availableMinor: FUNDED_MINOR - HELD_MINOR,
      heldMinor: HELD_MINOR,
    });

    const second = await say('Mutinta', doubt.id, { ...PAID, evidence: 'I saw it on the portal' });
    assert.equal(second.kind, 'carriedOut');
    const { transfer } = await findAnyTransfer(world.database, doubt.id);
    assert.equal(transfer.state, 'succeeded');
    assert.equal(transfer.operatorTransactionId, 'MP77');
    assert.equal(transfer.nextActionAt, null);
    assert.deepEqual(await readBalance(world.database, doubt), {
      availableMinor: FUNDED_MINOR - HELD_MINOR,
      heldMinor: 0n,
    });
    const event = (await readHistory(world.database, doubt)).at(-1);
    assert.equal(event?.actor, `person:${world.people.Mutinta.id}`);
    assert.equal(event?.cause, 'two people decided, with evidence: ticket 4711');
    assert.equal(event?.event, 'transfer.successful');
    const acts = await readActs(world.test);
    assert.deepEqual(
      acts
        .filter(({ subject }) => subject === doubt.id)
        .map(({ actor, kind, before, after }) => [actor.name, kind, before?.state, after?.state]),
      [
        ['Mutinta', 'RESOLUTION_CONFIRMED', 'in_doubt', 'succeeded'],
        ['Chanda', 'RESOLUTION_PROPOSED', 'in_doubt', 'in_doubt'],
      ],
    );
    assert.equal((await verifyLedger(world.database)).ok, true);
  });

  it('do not release the hold when the operator reports another payout after the first one spoke', async () => {
    const doubt = await storeDoubt(world.database);
    await keepContradictions(world.database, doubt, ['number']);
    await say('Chanda', doubt.id, NOT_PAID);
    await keepContradictions(world.database, doubt, ['amount']);
    assert.match(await refusal(say('Mutinta', doubt.id, NOT_PAID)), /Something happened/);
    assert.equal(await stateOf(doubt), 'in_doubt');
    assert.deepEqual(await endsOf(doubt), ['superseded']);
    assert.equal((await say('Mutinta', doubt.id, NOT_PAID)).kind, 'proposed');
    await keepContradictions(world.database, doubt, ['amount']);
    assert.equal((await say('Chanda', doubt.id, NOT_PAID)).kind, 'carriedOut');
  });

  it('release the hold once when both say that it was not paid', async () => {
    const doubt = await storeDoubt(world.database);
    await say('Chanda', doubt.id, NOT_PAID);
    await say('Mutinta', doubt.operatorReference, NOT_PAID);
    const { transfer } = await findAnyTransfer(world.database, doubt.id);
    assert.equal(transfer.state, 'failed');
    assert.equal(transfer.failureCode, 'OPERATOR_REJECTED');
    assert.deepEqual(await readBalance(world.database, doubt), {
      availableMinor: FUNDED_MINOR,
      heldMinor: 0n,
    });
    assert.match(await refusal(say('Bwalya', doubt.id, NOT_PAID)), /is failed/);
    assert.deepEqual(await endsOf(doubt), ['carried_out']);
  });

  it('credit the wallet when both say that the money of a paid one came back', async () => {
    const paid = await moveTo(world.database, await storeDoubt(world.database), 'succeeded');
    await say('Chanda', paid.id, REVERSED);
    assert.equal(await stateOf(paid), 'succeeded');
    await say('Bwalya', paid.id, REVERSED);
    assert.equal(await stateOf(paid), 'reversed');
    const { availableMinor } = await readBalance(world.database, paid);
    assert.equal(availableMinor, FUNDED_MINOR);
    assert.equal((await verifyLedger(world.database)).ok, true);
  });

  it('are two: a proposer cannot confirm, and the database would not let them', async () => {
    const doubt = await storeDoubt(world.database);
    await say('Chanda', doubt.id, PAID);
    assert.match(await refusal(say('Chanda', doubt.id, PAID)), /two different administrators/);
    assert.equal(await stateOf(doubt), 'in_doubt');
    const text = `
      update proposals set ended_at = now(), ended_as = 'carried_out', ended_by = proposed_by,
                           second_evidence = 'me too'
      where transfer_id = $1`;
    const alone = world.database.query({ name: '', text }, [doubt.id]);
    await assert.rejects(alone, /proposals_two_persons/);
    assert.deepEqual(await endsOf(doubt), [null]);
  });

  it('must say the same, the receipt included', async () => {
    const doubt = await storeDoubt(world.database);
    await say('Chanda', doubt.id, PAID);
    const other = { ...PAID, receipt: 'MP78' };
    assert.match(await refusal(say('Mutinta', doubt.id, other)), /Chanda .*MP77; you .*MP78/);
    assert.match(await refusal(say('Mutinta', doubt.id, NOT_PAID)), /you say that it was not paid/);
    assert.equal(await stateOf(doubt), 'in_doubt');
    assert.deepEqual(await endsOf(doubt), [null]);
  });

  it('have 24 hours: later words begin anew', async () => {
    const doubt = await storeDoubt(world.database);
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
    const doubt = await storeDoubt(world.database);
    await say('Chanda', doubt.id, NOT_PAID);
    await moveTo(world.database, doubt, 'succeeded');
    assert.match(await refusal(say('Mutinta', doubt.id, NOT_PAID)), /it is succeeded now/);
    assert.deepEqual(await endsOf(doubt), ['superseded']);
    const { availableMinor } = await readBalance(world.database, doubt);
    assert.equal(availableMinor, FUNDED_MINOR - HELD_MINOR);
  });

  it('begin again when the operator had it in between, although it is in doubt as before', async () => {
    const doubt = await storeDoubt(world.database);
    await say('Chanda', doubt.id, NOT_PAID);
    await moveTo(world.database, await moveTo(world.database, doubt, 'submitted'), 'in_doubt');
    assert.match(await refusal(say('Mutinta', doubt.id, NOT_PAID)), /it is in_doubt now/);
    assert.equal((await say('Mutinta', doubt.id, NOT_PAID)).kind, 'proposed');
    assert.deepEqual(await endsOf(doubt), ['superseded', null]);
  });

  it('do not release the hold after a callback said paid, though no inquiry was answered since', async () => {
    const doubt = await storeDoubt(world.database);
    await say('Chanda', doubt.id, NOT_PAID);
    await hear(doubt, { claims: 'paid' });
    assert.match(await refusal(say('Mutinta', doubt.id, NOT_PAID)), /operator said something new/);
    assert.equal(await stateOf(doubt), 'in_doubt');
    assert.deepEqual(await endsOf(doubt), ['superseded']);
    assert.equal((await readBalance(world.database, doubt)).heldMinor, HELD_MINOR);
  });

  it('begin again when an inquiry was answered otherwise, and not when it says the same or nothing', async () => {
    const at = Date.now();
    const minutes = (count: number) => new Date(at + count * 60_000);
    const doubt = await storeDoubt(world.database);
    await hear(doubt, { claims: 'failed', at: minutes(-9) });
    await hear(doubt, { outcome: 'pending', at: minutes(-8) });
    await hear(doubt, { outcome: 'notFound', at: minutes(-7) });
    await say('Chanda', doubt.id, PAID, minutes(0));
    await hear(doubt, { outcome: 'unanswered', at: minutes(1) });
    await hear(doubt, { outcome: 'notFound', at: minutes(2) });
    await hear(doubt, { outcome: 'rejected', purpose: 'recall', at: minutes(3) });
    assert.equal((await say('Mutinta', doubt.id, PAID, minutes(4))).kind, 'carriedOut');

    const refused = await storeDoubt(world.database);
    await say('Chanda', refused.id, PAID, minutes(0));
    await hear(refused, { outcome: 'notFound', at: minutes(1) });
    const denied = say('Mutinta', refused.id, PAID, minutes(2));
    assert.match(await refusal(denied), /operator said something new/);

    const other = await storeDoubt(world.database);
    await hear(other, { outcome: 'notFound', at: minutes(-7) });
    await say('Chanda', other.id, NOT_PAID, minutes(0));
    await hear(other, { outcome: 'pending', at: minutes(1) });
    await hear(other, { outcome: 'notFound', at: minutes(2) });
    const late = say('Mutinta', other.id, NOT_PAID, minutes(3));
    assert.match(await refusal(late), /operator said something new/);
    assert.equal(await stateOf(other), 'in_doubt');
    assert.equal((await say('Mutinta', other.id, NOT_PAID, minutes(4))).kind, 'proposed');
    assert.equal((await say('Chanda', other.id, NOT_PAID, minutes(5))).kind, 'carriedOut');
  });

  it('go on when a callback says what they say, and not when another clock had it just before', async () => {
    const doubt = await storeDoubt(world.database);
    await say('Chanda', doubt.id, PAID);
    await hear(doubt, { claims: 'paid' });
    assert.equal((await say('Mutinta', doubt.id, PAID)).kind, 'carriedOut');

    const other = await storeDoubt(world.database);
    const at = Date.now() + HOUR_MS;
    await say('Chanda', other.id, NOT_PAID, new Date(at));
    await hear(other, { claims: 'paid', at: new Date(at - 2_000) });
    const late = say('Mutinta', other.id, NOT_PAID, new Date(at + 1_000));
    assert.match(await refusal(late), /operator said something new/);
    assert.equal(await stateOf(other), 'in_doubt');
  });

  it('wait while the same order may be on the wire again, and decide afterwards', async () => {
    const doubt = await storeDoubt(world.database);
    await say('Chanda', doubt.id, NOT_PAID);
    const set = (assignments: string) =>
      world.database.query(
        { name: '', text: `update transfers set ${assignments} where id = $1` },
        [doubt.id],
      );
    await set(
      `resubmissions = 1, lease_owner = '${randomUUID()}', next_action_at = now() + interval '30 s'`,
    );
    assert.match(await refusal(say('Mutinta', doubt.id, NOT_PAID)), /being submitted again/);
    assert.deepEqual(await endsOf(doubt), [null]);
    await set('lease_owner = null');
    assert.equal((await say('Mutinta', doubt.id, NOT_PAID)).kind, 'carriedOut');
  });

  it('can take a proposal back, and it is gone when its proposer is', async () => {
    const doubt = await storeDoubt(world.database);
    await say('Chanda', doubt.id, PAID);
    const request = { actor: world.people.Bwalya, id: doubt.id };
    await withdrawProposal(depsAt(new Date()), request);
    assert.match(
      await refusal(withdrawProposal(depsAt(new Date()), request)),
      /Nothing is proposed/,
    );
    const extra = await addMore('Leaver');
    const resolution = PAID;
    await resolveByPeople(depsAt(new Date()), { actor: extra, id: doubt.id, resolution });
    await removeAdministrator(depsAt(new Date()), { actor: world.people.Chanda, name: 'leaver' });
    assert.deepEqual(await endsOf(doubt), ['withdrawn', 'withdrawn']);
    assert.equal((await say('Mutinta', doubt.id, PAID)).kind, 'proposed');
  });

  async function addMore(name: string): Promise<PersonActor> {
    const deps = { ...depsAt(new Date()), randomBytes };
    const { id } = await addAdministrator(deps, { actor: world.people.Chanda, name });
    return { kind: 'person', id, name };
  }

  it('count no word of a person who left, also in a cell that did not hear of it', async () => {
    const doubt = await storeDoubt(world.database);
    const gone = await addMore('Gone');
    const request = { actor: gone, id: doubt.id, resolution: PAID };
    await resolveByPeople(depsAt(new Date()), request);
    const silent = { ...depsAt(new Date()), cells: cellsOf({}) };
    await removeAdministrator(silent, { actor: world.people.Chanda, name: 'Gone' });
    assert.deepEqual(await endsOf(doubt), [null]);
    assert.equal((await say('Mutinta', doubt.id, PAID)).kind, 'proposed');
    assert.deepEqual(await endsOf(doubt), ['withdrawn', null]);
    const [act] = await readActs(world.test, { kind: 'RESOLUTION_WITHDRAWN', subject: doubt.id });
    assert.deepEqual([act?.actor.name, act?.before?.['proposedBy']], ['Mutinta', 'Gone']);
    assert.equal((await say('Chanda', doubt.id, PAID)).kind, 'carriedOut');
  });

  it('count no word of a person who left and has the role again', async () => {
    const doubt = await storeDoubt(world.database);
    const back = await addMore('Back');
    const request = { actor: back, id: doubt.id, resolution: PAID };
    await resolveByPeople(depsAt(new Date()), request);
    const silent = { ...depsAt(new Date()), cells: cellsOf({}) };
    await removeAdministrator(silent, { actor: world.people.Chanda, name: 'Back' });
    assert.equal((await addMore('Back')).id, back.id);
    const listed = await listOpenProposals(world.database, { now: new Date(), max: 100 });
    assert.ok(!listed.some(({ transferId }) => transferId === doubt.id));
    assert.equal((await say('Mutinta', doubt.id, PAID)).kind, 'proposed');
    assert.deepEqual(await endsOf(doubt), ['withdrawn', null]);
    assert.equal((await resolveByPeople(depsAt(new Date()), request)).kind, 'carriedOut');
  });

  it('count the word of a person who kept the role while others were given or taken', async () => {
    const doubt = await storeDoubt(world.database);
    const { id, name } = await storePerson(world.database, {
      staffRoles: ['treasurer', 'support'],
    });
    const actor: PersonActor = { kind: 'person', id, name };
    await resolveByPeople(depsAt(new Date()), { actor, id: doubt.id, resolution: PAID });
    const roles = (['treasurer', 'auditor'] as const).map((role) => ({ role, bookId: null }));
    const change = { actor: world.people.Chanda, team: STAFF, personId: id, roles };
    await changeRoles(depsAt(new Date()), change);
    assert.equal((await say('Mutinta', doubt.id, PAID)).kind, 'carriedOut');
  });

  const give = (personId: string, words: readonly StaffRole[], deps = depsAt(new Date())) => {
    const roles = words.map((role) => ({ role, bookId: null }));
    return changeRoles(deps, { actor: world.people.Chanda, team: STAFF, personId, roles });
  };
  const CHANGES: readonly (readonly StaffRole[])[][] = [
    [['treasurer'], ['admin']],
    [['admin'], ['support', 'treasurer']],
    [['treasurer'], ['treasurer', 'admin'], ['admin']],
  ];
  for (const [had = [], ...changes] of CHANGES) {
    const words = [had, ...changes].map((roles) => roles.join(' and ')).join(', then ');
    it(`count the word of a person who may propose by one role after another: ${words}`, async () => {
      const doubt = await storeDoubt(world.database);
      const { id, name } = await storePerson(world.database, { staffRoles: had });
      const request = {
        actor: { kind: 'person', id, name },
        id: doubt.id,
        resolution: PAID,
      } as const;
      await resolveByPeople(depsAt(new Date()), request);
      for (const roles of changes) await give(id, roles);
      const listed = await listOpenProposals(world.database, { now: new Date(), max: 100 });
      assert.ok(listed.some(({ transferId }) => transferId === doubt.id));
      assert.equal((await say('Mutinta', doubt.id, PAID)).kind, 'carriedOut');
    });
  }

  it('count no word of a person who could not propose in between', async () => {
    const doubt = await storeDoubt(world.database);
    const { id, name } = await storePerson(world.database, { staffRoles: ['treasurer'] });
    const request = {
      actor: { kind: 'person', id, name },
      id: doubt.id,
      resolution: PAID,
    } as const;
    await resolveByPeople(depsAt(new Date()), request);
    const silent = { ...depsAt(new Date()), cells: cellsOf({}) };
    await give(id, ['auditor'], silent);
    await give(id, ['admin'], silent);
    assert.deepEqual(await endsOf(doubt), [null]);
    assert.equal((await say('Mutinta', doubt.id, PAID)).kind, 'proposed');
    assert.deepEqual(await endsOf(doubt), ['withdrawn', null]);
  });

  it('count no word of a person whose role the directory has no more, though the cell reads it yet', async () => {
    const doubt = await storeDoubt(world.database);
    await say('Chanda', doubt.id, PAID);
    const directory = directoryWithout(world.database, world.people.Chanda.id);
    const request = { actor: world.people.Mutinta, id: doubt.id, resolution: PAID };
    const said = await resolveByPeople({ ...depsAt(new Date()), directory }, request);
    assert.equal(said.kind, 'proposed');
    assert.deepEqual(await endsOf(doubt), ['withdrawn', null]);
    assert.equal((await say('Bwalya', doubt.id, PAID)).kind, 'carriedOut');
  });

  it('are administrators still when they decide, not only when their key was looked at', async () => {
    const doubt = await storeDoubt(world.database);
    const removed = await addMore('Removed');
    await removeAdministrator(depsAt(new Date()), { actor: world.people.Chanda, name: 'Removed' });
    const request = { actor: removed, id: doubt.id, resolution: PAID };
    const said = resolveByPeople(depsAt(new Date()), request);
    assert.match(await refusal(said), /removed as an administrator a moment ago/);
    assert.deepEqual(await endsOf(doubt), []);
  });
});

describe('a proposal', () => {
  it('is kept as it was made', async () => {
    const doubt = await storeDoubt(world.database);
    await say('Chanda', doubt.id, PAID);
    for (const text of [
      `update proposals set receipt = 'MP99' where transfer_id = $1`,
      `update proposals set expires_at = expires_at + interval '1 day' where transfer_id = $1`,
      'delete from proposals where transfer_id = $1',
    ]) {
      await assert.rejects(world.database.query({ name: '', text }, [doubt.id]), /proposal/);
    }
    await say('Mutinta', doubt.id, PAID);
    const reopen = `
      update proposals set ended_at = null, ended_as = null, ended_by = null, second_evidence = null
      where transfer_id = $1`;
    await assert.rejects(world.database.query({ name: '', text: reopen }, [doubt.id]), /only once/);
  });

  it('is taken of transfers in doubt alone, and a reversal of paid ones alone', () =>
    withLedger(async ({ database, transferIds }) => {
      const { Chanda: actor } = await addTestAdministrators(database, ['Chanda']);
      const deps = { database, directory: database, now: () => new Date(), newId: newTestId };
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
