import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { directMoves } from '../../../test/direct-moves.ts';
import {
  type Approvals,
  asks,
  openApprovals,
  resultOf,
  type Waiting,
} from '../../../test/open-approvals.ts';
import { pollUntil } from '../../../test/poll.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { cancelTransfer } from '../../transfers/move/cancel-transfer.ts';
import { expireWaiting } from './expire-waiting.ts';
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

async function untilWaiting(statements: number): Promise<void> {
  await pollUntil('statements to wait for a lock', async () => {
    const [row] = await approvals.run(`
      select count(*)::integer as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    return row?.['waiting'] === statements;
  });
}

const LOCK_TRANSFER = 'select from transfers where id = $1 for update';

/**
 * Has all begin while the row is locked, so that all have read it, and then lets them go at once. Returns what became of
 * each.
 */
async function atOnce(
  { transfer }: Waiting,
  works: readonly (() => Promise<unknown>)[],
): Promise<readonly string[]> {
  let results: Promise<readonly string[]> | undefined;
  await test.database.transaction(async (tx) => {
    await tx.query({ name: '', text: LOCK_TRANSFER }, [transfer.id]);
    results = Promise.all(works.map((work) => resultOf(work())));
    await untilWaiting(works.length);
  });
  return (await results) ?? [];
}

const cancel = ({ transfer }: Waiting) =>
  cancelTransfer(
    { database: test.database, moves: directMoves(test.database) },
    { book: approvals.book, id: transfer.id, actor: 'test' },
  );

async function countOf(type: string, waiting: Waiting): Promise<number> {
  const types = await approvals.eventsOf(waiting.transfer);
  return types.filter((one) => one === type).length;
}

async function decisionsOf({ transfer }: Waiting): Promise<number> {
  const text = 'select count(*)::integer as count from approvals where subject_id = $1';
  return Number((await approvals.run(text, [transfer.id]))[0]?.['count']);
}

describe('at the same time', () => {
  it('of an approval and a cancellation one wins, and the other leaves nothing', async () => {
    const { personWith, store, decide, read, held, assertLedgerRight } = approvals;
    const approver = await personWith('approver');
    const waiting = await store();
    const works = [() => decide(waiting, approver), () => cancel(waiting)];
    const [approved, cancelled] = await atOnce(waiting, works);
    const { state } = await read(waiting.transfer);
    if (approved === 'done') {
      assert.deepEqual([cancelled, state, await held()], ['INVALID_STATE', 'queued', '700']);
    } else {
      assert.deepEqual([approved, cancelled, state], ['ALREADY_DECIDED', 'done', 'cancelled']);
      assert.equal(await decisionsOf(waiting), 0);
      assert.equal(await held(), '0');
    }
    await assertLedgerRight();
  });

  it('of an approval, a rejection and a recall one wins', async () => {
    const { personWith, store, decide, read, held, book, deps, actorOf } = approvals;
    const [approver, other, maker] = await Promise.all([
      personWith('approver'),
      personWith('approver'),
      personWith('maker'),
    ]);
    const waiting = await store({ creator: `person:${maker.id}` });
    const recall = { book, id: waiting.transfer.id, actor: actorOf(maker) };
    const results = await atOnce(waiting, [
      () => decide(waiting, approver),
      () => decide(waiting, other, 'reject'),
      () => recallTransfer(deps, recall),
    ]);
    const losers = results.filter((result) => result === 'ALREADY_DECIDED');
    assert.deepEqual([losers.length, results.includes('done')], [2, true], results.join());
    const isQueued = (await read(waiting.transfer)).state === 'queued';
    assert.equal(await held(), isQueued ? '700' : '0');
    await approvals.assertLedgerRight();
  });

  it('of approvals and rejections of one person one counts, and the others are told so', async () => {
    const { personWith, store, decide, read } = approvals;
    const approver = await personWith('approver');
    const waiting = await store();
    const approve = () => decide(waiting, approver);
    const reject = () => decide(waiting, approver, 'reject');
    const results = await atOnce(waiting, [approve, reject, approve, reject, approve, reject]);
    const others = Array.from({ length: 5 }, () => 'ALREADY_DECIDED');
    assert.deepEqual([...results].sort(), [...others, 'done']);
    assert.equal(await decisionsOf(waiting), 1);
    assert.ok(['queued', 'cancelled'].includes((await read(waiting.transfer)).state));
  });

  it('of two who approve for the last place one does, and it is approved once', async () => {
    const { personWith, store, decide, read } = approvals;
    const people = await Promise.all([personWith('approver'), personWith('approver')]);
    const waiting = await store();
    const works = people.map((person) => () => decide(waiting, person));
    assert.deepEqual([...(await atOnce(waiting, works))].sort(), ['ALREADY_DECIDED', 'done']);
    assert.equal((await read(waiting.transfer)).state, 'queued');
    assert.equal(await decisionsOf(waiting), 1);
    assert.equal(await countOf('transfer.approved', waiting), 1);
  });

  it('two who approve for the last two places see each other', async () => {
    const { personWith, store, decide, read } = approvals;
    const people = await Promise.all([personWith('approver'), personWith('approver')]);
    const waiting = await store({ needed: [asks('big', 2, 'approver')] });
    const works = people.map((person) => () => decide(waiting, person));
    assert.deepEqual(await atOnce(waiting, works), ['done', 'done']);
    assert.equal((await read(waiting.transfer)).state, 'queued');
    assert.equal(await countOf('transfer.approved', waiting), 1);
  });

  it('a person who decides twice is counted once', async () => {
    const { personWith, store, decide, read } = approvals;
    const approver = await personWith('approver');
    const waiting = await store({ needed: [asks('big', 2, 'approver')] });
    const works = [() => decide(waiting, approver), () => decide(waiting, approver)];
    assert.deepEqual([...(await atOnce(waiting, works))].sort(), ['ALREADY_DECIDED', 'done']);
    assert.equal((await read(waiting.transfer)).state, 'awaiting_approval');
  });

  it('a person who is removed between click and commit does not count', async () => {
    const { personWith, store, decide, remove, read } = approvals;
    const approver = await personWith('approver');
    const waiting = await store();
    // The removal is first: it holds the roles until it commits.
    let approval: Promise<string> | undefined;
    await test.database.transaction(async (tx) => {
      const merchant = `people of ${approvals.book.merchantId}`;
      const lock = 'select pg_advisory_xact_lock(hashtextextended($1, 0))';
      await tx.query({ name: '', text: lock }, [merchant]);
      approval = resultOf(decide(waiting, approver));
      await untilWaiting(1);
      const text = 'delete from merchant_roles where person_id = $1';
      await tx.query({ name: '', text }, [approver.id]);
    });
    assert.equal(await approval, 'FORBIDDEN');
    assert.equal((await read(waiting.transfer)).state, 'awaiting_approval');
    // The approval is first: the removal waits, and what was approved stays so.
    const second = await personWith('approver');
    const results = await atOnce(waiting, [
      () => decide(waiting, second),
      async () => {
        await untilWaiting(1);
        await remove(second);
      },
    ]);
    assert.deepEqual(results, ['done', 'done']);
    assert.equal((await read(waiting.transfer)).state, 'queued');
  });

  it('a policy that changes neither delays an approval nor changes what was asked for', async () => {
    const { personWith, store, decide, read, book } = approvals;
    const [first, second] = await Promise.all([personWith('approver'), personWith('approver')]);
    const waiting = await store({ needed: [asks('big', 2, 'approver')] });
    await decide(waiting, first);
    await test.database.transaction(async (tx) => {
      const text =
        'update books set controls_version = coalesce(controls_version, 0) + 1 where id = $1';
      await tx.query({ name: '', text }, [book.id]);
      await decide(waiting, second);
    });
    const { state, approvalsNeeded } = await read(waiting.transfer);
    assert.deepEqual([state, approvalsNeeded], ['queued', [asks('big', 2, 'approver')]]);
  });

  it('of an approval and the expiry one wins', async () => {
    const { personWith, store, decide, read, held, assertLedgerRight } = approvals;
    const approver = await personWith('approver');
    const expire = () =>
      expireWaiting({ database: test.database, moves: directMoves(test.database) });
    // It expires while the approval waits for the row.
    const waiting = await store();
    let approval: Promise<string> | undefined;
    await test.database.transaction(async (tx) => {
      await tx.query({ name: '', text: LOCK_TRANSFER }, [waiting.transfer.id]);
      approval = resultOf(decide(waiting, approver));
      await untilWaiting(1);
      const text = `update transfers set next_action_at = now() - interval '1 s' where id = $1`;
      await tx.query({ name: '', text }, [waiting.transfer.id]);
    });
    assert.equal(await approval, 'ALREADY_DECIDED');
    await expire();
    assert.equal((await read(waiting.transfer)).failureCode, 'APPROVAL_EXPIRED');
    // Two processes cancel what has expired, once.
    const late = await store({ expiresInMs: -1 });
    const results = await atOnce(late, [expire, expire, () => decide(late, approver)]);
    assert.equal(results[2], 'ALREADY_DECIDED');
    assert.equal((await read(late.transfer)).state, 'cancelled');
    assert.equal(await countOf('transfer.cancelled', late), 1);
    assert.equal(await held(), '0');
    await assertLedgerRight();
  });
});
