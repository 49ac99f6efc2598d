import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Approvals, asks, openApprovals } from '../../../test/open-approvals.ts';
import { storeFile } from '../../../test/stored-file.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { createFileSource } from '../../payout-files/file-approvals.ts';
import { changeRoles } from '../../people/change-roles.ts';
import { countImpossible } from '../count-impossible.ts';
import { flagImpossible, requestApprovalCheck } from './flag-impossible.ts';

let test: TestDatabase;
let approvals: Approvals;
before(async () => {
  test = await createTestDatabase();
});
beforeEach(async () => {
  approvals = await openApprovals(test.database);
});
after(() => test.drop());

const deps = () => ({
  database: test.database,
  now: () => new Date(),
  otherSources: [createFileSource({ ...approvals.deps, wake: () => undefined })],
});

/** Looks at every book that waits for it; returns how many were flagged. */
async function look(): Promise<number> {
  let flagged = 0;
  for (;;) {
    const found = await flagImpossible(deps(), NONE);
    if (found === null) return flagged;
    flagged += found.flagged;
  }
}

/** Nothing here has all its approvals. */
const NONE = new Set<string>();
const IMPOSSIBLE = 'transfer.approval_impossible';

describe('what the people who are left cannot approve', () => {
  it('is flagged when a person leaves, told once, and counted', async () => {
    const { personWith, store, remove, eventsOf, book, decide, assertLedgerRight } = approvals;
    const [first, second, third] = await Promise.all([
      personWith('approver'),
      personWith('approver'),
      personWith('approver'),
    ]);
    const hard = await store({ needed: [asks('big', 2, 'approver')] });
    const easy = await store({ needed: [asks('small', 1, 'approver', 'owner')] });
    await remove(first);
    assert.equal(await look(), 0);
    await decide(hard, second);
    await remove(second);
    assert.equal(await look(), 1);
    await remove(await personWith('viewer'));
    assert.equal(await look(), 0);
    assert.equal((await eventsOf(hard.transfer)).filter((type) => type === IMPOSSIBLE).length, 1);
    assert.ok(!(await eventsOf(easy.transfer)).includes(IMPOSSIBLE));
    assert.equal(await countImpossible(test.database, book.id), 1);
    await assertLedgerRight();
    // A payout that can no longer be approved can still be rejected.
    await decide(hard, third, 'reject');
    assert.equal(await countImpossible(test.database, book.id), 0);
  });

  it('is flagged no more once there are people for it', async () => {
    const { personWith, store, remove, decide, read, book, deps, actorOf } = approvals;
    const [first, viewer, owner] = await Promise.all([
      personWith('approver'),
      personWith('viewer'),
      personWith('owner'),
    ]);
    const waiting = await store({ needed: [asks('big', 1, 'approver')] });
    await remove(first);
    assert.equal(await look(), 1);
    const team = { merchantId: book.merchantId };
    const roles = [{ role: 'approver', bookId: null }] as const;
    await changeRoles(deps, { actor: actorOf(owner), team, personId: viewer.id, roles });
    assert.equal(await look(), 0);
    assert.equal(await countImpossible(test.database, book.id), 0);
    await decide(waiting, viewer);
    assert.equal((await read(waiting.transfer)).state, 'queued');
  });

  it('is found book by book, and of its maker when no other person is left', async () => {
    const { personWith, store, book } = approvals;
    const maker = await personWith('owner', 'approver');
    await store({ creator: `person:${maker.id}` });
    assert.equal(await look(), 0);
    await requestApprovalCheck(test.database, book.id);
    assert.equal(await look(), 1);
    const other = await openApprovals(test.database);
    await other.store();
    await requestApprovalCheck(test.database, other.book.id);
    assert.equal(await look(), 1);
    const counts = [book.id, other.book.id].map((id) => countImpossible(test.database, id));
    assert.deepEqual(await Promise.all(counts), [1, 1]);
  });

  it('is a payout file too, which is counted as long as it waits', async () => {
    const { personWith, remove, run, book, walletId } = approvals;
    const approver = await personWith('approver');
    const fileId = await storeFile(test.database, { bookId: book.id, walletId, rows: [{}] });
    await run(
      `update payout_files
       set state = 'awaiting_approval', event_seq = 1, submitted_at = now(), submitted_by_name = 'Test', content_hash = $2,
           approvals_needed = $3, approval_expires_at = now() + interval '1 day'
       where id = $1`,
      [fileId, 'a'.repeat(64), JSON.stringify([asks('big', 1, 'approver')])],
    );
    await requestApprovalCheck(test.database, book.id);
    await look();
    assert.equal(await countImpossible(test.database, book.id), 0);
    await remove(approver);
    await look();
    assert.equal(await countImpossible(test.database, book.id), 1);
    await personWith('approver');
    await requestApprovalCheck(test.database, book.id);
    await look();
    assert.equal(await countImpossible(test.database, book.id), 0);
  });

  it('is looked for in parts, so that people who approve do not wait for the whole book', async () => {
    const { store, run, book, personWith, read } = approvals;
    const { transfer } = await store({ needed: [asks('big', 1, 'approver')] });
    await personWith('owner');
    await run(
      `insert into transfers select (jsonb_populate_record(t, jsonb_build_object(
         'id', gen_random_uuid(), 'reference', n::text, 'operator_reference', gen_random_uuid(), 'event_seq', 1
       ))).*
       from transfers t, generate_series(1, 500) n where t.id = $1`,
      [transfer.id],
    );
    await run(
      `insert into events (book_id, subject_id, seq, type, to_state, cause, actor, created_at)
       select t.book_id, t.id, 1, null, 'awaiting_approval', 'x', 'system:test', now()
       from transfers t where t.book_id = $1 and t.id <> $2`,
      [book.id, transfer.id],
    );
    await requestApprovalCheck(test.database, book.id);
    const first = await flagImpossible(deps(), NONE);
    assert.deepEqual([first?.flagged, first?.isDone], [500, false]);
    const second = await flagImpossible(deps(), NONE);
    assert.deepEqual([second?.flagged, second?.isDone], [1, true]);
    assert.equal(await countImpossible(test.database, book.id), 501);
    assert.equal((await read(transfer)).eventSeq, transfer.eventSeq + 1);
  });

  it('is found after a look that was cut off, though nothing but the directory knows of the change', async () => {
    const { personWith, store, remove, book } = approvals;
    const approver = await personWith('approver');
    await store({ needed: [asks('big', 1, 'approver')] });
    await remove(approver);
    const [source] = deps().otherSources;
    assert.ok(source !== undefined);
    const failing = { ...source, list: () => Promise.reject(new Error('killed')) };
    await assert.rejects(flagImpossible({ ...deps(), otherSources: [failing] }, NONE), /killed/);
    assert.equal(await countImpossible(test.database, book.id), 0);
    assert.equal(await look(), 1);
    assert.equal(await flagImpossible(deps(), NONE), null);
  });

  it('is looked for from the beginning when roles change while a look goes on', async () => {
    const { personWith, store, remove, run, book } = approvals;
    const approver = await personWith('approver');
    const { transfer } = await store({ needed: [asks('big', 1, 'approver')] });
    await remove(await personWith('viewer'));
    assert.equal(await look(), 0);
    // A look that has passed the transfer.
    const set = 'update approval_checks_done set after = $2 where book_id = $1';
    await run(set, [book.id, 'ffffffff-ffff-7fff-bfff-ffffffffffff']);
    await remove(approver);
    assert.equal(await look(), 1);
    await run(set, [book.id, transfer.id]);
    assert.equal((await flagImpossible(deps(), NONE))?.isDone, true);
  });
});
