import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  addTestAdministrators,
  FUNDED_MINOR,
  moveTo,
  newTestId,
  storeDoubt,
} from '../../test/stored-doubt.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import type { RouteRules } from '../domain/describe-doubt.ts';
import { DOUBT_KINDS } from '../domain/doubt-kind.ts';
import type { Transfer } from '../domain/transfer.ts';
import { countUnfinished } from '../transfers/read/count-unfinished.ts';
import { type DoubtFilter, listInDoubt } from './list-in-doubt.ts';
import { resolveByPeople } from './resolve-by-people.ts';

const ALL: DoubtFilter = {
  kind: null,
  needsPerson: false,
  mode: null,
  merchantId: null,
  operator: null,
};
const RULES: RouteRules = {
  inquires: true,
  deduplicates: true,
  notFoundIsFinal: false,
  unconfirmedSuccessWaitMs: null,
  referenceMemoryMs: 12 * 3_600_000,
  timeScale: 1,
};

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());
beforeEach(async () => {
  for (const { transfer } of (await list()).doubts) {
    await moveTo(test.database, transfer, 'succeeded');
  }
});

function list(filter: Partial<DoubtFilter> = {}, rules: RouteRules | null = null) {
  return listInDoubt(test.database, {
    now: new Date(),
    filter: { ...ALL, ...filter },
    rulesOf: () => rules,
  });
}

async function change({ id }: Transfer, assignments: string): Promise<void> {
  const text = `update transfers set ${assignments} where id = $1`;
  await test.database.query({ name: '', text }, [id]);
}

describe('the list of doubts', () => {
  it('has the oldest first, with what is planned and who must act', async () => {
    const people = await addTestAdministrators(test.database, ['Chanda']);
    const first = await storeDoubt(test.database, { amountMinor: FUNDED_MINOR / 10n });
    const second = await storeDoubt(test.database, { route: 'zamtel-zm', operator: 'zamtel' });
    await moveTo(test.database, await storeDoubt(test.database), 'succeeded');
    await change(second, 'flagged_at = now(), next_action_at = null');
    const { database, directory } = test;
    const deps = { database, directory, now: () => new Date(), newId: newTestId };
    const resolution = { decision: 'not_paid', receipt: null, evidence: 'E' } as const;
    await resolveByPeople(deps, { actor: people.Chanda, id: second.id, resolution });

    const { doubts, more } = await list();
    assert.equal(more, false);
    assert.deepEqual(
      doubts.map(({ transfer, outlook, proposal }) => [transfer.id, outlook.needsPerson, proposal]),
      [
        [first.id, false, null],
        [second.id, true, doubts[1]?.proposal],
      ],
    );
    const { by, byId, says, evidence } = doubts[1]?.proposal ?? assert.fail();
    assert.deepEqual([by, byId, says], ['Chanda', people.Chanda.id, 'it was not paid']);
    assert.equal(evidence, 'E');
    assert.equal(doubts[0]?.asked.times, 2);
    assert.equal(doubts[0]?.outlook.next.what, 'INQUIRY');
    assert.deepEqual(doubts[1]?.outlook.next, { what: 'PERSON' });
    const tomorrow = new Date(Date.now() + 25 * 3_600_000);
    const later = await listInDoubt(test.database, {
      now: tomorrow,
      filter: ALL,
      rulesOf: () => null,
    });
    assert.equal(later.doubts[1]?.proposal, null);
  });

  it('chooses by kind and by whether a person is needed, and the unfinished counts the same', async () => {
    for (const kind of DOUBT_KINDS) {
      await change(await storeDoubt(test.database), `doubt_kind = '${kind}'`);
    }
    const { doubts } = await list();
    assert.deepEqual(doubts.map(({ outlook }) => outlook.kind).sort(), [...DOUBT_KINDS].sort());
    for (const kind of DOUBT_KINDS) {
      const chosen = (await list({ kind })).doubts;
      assert.deepEqual(
        chosen.map(({ outlook }) => outlook.kind),
        [kind],
      );
    }
    const needed = doubts.filter(({ outlook }) => outlook.needsPerson);
    assert.ok(needed.length > 0 && needed.length < doubts.length);
    const listed = (await list({ needsPerson: true })).doubts;
    assert.deepEqual(
      listed.map(({ transfer }) => transfer.id),
      needed.map(({ transfer }) => transfer.id),
    );
    const unfinished = await countUnfinished(test.database);
    assert.deepEqual(
      unfinished.doubts.map(({ kind, needsPerson }) => `${kind} ${needsPerson}`).sort(),
      doubts.map(({ outlook }) => `${outlook.kind} ${outlook.needsPerson}`).sort(),
    );
    const inDoubt = unfinished.states.find(({ state }) => state === 'in_doubt');
    assert.equal(inDoubt?.count, DOUBT_KINDS.length, 'and the states are counted as before');
  });

  it('derives the kind where none was kept', async () => {
    const kindOf = async (assignments: string) => {
      const doubt = await storeDoubt(test.database);
      await change(doubt, `doubt_kind = null, ${assignments}`);
      const found = (await list()).doubts.find(({ transfer }) => transfer.id === doubt.id);
      return found?.outlook.kind;
    };
    assert.equal(await kindOf('checks = 1'), 'SUBMISSION_LOST');
    assert.equal(await kindOf('not_found_answers = 1'), 'NOT_FOUND');
    assert.equal(await kindOf('first_pending_at = now()'), 'PENDING_TOO_LONG');
    assert.equal(await kindOf(`contradictions = '{amount}'`), 'CONTRADICTED');
    const unaskable = 'flagged_at = now(), next_action_at = null, checks = 0';
    assert.equal(await kindOf(unaskable), 'INQUIRY_IMPOSSIBLE');
  });

  it('tells a contradiction that a callback brought after the last answer', async () => {
    const doubt = await storeDoubt(test.database);
    await change(doubt, `doubt_kind = 'NOT_FOUND', contradictions = '{number}'`);
    assert.equal((await list()).doubts[0]?.outlook.kind, 'CONTRADICTED');
  });

  it('tells when the same order may be submitted again, where the route is known', async () => {
    const doubt = await storeDoubt(test.database);
    await change(doubt, `next_action_at = now() + interval '1 minute'`);
    assert.equal((await list()).doubts[0]?.outlook.resubmissionAt, null);
    const at = (await list({}, RULES)).doubts[0]?.outlook.resubmissionAt;
    const inMs = (at?.getTime() ?? 0) - Date.now();
    assert.ok(inMs > 15 * 60_000 && inMs < 60 * 60_000, `in ${inMs} ms`);
  });
});
