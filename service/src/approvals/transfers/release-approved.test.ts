import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { directoryWithout } from '../../../test/directory-ahead.ts';
import { lookAtApprovals } from '../../../test/look-at-approvals.ts';
import { type Approvals, asks, openApprovals, resultOf } from '../../../test/open-approvals.ts';
import { storeFile } from '../../../test/stored-file.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import type { TestPerson } from '../../../test/test-person.ts';
import { addEntry } from '../../lists/add-entry.ts';
import { endEntry } from '../../lists/end-entry.ts';
import { createFileSource, decideFile } from '../../payout-files/file-approvals.ts';
import { changeRoles } from '../../people/change-roles.ts';
import type { Queryable } from '../../postgres/database.ts';
import { closeIncident } from '../../resolutions/close-incident.ts';
import { openIncident } from '../../transfers/move/open-incident.ts';
import { flagImpossible, requestApprovalCheck } from './flag-impossible.ts';

let test: TestDatabase;
let approvals: Approvals;
let owner: TestPerson;
let people: readonly [TestPerson, TestPerson, TestPerson];
before(async () => {
  test = await createTestDatabase();
});
beforeEach(async () => {
  approvals = await openApprovals(test.database);
  owner = await approvals.personWith('owner');
  const approver = () => approvals.personWith('approver');
  people = [await approver(), await approver(), await approver()];
});
after(() => test.drop());

const TWO = [asks('big', 2, 'approver')];

const fileDeps = () => ({ ...approvals.deps, wake: () => undefined });

async function setRole(person: TestPerson, role: 'approver' | 'viewer'): Promise<void> {
  const { deps, actorOf, book } = approvals;
  const team = { merchantId: book.merchantId };
  const roles = [{ role, bookId: null }];
  await changeRoles(deps, { actor: actorOf(owner), team, personId: person.id, roles });
}

const look = (directory: Queryable = test.database) =>
  lookAtApprovals({
    ...approvals.deps,
    directory,
    otherSources: [createFileSource({ ...fileDeps(), directory })],
  });

/** Two are asked for. The first loses the role, the second approves, and the first gets the role again. */
async function approveAround<T>(
  approve: (person: TestPerson) => Promise<T>,
  [first, second]: readonly TestPerson[] = people,
): Promise<void> {
  assert.ok(first !== undefined && second !== undefined);
  await approve(first);
  await setRole(first, 'viewer');
  await approve(second);
  await setRole(first, 'approver');
}

