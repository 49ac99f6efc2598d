import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NOT_PAID, openResolutionWorld } from '../../test/resolution-world.ts';
import { storeDoubt } from '../../test/stored-doubt.ts';
import type { Transfer } from '../domain/transfer.ts';
import { readTimeline } from '../timelines/read-timeline.ts';
import { findAnyTransfer } from '../transfers/read/find-any-transfer.ts';
import { listInDoubt } from './list-in-doubt.ts';
import { listOpenProposals } from './list-open-proposals.ts';
import { readSeen } from './read-seen.ts';
import { resolveByPeople } from './resolve-by-people.ts';

const ANY = { kind: null, needsPerson: false, mode: null, merchantId: null, operator: null };

const world = openResolutionWorld();

const run = (text: string, values: readonly unknown[]) =>
  world.database.query({ name: '', text }, values);

const callBack = ({ operatorReference }: Transfer, claims: string) =>
  run(
    `insert into callbacks (id, route, method, headers, body, reading, operator_reference, claims, verified, received_at)
     values (gen_random_uuid(), 'mtn-zm', 'PUT', '{}', '', 'read', $1, $2, false, now())`,
    [operatorReference, claims],
  );

const answer = ({ bookId, id, operatorReference }: Transfer, outcome: string) =>
  run(
    `insert into attempts (book_id, transfer_id, id, route, purpose, operator_reference, request, http_status, answer,
                           outcome, elapsed_ms, ended_at)
     values ($1, $2, gen_random_uuid(), 'mtn-zm', 'inquire', $3, 'GET', 200, '', $4, 1, now())`,
    [bookId, id, operatorReference, outcome],
  );

/** Whether the dossier and the two lists show an open proposal. */
async function showsOpen({ id }: Transfer) {
  const { database, test } = world;
  const now = new Date();
  const { openProposal } = await readTimeline(database, { id, now, directory: test.directory });
  const { doubts } = await listInDoubt(database, { now, filter: ANY, rulesOf: () => null });
  const doubt = doubts.find(({ transfer }) => transfer.id === id);
  const waiting = await listOpenProposals(database, { now, max: 100 });
  return {
    inDossier: openProposal !== null,
    amongDoubts: doubt !== undefined && doubt.proposal !== null,
    inOverview: waiting.some(({ transferId }) => transferId === id),
  };
}

const OPEN = { inDossier: true, amongDoubts: true, inOverview: true };
const ENDED = { inDossier: false, amongDoubts: false, inOverview: false };

async function propose(): Promise<Transfer> {
  const doubt = await storeDoubt(world.database);
  await answer(doubt, 'notFound');
  await world.say('Chanda', doubt.id, NOT_PAID);
  return doubt;
}

describe('a proposal is shown as open', () => {
  it('while a second person can confirm it: what speaks for it, or was said before, ends nothing', async () => {
    const doubt = await propose();
    await answer(doubt, 'notFound');
    await callBack(doubt, 'failed');
    assert.deepEqual(await showsOpen(doubt), OPEN);
  });

  const ends: Readonly<Record<string, (doubt: Transfer) => Promise<unknown>>> = {
    'a callback says otherwise': (doubt) => callBack(doubt, 'paid'),
    'an answer says otherwise': (doubt) => answer(doubt, 'pending'),
    'the operator reports another payout': ({ id }) =>
      run(`update transfers set contradictions = '{amount}' where id = $1`, [id]),
  };
  for (const [what, end] of Object.entries(ends)) {
    it(`until ${what}`, async () => {
      const doubt = await propose();
      assert.deepEqual(await showsOpen(doubt), OPEN);
      await end(doubt);
      assert.deepEqual(await showsOpen(doubt), ENDED);
    });
  }

  it('until its proposer loses the role', async () => {
    const doubt = await storeDoubt(world.database);
    await world.say('Bwalya', doubt.id, NOT_PAID);
    assert.deepEqual(await showsOpen(doubt), OPEN);
    await run('delete from staff_roles where person_id = $1', [world.people.Bwalya.id]);
    assert.deepEqual(await showsOpen(doubt), ENDED);
  });
});

it('a person who saw that a proposal has ended can propose the same anew', async () => {
  const doubt = await propose();
  await callBack(doubt, 'paid');
  const seen = await readSeen(world.database, await findAnyTransfer(world.database, doubt.id));
  const request = { actor: world.people.Mutinta, id: doubt.id, resolution: NOT_PAID, seen };
  const said = await resolveByPeople(world.depsAt(new Date()), request);
  assert.equal(said.kind, 'proposed');
  assert.deepEqual(await world.endsOf(doubt), ['superseded', null]);
});
