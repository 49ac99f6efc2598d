import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { scriptRoute } from '../../../test/fake-route.ts';
import { openRecordingProcess, RECORDING_ROUTE } from '../../../test/recording-process.ts';
import { addTestAdministrators, moveTo, storeDoubt } from '../../../test/stored-doubt.ts';
import { storeTestTransfer } from '../../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { NOT_FOUND_ANSWERS_MIN } from '../../domain/doubt-schedule.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { Transfer } from '../../domain/transfer.ts';
import { findTransfer } from '../read/find-transfer.ts';
import { openIncident } from './open-incident.ts';

const ROUTE = RECORDING_ROUTE;
const NOT_FOUND: Outcome = { kind: 'notFound' };
const REJECTED: Outcome = { kind: 'rejected', failure: 'OPERATOR_REJECTED', cause: 'no' };

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

function openProcess() {
  const { leaseOwner, record } = openRecordingProcess(test.database);
  const recordAgain: typeof record = (transfer, outcome, given) =>
    record(transfer, outcome, { takeSlot: () => true, ...given });
  return { leaseOwner, record, recordAgain };
}

async function change({ id }: Transfer, assignments: string): Promise<void> {
  const text = `update transfers set ${assignments} where id = $1`;
  await test.database.query({ name: '', text }, [id]);
}

async function read(transfer: Transfer): Promise<Transfer> {
  return (await findTransfer(test.database, transfer)) ?? assert.fail();
}

/** In doubt for an hour, leased, with one answer of "not found" less than needed. */
async function claimOldDoubt(leaseOwner: string): Promise<Transfer> {
  const doubt = await storeDoubt(test.database, { route: ROUTE });
  await makeOld(doubt, leaseOwner);
  return read(doubt);
}

async function makeOld(doubt: Transfer, leaseOwner: string): Promise<void> {
  await change(
    doubt,
    `lease_owner = '${leaseOwner}', next_action_at = now() + interval '1 hour',
     not_found_answers = ${NOT_FOUND_ANSWERS_MIN - 1}, doubt_began_at = now() - interval '1 hour',
     answers_lapse_at = now() + interval '1 hour', answers_count_from = now() - interval '1 ms'`,
  );
}

describe('the last answer of "not found"', () => {
  it('ends a doubt', async () => {
    const { leaseOwner, record } = openProcess();
    const doubt = await claimOldDoubt(leaseOwner);
    await record(doubt, NOT_FOUND);
    assert.equal((await read(doubt)).state, 'failed');
  });

  it('does not end it when earlier ones lapsed after the transfer was read, and counts as the first', async () => {
    const { leaseOwner, record } = openProcess();
    const doubt = await claimOldDoubt(leaseOwner);
    await change(doubt, `answers_lapse_at = now() - interval '1 ms'`);
    await record(doubt, NOT_FOUND);
    const { state, notFoundAnswers, doubtMs } = await read(doubt);
    assert.equal(state, 'in_doubt');
    assert.equal(notFoundAnswers, 1);
    assert.ok((doubtMs ?? Infinity) < 1_800_000, 'the age of the doubt restarts too');
  });

  it('does not end it when it comes sooner after the previous one than planned', async () => {
    const { leaseOwner, record } = openProcess();
    const doubt = await claimOldDoubt(leaseOwner);
    await change(doubt, `answers_count_from = now() + interval '1 hour'`);
    await record(doubt, NOT_FOUND);
    const { state, notFoundAnswers } = await read(doubt);
    assert.equal(state, 'in_doubt');
    assert.equal(notFoundAnswers, NOT_FOUND_ANSWERS_MIN - 1);
  });

  it('does not end it when the lease ended after the transfer was read', async () => {
    const { leaseOwner, record } = openProcess();
    const doubt = await claimOldDoubt(leaseOwner);
    await change(doubt, `next_action_at = now() - interval '1 ms'`);
    assert.deepEqual(await record(doubt, NOT_FOUND), { kind: 'superseded' });
    const { state, notFoundAnswers } = await read(doubt);
    assert.equal(state, 'in_doubt');
    assert.equal(notFoundAnswers, NOT_FOUND_ANSWERS_MIN - 1);
  });
});