describe('what has all its approvals', () => {
  it('goes when a person who approved it has the role again', async () => {
    const { store, decide, read, run, eventsOf, assertLedgerRight } = approvals;
    const waiting = await store({ needed: TWO });
    const { transfer } = waiting;
    await approveAround((person) => decide(waiting, person));
    assert.equal((await read(transfer)).state, 'awaiting_approval');
    // A process that dies after its look leaves it to the next.
    const found = await flagImpossible({ ...approvals.deps, otherSources: [] }, new Set());
    assert.deepEqual(found?.approved, [{ kind: 'transfer', id: transfer.id }]);
    await look();
    assert.equal((await read(transfer)).state, 'queued');
    assert.deepEqual((await eventsOf(transfer)).at(-1), 'transfer.approved');
    const last = 'select actor from events where subject_id = $1 order by seq desc limit 1';
    assert.deepEqual(await run(last, [transfer.id]), [{ actor: 'system:approvals' }]);
    await assertLedgerRight();
  });

  it('stays while one of its people has no role, here or in the directory', async () => {
    const { store, decide, read, book } = approvals;
    const waiting = await store({ needed: TWO });
    const [first, second] = people;
    await decide(waiting, first);
    await setRole(first, 'viewer');
    await decide(waiting, second);
    await look();
    assert.equal((await read(waiting.transfer)).state, 'awaiting_approval');
    await setRole(first, 'approver');
    await look(directoryWithout(test.database, first.id));
    assert.equal((await read(waiting.transfer)).state, 'awaiting_approval');
    await requestApprovalCheck(test.database, book.id);
    await look();
    assert.equal((await read(waiting.transfer)).state, 'queued');
  });

  it('stays while its number is denied, and one more person can approve it afterwards', async () => {
    const { store, decide, read, book, deps, actorOf } = approvals;
    const waiting = await store({ needed: TWO });
    const actor = actorOf(owner);
    const ofBook = { bookId: book.id, merchantId: book.merchantId };
    await approveAround((person) => decide(waiting, person));
    const entry = await addEntry(deps, {
      actor,
      owner: ofBook,
      list: 'deny',
      phone: waiting.transfer.phone,
      reason: 'stolen',
      expiresAt: null,
    });
    await look();
    assert.equal((await read(waiting.transfer)).state, 'awaiting_approval');
    assert.equal(await resultOf(decide(waiting, people[2])), 'RECIPIENT_DENIED');
    await endEntry(deps, { actor, owner: ofBook, id: entry.id, reason: 'found again' });
    await decide(waiting, people[2]);
    assert.equal((await read(waiting.transfer)).state, 'queued');
  });

  it('stays while the operator may have paid what it pays again, and one more person can approve it afterwards', async () => {
    const { store, decide, read, book, run } = approvals;
    const waiting = await store({ needed: TWO });
    const { transfer: failed } = await store();
    await run('update transfers set replaces = $2 where id = $1', [waiting.transfer.id, failed.id]);
    await approveAround((person) => decide(waiting, person));
    const said = { kind: 'paid_after_failure', at: new Date() } as const;
    const transfer = { bookId: book.id, id: failed.id };
    await openIncident(test.database, { id: randomUUID(), transfer, ...said });
    await look();
    assert.equal((await read(waiting.transfer)).state, 'awaiting_approval');
    assert.equal(await resultOf(decide(waiting, people[2])), 'EARLIER_MAY_BE_PAID');
    await run(
      `update incidents set closed_at = now(), closed_by = 'Test', note = 'It was not paid.' where transfer_id = $1`,
      [failed.id],
    );
    await decide(waiting, people[2]);
    assert.equal((await read(waiting.transfer)).state, 'queued');
  });

  it('goes when the incident is closed, without a further approval', async () => {
    const { store, decide, read, book, run, deps, actorOf } = approvals;
    const waiting = await store({ needed: TWO });
    const { transfer: failed } = await store();
    await run('update transfers set replaces = $2 where id = $1', [waiting.transfer.id, failed.id]);
    await approveAround((person) => decide(waiting, person));
    const id = randomUUID();
    const said = { kind: 'paid_after_failure', at: new Date() } as const;
    await openIncident(test.database, {
      id,
      transfer: { bookId: book.id, id: failed.id },
      ...said,
    });
    await look();
    assert.equal((await read(waiting.transfer)).state, 'awaiting_approval');
    await closeIncident(deps, { actor: actorOf(owner), id, note: 'It was not paid.' });
    await look();
    assert.equal((await read(waiting.transfer)).state, 'queued');
  });

  it('is cancelled when its time is over', async () => {
    const { store, decide, read, run } = approvals;
    const waiting = await store({ needed: TWO });
    await approveAround((person) => decide(waiting, person));
    await run(`update transfers set next_action_at = now() - interval '1 s' where id = $1`, [
      waiting.transfer.id,
    ]);
    await look();
    assert.equal((await read(waiting.transfer)).failureCode, 'APPROVAL_EXPIRED');
  });

  it('is a payout file too', async () => {
    const { run, book, walletId, actorOf } = approvals;
    const id = await storeFile(test.database, { bookId: book.id, walletId, rows: [{}] });
    const contentHash = 'a'.repeat(64);
    await run(
      `update payout_files
       set state = 'awaiting_approval', event_seq = 1, submitted_at = now(), submitted_by_name = 'Test', content_hash = $2,
           approvals_needed = $3, approval_expires_at = now() + interval '1 day'
       where id = $1`,
      [id, contentHash, JSON.stringify(TWO)],
    );
    await approveAround((person) => {
      const request = { actor: actorOf(person), decision: 'approve', contentHash, reason: null };
      return decideFile(fileDeps(), { book, id, request: { ...request, decision: 'approve' } });
    });
    const stateOf = async () =>
      (await run('select state, is_approved from payout_files where id = $1', [id]))[0];
    assert.deepEqual(await stateOf(), { state: 'awaiting_approval', is_approved: false });
    await look();
    assert.deepEqual(await stateOf(), { state: 'paying', is_approved: true });
  });
});
