import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { directMoves } from '../../../test/direct-moves.ts';
import { directoryWithout } from '../../../test/directory-ahead.ts';
import {
  type Approvals,
  asks,
  openApprovals,
  ROUTE_OF_TODAY,
  resultOf,
} from '../../../test/open-approvals.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import type { TestPerson } from '../../../test/test-person.ts';
import { decideTransfer } from './decide-transfer.ts';
import { expireWaiting } from './expire-waiting.ts';
import { findWaiting } from './find-waiting.ts';
import { recallTransfer } from './recall-transfer.ts';

let test: TestDatabase;
let approvals: Approvals;
before(async () => {
  test = await createTestDatabase();
});
beforeEach(async () => {
  approvals = await openApprovals(test.database);
});
after(() => test.drop());

describe('a decision about a transfer that waits', () => {
  it('sends it by the route of today once there are enough approvals', async () => {
    const { personWith, store, decide, read, held, eventsOf, assertLedgerRight } = approvals;
    const [first, second] = await Promise.all([personWith('approver'), personWith('owner')]);
    const waiting = await store({ needed: [asks('big', 2, 'approver', 'owner')] });
    await decide(waiting, first);
    assert.equal((await read(waiting.transfer)).state, 'awaiting_approval');
    await decide(waiting, second);
    const { state, route } = await read(waiting.transfer);
    assert.deepEqual([state, route], ['queued', ROUTE_OF_TODAY]);
    assert.deepEqual((await eventsOf(waiting.transfer)).at(-1), 'transfer.approved');
    assert.equal(await held(), '700');
    await assertLedgerRight();
  });

  it('schedules one whose time is still to come, at exactly that time', async () => {
    const { personWith, store, decide, read } = approvals;
    const approver = await personWith('approver');
    const sendAt = new Date(Date.now() + 40 * 24 * 60 * 60 * 1_000);
    const waiting = await store({ sendAt });
    await decide(waiting, approver);
    const { state, nextActionAt } = await read(waiting.transfer);
    assert.deepEqual([state, nextActionAt?.getTime()], ['scheduled', sendAt.getTime()]);
  });

  it('sends nothing early by a process whose clock is ahead', async () => {
    const { personWith, store, read, book, deps, actorOf } = approvals;
    const approver = await personWith('approver');
    const { transfer, contentHash } = await store({ sendAt: new Date(Date.now() + 60_000) });
    const now = () => new Date(Date.now() + 60 * 60_000);
    const given = { decision: 'approve', contentHash, reason: null } as const;
    const request = { book, id: transfer.id, actor: actorOf(approver), ...given };
    await decideTransfer({ ...deps, now }, request);
    assert.equal((await read(transfer)).state, 'scheduled');
  });

  it('counts as made after its time, by a process whose clock is behind too', async () => {
    const { personWith, store, book, deps, actorOf } = approvals;
    const approver = await personWith('approver');
    const { transfer, contentHash } = await store({ sendAt: new Date(Date.now() - 60_000) });
    const now = () => new Date(Date.now() - 60 * 60_000);
    const given = { decision: 'approve', contentHash, reason: null } as const;
    const request = { book, id: transfer.id, actor: actorOf(approver), ...given };
    await decideTransfer({ ...deps, now }, request);
    const approved = await test.database.query(
      { name: '', text: 'select from approvals where subject_id = $1 and decided_at > $2' },
      [transfer.id, transfer.sendAt],
    );
    assert.equal(approved.length, 1);
  });

  it('counts no approval of a person whose role the directory has no more, though the cell reads it yet', async () => {
    const { personWith, store, decide, read, book, deps, actorOf } = approvals;
    const [first, second] = await Promise.all([personWith('approver'), personWith('owner')]);
    const waiting = await store({ needed: [asks('big', 2, 'approver', 'owner')] });
    await decide(waiting, first);
    const { transfer, contentHash } = waiting;
    const given = { decision: 'approve', contentHash, reason: null } as const;
    const approve = (actor: TestPerson, without: TestPerson) =>
      decideTransfer(
        { ...deps, directory: directoryWithout(test.database, without.id) },
        { book, id: transfer.id, actor: actorOf(actor), ...given },
      );
    assert.equal(await resultOf(approve(second, second)), 'FORBIDDEN');
    await approve(second, first);
    assert.equal((await read(transfer)).state, 'awaiting_approval');
    const third = await personWith('approver');
    await approve(third, first);
    assert.equal((await read(transfer)).state, 'queued');
  });

  it('cancels it by one rejection, and releases the hold', async () => {
    const { personWith, store, decide, read, held, assertLedgerRight } = approvals;
    const [first, second] = await Promise.all([personWith('approver'), personWith('approver')]);
    const waiting = await store({ needed: [asks('big', 2, 'approver')] });
    await decide(waiting, first);
    await decide(waiting, second, 'reject');
    const { state, failureCode } = await read(waiting.transfer);
    assert.deepEqual([state, failureCode], ['cancelled', 'APPROVAL_REJECTED']);
    assert.equal(await held(), '0');
    assert.equal(await resultOf(decide(waiting, first)), 'ALREADY_DECIDED');
    await assertLedgerRight();
  });

  it('is refused for another content, a second time, and without a role that is wanted', async () => {
    const { personWith, store, decide, read } = approvals;
    const approver = await personWith('approver');
    const owner = await personWith('owner');
    const viewer = await personWith('viewer');
    const waiting = await store({ needed: [asks('big', 2, 'approver')] });
    const other = { ...waiting, contentHash: 'f'.repeat(64) };
    assert.equal(await resultOf(decide(other, approver)), 'CONTENT_CHANGED');
    assert.equal(await resultOf(decide(waiting, viewer)), 'FORBIDDEN');
    await assert.rejects(decide(waiting, owner), /with the role approver\.$/);
    assert.equal(await resultOf(decide(waiting, approver)), 'done');
    assert.equal(await resultOf(decide(waiting, approver)), 'ALREADY_DECIDED');
    assert.equal(await resultOf(decide(waiting, approver, 'reject')), 'ALREADY_DECIDED');
    assert.equal((await read(waiting.transfer)).state, 'awaiting_approval');
  });

  it('is never its maker, nor the maker of the key, and the database holds that too', async () => {
    const { personWith, store, decide, run, book } = approvals;
    const maker = await personWith('owner', 'approver');
    const keyId = randomUUID();
    await run(
      `insert into api_keys (book_id, id, hash, hint, name, scopes, created_at, created_by, created_by_name)
       values ($1, $2, sha256(gen_random_uuid()::text::bytea), 'hint', 'Key', '{read}', now(), $3, $4)`,
      [book.id, keyId, maker.id, maker.name],
    );
    for (const creator of [`person:${maker.id}`, `key:${keyId}`]) {
      const waiting = await store({ creator });
      const work = [decide(waiting, maker), decide(waiting, maker, 'reject')];
      assert.deepEqual(await Promise.all(work.map(resultOf)), ['OWN_WORK', 'OWN_WORK']);
      const insert = run(
        `insert into approvals (
           book_id, subject_kind, subject_id, round, person_id, person_name, decision, role, content_hash, decided_at
         )
         values ($1, 'transfer', $2, 1, $3, 'x', 'approve', 'owner', $4, now())`,
        [book.id, waiting.transfer.id, maker.id, waiting.contentHash],
      );
      await assert.rejects(insert, /cannot decide about what they made/);
    }
  });

  it('does not count any more when its person has left', async () => {
    const { personWith, store, decide, read, remove } = approvals;
    const [first, second, third] = await Promise.all([
      personWith('approver'),
      personWith('approver'),
      personWith('approver'),
    ]);
    const waiting = await store({ needed: [asks('big', 2, 'approver')] });
    await decide(waiting, first);
    await remove(first);
    await decide(waiting, second);
    assert.equal((await read(waiting.transfer)).state, 'awaiting_approval');
    await decide(waiting, third);
    assert.equal((await read(waiting.transfer)).state, 'queued');
  });

  it('is made anew when the transfer comes to wait again', async () => {
    const { personWith, store, decide, read, run, book } = approvals;
    const approver = await personWith('approver');
    const waiting = await store();
    const [{ subject: before } = assert.fail()] = await findWaiting(test.database, book, [
      waiting.transfer.id,
    ]);
    await run(
      `with numbered as (
         update transfers set event_seq = event_seq + 2, state = 'awaiting_approval' where id = $1 returning *
       )
       insert into events (book_id, subject_id, seq, type, from_state, to_state, cause, actor, created_at)
       select book_id, id, event_seq - 2 + n, null,
              case n when 1 then 'awaiting_approval' else 'scheduled' end,
              case n when 1 then 'scheduled' else 'awaiting_approval' end, 'x', 'system:test', now()
       from numbered, generate_series(1, 2) n`,
      [waiting.transfer.id],
    );
    await run(
      `insert into approvals (
         book_id, subject_kind, subject_id, round, person_id, person_name, decision, role, content_hash, decided_at
       )
       values ($1, 'transfer', $2, $3, $4, 'x', 'approve', 'approver', $5, now())`,
      [book.id, before.id, before.round, approver.id, before.contentHash],
    );
    assert.equal(await resultOf(decide(waiting, approver)), 'done');
    assert.equal((await read(waiting.transfer)).state, 'queued');
  });

  it('is taken back only by its maker', async () => {
    const { personWith, store, read, held, assertLedgerRight, book, deps, actorOf } = approvals;
    const [maker, other] = await Promise.all([personWith('maker'), personWith('maker')]);
    const { transfer } = await store({ creator: `person:${maker.id}` });
    const recall = (person: TestPerson) =>
      recallTransfer(deps, { book, id: transfer.id, actor: actorOf(person) });
    assert.equal(await resultOf(recall(other)), 'FORBIDDEN');
    assert.equal(await resultOf(recall(maker)), 'done');
    const { state, failureCode } = await read(transfer);
    assert.deepEqual([state, failureCode, await held()], ['cancelled', 'APPROVAL_RECALLED', '0']);
    assert.equal(await resultOf(recall(maker)), 'ALREADY_DECIDED');
    await assertLedgerRight();
  });

  it('comes too late once the time is over, and then it is cancelled', async () => {
    const { personWith, store, decide, read, held, assertLedgerRight } = approvals;
    const approver = await personWith('approver');
    const waiting = await store({ expiresInMs: -1 });
    const later = await store();
    assert.equal(await resultOf(decide(waiting, approver)), 'ALREADY_DECIDED');
    await expireWaiting({ database: test.database, moves: directMoves(test.database) });
    const { state, failureCode } = await read(waiting.transfer);
    assert.deepEqual([state, failureCode], ['cancelled', 'APPROVAL_EXPIRED']);
    assert.equal((await read(later.transfer)).state, 'awaiting_approval');
    assert.equal(await held(), '700');
    await assertLedgerRight();
  });
});