it('"not found" or a refusal from another account than the one it was sent under proves nothing', async () => {
  const { leaseOwner, record } = openProcess();
  for (const outcome of [NOT_FOUND, REJECTED]) {
    const doubt = await claimOldDoubt(leaseOwner);
    await change(doubt, `route_account = 'first'`);
    await record(await read(doubt), outcome, { account: 'second' });
    const { state, notFoundAnswers } = await read(doubt);
    assert.equal(state, 'in_doubt');
    assert.equal(notFoundAnswers, 0, 'an answer from another account does not count');
  }
  const doubt = await claimOldDoubt(leaseOwner);
  await change(doubt, `route_account = 'first'`);
  await record(await read(doubt), NOT_FOUND, { account: 'first' });
  assert.equal((await read(doubt)).state, 'failed');
});

it('a refusal by a route that the transfer no longer has ends nothing', async () => {
  const { leaseOwner, record } = openProcess();
  const doubt = await claimOldDoubt(leaseOwner);
  await change(doubt, `route = 'other'`);
  assert.deepEqual(await record(doubt, REJECTED), { kind: 'superseded' });
  assert.equal((await read(doubt)).state, 'in_doubt');
});

describe('a resubmission', () => {
  async function leaseOf({ id }: Transfer) {
    const text = `select lease_owner, first_submitted_at, throttled,
      extract(epoch from next_action_at - now())::double precision as seconds
      from transfers where id = $1`;
    const [row] = await test.database.query<{
      lease_owner: string | null;
      first_submitted_at: Date | null;
      throttled: boolean;
      seconds: number | null;
    }>({ name: '', text }, [id]);
    return row ?? assert.fail();
  }

  it('is recorded before it is sent: it is counted, keeps its lease, and restarts the count of answers', async () => {
    const { leaseOwner, recordAgain } = openProcess();
    const doubt = await claimOldDoubt(leaseOwner);
    const before = await leaseOf(doubt);
    const recorded = await recordAgain(doubt, NOT_FOUND);
    assert.ok(recorded.kind === 'resubmits');
    assert.equal(recorded.transfer.resubmissions, 1);
    const row = await read(doubt);
    assert.deepEqual([row.state, row.resubmissions], ['in_doubt', 1]);
    assert.deepEqual([row.notFoundAnswers, row.checks], [0, 0]);
    assert.ok((row.doubtMs ?? Infinity) < 60_000, 'answers count again 15 minutes later');
    assert.equal(row.eventSeq, doubt.eventSeq, 'the merchant gets no event');
    const lease = await leaseOf(doubt);
    assert.equal(lease.lease_owner, leaseOwner);
    assert.ok((lease.seconds ?? 0) > 25 && (lease.seconds ?? 0) <= 30);
    assert.deepEqual(lease.first_submitted_at, before.first_submitted_at);
  });

  const otherwise: readonly [string, string, 'failed' | 'in_doubt' | 'superseded'][] = [
    ['its operator has forgotten it', `first_submitted_at = now() - interval '12 hours'`, 'failed'],
    ['the time of its first submission is not known', 'first_submitted_at = null', 'failed'],
    ['the operator was asked to take it back', 'recalls = 1', 'failed'],
    ['the operator said that it has it', 'first_pending_at = now()', 'failed'],
    ['a callback contradicted it', `contradictions = '{amount}'`, 'failed'],
    ['its answers have lapsed', `answers_lapse_at = now() - interval '1 ms'`, 'in_doubt'],
    ['its answer came too soon', `answers_count_from = now() + interval '1 hour'`, 'in_doubt'],
    ['its doubt is young', `doubt_began_at = now() - interval '5 s'`, 'in_doubt'],
    ['the lease ran out', `next_action_at = now() - interval '1 ms'`, 'superseded'],
    ['another has the lease', `lease_owner = '${randomUUID()}'`, 'superseded'],
    ['it has another route', `route = 'other'`, 'superseded'],
    ['another process resubmitted it', 'resubmissions = 1', 'superseded'],
  ];
  for (const [reason, assignment, expected] of otherwise) {
    it(`is not sent when ${reason} since it was read`, async () => {
      const { leaseOwner, recordAgain } = openProcess();
      const doubt = await claimOldDoubt(leaseOwner);
      await change(doubt, assignment);
      const seen = await read(doubt);
      const recorded = await recordAgain(doubt, NOT_FOUND);
      const { state, resubmissions } = await read(doubt);
      assert.equal(recorded.kind === 'recorded' ? recorded.to : recorded.kind, expected);
      assert.equal(state, expected === 'failed' ? 'failed' : 'in_doubt');
      assert.equal(resubmissions, seen.resubmissions);
    });
  }

  it('is not sent when a person decided the transfer since it was read', async () => {
    const { leaseOwner, recordAgain } = openProcess();
    const doubt = await claimOldDoubt(leaseOwner);
    await moveTo(test.database, doubt, 'failed');
    assert.deepEqual(await recordAgain(doubt, NOT_FOUND), { kind: 'superseded' });
    assert.equal((await read(doubt)).resubmissions, 0);
  });

  it('is not sent while its route or merchant is stopped or a proposal is open, or after a callback', async () => {
    const { leaseOwner, recordAgain } = openProcess();
    await addTestAdministrators(test.database, ['Chanda']);
    const interventions = [
      `insert into callbacks (id, route, method, headers, body, reading, operator_reference, claims,
                              verified, received_at)
       select gen_random_uuid(), route, 'POST', '{}', '', 'read', operator_reference, 'paid', false, now()
       from transfers where id = $1`,
      `insert into proposals (book_id, id, transfer_id, decision, evidence, event_seq, proposed_by,
                              proposed_at, expires_at)
       select t.book_id, gen_random_uuid(), t.id, 'not_paid', 'statement', event_seq, a.id,
              now(), now() + interval '1 hour'
       from transfers t, administrators a where t.id = $1`,
      `insert into route_holds (route, held_at, held_by, reason)
       select t.route, now(), a.id, 'restore' from transfers t, administrators a where t.id = $1`,
      `update books b set suspended_at = now() from transfers t where t.id = $1 and b.id = t.book_id`,
    ];
    for (const text of interventions) {
      await test.database.query({ name: '', text: 'delete from route_holds' });
      const doubt = await claimOldDoubt(leaseOwner);
      await test.database.query({ name: '', text }, [doubt.id]);
      assert.notEqual((await recordAgain(doubt, NOT_FOUND)).kind, 'resubmits', text);
      assert.equal((await read(doubt)).resubmissions, 0);
    }
  });

  it('is not sent while the operator may have paid what it pays again, and may be sent afterwards', async () => {
    const { leaseOwner, recordAgain } = openProcess();
    const book = await createTestBook(test.database, { mode: 'live' });
    const walletId = await createTestWallet(test.database, {
      bookId: book.id,
      fundedMinor: 10_000n,
    });
    const order = { book, walletId, leaseOwner, route: ROUTE };
    const sent = await storeTestTransfer(test.database, order);
    const earlier = await moveTo(test.database, sent, 'failed');
    const retry = await storeTestTransfer(test.database, order);
    const doubt = await moveTo(test.database, retry, 'in_doubt');
    await makeOld(doubt, leaseOwner);
    await change(doubt, `replaces = '${earlier.id}'`);
    const kind = 'paid_after_failure';
    const incident = { id: randomUUID(), transfer: earlier, kind, at: new Date() } as const;
    await openIncident(test.database, incident);
    const slots = { taken: 0 };
    const takeSlot = () => {
      slots.taken += 1;
      return true;
    };
    // As of an operator whose "not found" does not end a transfer.
    const [route] = scriptRoute({
      name: ROUTE,
      abilities: { notFoundIsFinal: false },
    }).routes.all();
    assert.ok(route !== undefined);
    const seen = await read(doubt);
    assert.equal((await recordAgain(seen, NOT_FOUND, { route, takeSlot })).kind, 'recorded');
    const held = await read(doubt);
    assert.deepEqual([held.state, held.resubmissions, slots.taken], ['in_doubt', 0, 0]);

    const close = `update incidents set closed_at = now(), closed_by = 'Test', note = 'Not paid.'
                   where id = $1`;
    await test.database.query({ name: '', text: close }, [incident.id]);
    await makeOld(doubt, leaseOwner);
    const again = await recordAgain(await read(doubt), NOT_FOUND, { route, takeSlot });
    assert.equal(again.kind, 'resubmits');
  });

  it('waits for a slot of its route without losing the count of answers', async () => {
    const { leaseOwner, recordAgain } = openProcess();
    const doubt = await claimOldDoubt(leaseOwner);
    await recordAgain(doubt, NOT_FOUND, { takeSlot: () => false });
    const row = await read(doubt);
    assert.deepEqual([row.state, row.resubmissions], ['in_doubt', 0]);
    assert.equal(row.notFoundAnswers, NOT_FOUND_ANSWERS_MIN);
    assert.ok(
      ((await leaseOf(doubt)).seconds ?? 0) < 1,
      'five seconds at a hundredth of their length',
    );
  });

  it('is not sent under another account, or by a route that does not recognise it', async () => {
    const { leaseOwner, recordAgain } = openProcess();
    const [zamtel] = scriptRoute({ name: ROUTE, abilities: { deduplicates: false } }).routes.all();
    assert.ok(zamtel !== undefined);
    for (const given of [{ account: 'another' }, { route: zamtel }]) {
      const doubt = await claimOldDoubt(leaseOwner);
      assert.equal((await recordAgain(doubt, NOT_FOUND, given)).kind, 'recorded');
      assert.equal((await read(doubt)).resubmissions, 0);
    }
  });

  it('does not end a transfer when it is refused, and neither does an earlier refusal', async () => {
    const { leaseOwner, recordAgain } = openProcess();
    const doubt = await claimOldDoubt(leaseOwner);
    const recorded = await recordAgain(doubt, NOT_FOUND);
    assert.ok(recorded.kind === 'resubmits');
    assert.deepEqual(await recordAgain(doubt, REJECTED), { kind: 'superseded' });
    await recordAgain(recorded.transfer, REJECTED, { purpose: 'resubmit' });
    assert.equal((await read(doubt)).state, 'in_doubt');
    assert.equal((await leaseOf(doubt)).lease_owner, null);
  });

  it('needs one answer after the operator was throttling, and only until another answer comes', async () => {
    const { leaseOwner, recordAgain } = openProcess();
    const throttled = `throttled = true, not_found_answers = 0, doubt_began_at = now(),
                       answers_lapse_at = now() - interval '1 s'`;
    const doubt = await claimOldDoubt(leaseOwner);
    await change(doubt, throttled);
    const recorded = await recordAgain(await read(doubt), NOT_FOUND);
    assert.equal(recorded.kind, 'resubmits');
    assert.equal((await leaseOf(doubt)).throttled, false);
    const other = await claimOldDoubt(leaseOwner);
    await change(other, throttled);
    const seen = await read(other);
    await change(other, 'throttled = false');
    assert.equal((await recordAgain(seen, NOT_FOUND)).kind, 'recorded');
    assert.equal((await read(other)).resubmissions, 0);
  });

  it('records that the operator is throttling, with the time that it names', async () => {
    const { leaseOwner, recordAgain } = openProcess();
    const doubt = await claimOldDoubt(leaseOwner);
    const outcome: Outcome = { kind: 'throttled', cause: '429', retryInMs: 20_000 };
    await recordAgain(doubt, outcome, { purpose: 'resubmit' });
    const { throttled, seconds, lease_owner } = await leaseOf(doubt);
    assert.deepEqual([throttled, lease_owner], [true, null]);
    assert.ok((seconds ?? 0) > 15 && (seconds ?? 0) <= 20);
  });
});

describe('an inquiry without an answer', () => {
  it('leaves a submitted transfer as it is, and sends no event to the merchant', async () => {
    const { leaseOwner, record } = openProcess();
    const doubt = await claimOldDoubt(leaseOwner);
    const submitted = await moveTo(test.database, doubt, 'submitted');
    for (const outcome of [
      { kind: 'unanswered', cause: '429', retryInMs: null },
      { kind: 'notSent', cause: 'refused', retryInMs: 1 },
    ] as const) {
      await change(
        doubt,
        `lease_owner = '${leaseOwner}', next_action_at = now() + interval '1 hour'`,
      );
      await record(await read(doubt), outcome);
      const { state, eventSeq } = await read(doubt);
      assert.deepEqual([state, eventSeq], ['submitted', submitted.eventSeq]);
    }
  });

  it('flags it for a person when this lasts 72 hours', async () => {
    const { leaseOwner, record } = openProcess();
    const doubt = await claimOldDoubt(leaseOwner);
    await moveTo(test.database, doubt, 'submitted');
    await change(
      doubt,
      `lease_owner = '${leaseOwner}', next_action_at = now() + interval '1 hour',
       first_pending_at = now() - interval '73 hours'`,
    );
    const silence: Outcome = { kind: 'unanswered', cause: '429', retryInMs: null };
    const recorded = await record(await read(doubt), silence);
    assert.ok(recorded.kind === 'recorded' && recorded.needsPerson);
    assert.equal((await read(doubt)).state, 'in_doubt');
  });
});
