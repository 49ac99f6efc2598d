import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Approvals, openApprovals, resultOf } from '../../test/open-approvals.ts';
import { storeFile } from '../../test/stored-file.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import type { TestPerson } from '../../test/test-person.ts';
import { createControlSnapshots } from '../controls/control-snapshots.ts';
import { changeSchedule } from '../schedules/change-schedule.ts';
import { createSchedule, type ScheduleOrder } from '../schedules/create-schedule.ts';
import type { RowsSource } from '../schedules/keep-rows.ts';
import { makeOccurrence } from '../schedules/make-occurrence.ts';
import { changeFile } from './change-file.ts';
import { correctRow, dropProblemRows, dropRow, restoreRow } from './change-row.ts';
import { decideFile } from './file-approvals.ts';
import { retryFailedRows } from './retry-failed-rows.ts';
import { submitFile } from './submit-file.ts';

let test: TestDatabase;
let approvals: Approvals;
let maker: TestPerson;
/** A maker too, and one who could approve the work of others. */
let both: TestPerson;
before(async () => {
  test = await createTestDatabase();
});
beforeEach(async () => {
  approvals = await openApprovals(test.database);
  const { personWith } = approvals;
  [maker, both] = await Promise.all([personWith('maker'), personWith('maker', 'approver')]);
  await personWith('approver');
});
after(() => test.drop());

function depsOf() {
  const controls = createControlSnapshots(test);
  return { ...approvals.deps, controls, wake: () => undefined };
}

function requestOf(person: TestPerson, fileId: string) {
  return { book: approvals.book, actor: approvals.actorOf(person), fileId };
}

const storeDraft = (madeBy: TestPerson): Promise<string> =>
  storeFile(test.database, {
    bookId: approvals.book.id,
    walletId: approvals.walletId,
    madeBy: madeBy.id,
    rows: [{}, {}, {}],
  });

function submit(id: string, person: TestPerson): Promise<void> {
  const { book, actorOf } = approvals;
  const given = { contentHash: null, walletId: null, payAt: null, waitsForPerson: true };
  return submitFile(depsOf(), { book, actor: actorOf(person), id, ...given });
}

/** What becomes of their approval, and of one that is written past the service. */
async function approve(id: string, person: TestPerson): Promise<readonly string[]> {
  const { book, actorOf, run } = approvals;
  const [file] = await run('select content_hash from payout_files where id = $1', [id]);
  const contentHash = String(file?.['content_hash']);
  const request = { actor: actorOf(person), decision: 'approve', contentHash, reason: null };
  const work = decideFile(depsOf(), { book, id, request: { ...request, decision: 'approve' } });
  const result = await resultOf(work);
  if (result === 'done') return [result];
  const insert = run(
    `insert into approvals (
       book_id, subject_kind, subject_id, round, person_id, person_name, decision, role, content_hash, decided_at
     )
     values ($1, 'file', $2, 1, $3, 'x', 'approve', 'approver', $4, now())`,
    [book.id, id, person.id, contentHash],
  );
  const stored = await insert.then(
    () => 'stored',
    (error: unknown) => String(error).replace(/^error: /, ''),
  );
  return [result, stored];
}

const REFUSED = ['OWN_WORK', 'a person cannot decide about what they made'];

describe('a payout file cannot be approved', () => {
  const changes: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
    'corrected a row': (id) =>
      correctRow(depsOf(), {
        ...requestOf(both, id),
        number: 2,
        corrections: { phone: '0977999888', operator: 'airtel' },
      }),
    'dropped a row': (id) => dropRow(depsOf(), { ...requestOf(both, id), number: 1 }),
    'restored a row': async (id) => {
      await dropRow(depsOf(), { ...requestOf(maker, id), number: 1 });
      await restoreRow(depsOf(), { ...requestOf(both, id), number: 1 });
    },
    'dropped the rows with problems': async (id) => {
      await approvals.run(
        `update payout_file_rows set state = 'problem' where file_id = $1 and number = 1`,
        [id],
      );
      await dropProblemRows(depsOf(), requestOf(both, id));
    },
    'chose its wallet': (id) =>
      changeFile(depsOf(), {
        ...requestOf(both, id),
        name: null,
        walletId: approvals.walletId,
      }),
  };
  for (const [what, change] of Object.entries(changes)) {
    it(`by who ${what} of another's draft`, async () => {
      const id = await storeDraft(maker);
      await change(id);
      await submit(id, maker);
      assert.deepEqual(await approve(id, both), REFUSED);
    });
  }

  it('by who uploaded or submitted it, and can be by another person', async () => {
    const id = await storeDraft(both);
    await submit(id, maker);
    assert.deepEqual(await approve(id, both), REFUSED);
    const other = await storeDraft(maker);
    await submit(other, both);
    assert.deepEqual(await approve(other, both), REFUSED);
    assert.deepEqual(await approve(other, await approvals.personWith('approver')), ['done']);
  });

  it('by who uploaded or submitted it in a process of a release that knows no makers', async () => {
    const id = await storeDraft(maker);
    const keyId = randomUUID();
    const told =
      'select array(select unnest(makers) order by 1) as makers from payout_files where id = $1';
    const makers = [`key:${keyId}`, `person:${both.id}`, `person:${maker.id}`].toSorted();
    await approvals.run(
      'update payout_files set submitted_by = $2, submitted_by_key = $3 where id = $1',
      [id, both.id, keyId],
    );
    assert.deepEqual(await approvals.run(told, [id]), [{ makers }]);
  });

  it('by who wrote the rows that failed, if another has them paid again', async () => {
    const id = await storeDraft(both);
    await submit(id, both);
    await approvals.run(
      `update payout_files set state = 'done', ended_at = now(), next_action_at = null, approval_expires_at = null
       where id = $1`,
      [id],
    );
    await approvals.run(
      `update payout_file_rows set state = 'refused', refusal_code = 'INSUFFICIENT_BALANCE', reference = 'r-' || number
       where file_id = $1`,
      [id],
    );
    const { book, actorOf } = approvals;
    const { id: again } = await retryFailedRows(depsOf(), { book, actor: actorOf(maker), id });
    await submit(again, maker);
    assert.deepEqual(await approve(again, both), REFUSED);
  });

  it('at all, and is refused, if each who could approve it had a hand in it', async () => {
    approvals = await openApprovals(test.database);
    const { personWith } = approvals;
    [maker, both] = await Promise.all([personWith('maker'), personWith('maker', 'approver')]);
    const id = await storeDraft(maker);
    await dropRow(depsOf(), { ...requestOf(both, id), number: 1 });
    assert.equal(await resultOf(submit(id, maker)), 'APPROVAL_IMPOSSIBLE');
  });
});

describe('what a schedule pays', () => {
  const recurrence = { every: 'week', day: 'wed', at: '08:30', ifHoliday: 'same' } as const;
  const orderOf = (name: string) => ({ name, walletId: approvals.walletId, recurrence });
  const given = (amountMinor: bigint) => {
    const to = { phone: '+260977433571', operator: 'airtel', country: 'zm' } as const;
    const row = { ...to, amountMinor, recipientName: null, narration: null };
    return { kind: 'given', rows: [row] } as const;
  };
  const create = (person: TestPerson, rows: RowsSource) =>
    createSchedule(depsOf(), {
      book: approvals.book,
      actor: approvals.actorOf(person),
      order: orderOf('Salaries'),
      rows,
    });
  const change = (
    person: TestPerson,
    id: string,
    { rows = null, ...order }: Partial<ScheduleOrder> & { rows?: RowsSource | null },
  ) =>
    changeSchedule(depsOf(), {
      book: approvals.book,
      actor: approvals.actorOf(person),
      id,
      order: { ...orderOf('Pay'), ...order },
      rows,
    });

  /** The file of its next time, submitted. */
  async function makeFile(id: string): Promise<string> {
    await approvals.run(
      `update schedules set next_period = next_period - 1, next_at = next_at - interval '7 days' where id = $1`,
      [id],
    );
    const made = await makeOccurrence(depsOf());
    assert.ok(typeof made === 'object');
    await submit(made.fileId, maker);
    return made.fileId;
  }

  it('cannot be approved by who wrote its list, though another changed its name', async () => {
    const { id } = await create(maker, { kind: 'file', fileId: await storeDraft(both) });
    await change(maker, id, {});
    assert.deepEqual(await approve(await makeFile(id), both), REFUSED);
  });

  it('cannot be approved by who changed when it pays, though another changed its name after', async () => {
    const { id } = await create(maker, given(100n));
    await change(both, id, { recurrence: { ...recurrence, at: '09:00' } });
    await change(maker, id, { name: 'Wages' });
    assert.deepEqual(await approve(await makeFile(id), both), REFUSED);
  });

  it('cannot be approved by who changed when it pays, though another wrote its list anew', async () => {
    const { id } = await create(maker, given(100n));
    await change(both, id, { recurrence: { ...recurrence, at: '09:00' } });
    await change(maker, id, { name: 'Wages' });
    await change(maker, id, { rows: given(200n) });
    assert.deepEqual(await approve(await makeFile(id), both), REFUSED);
  });
});

describe('a transfer of a payout file', () => {
  it('cannot be approved by who had a hand in the file', async () => {
    const { store, decide, run, book } = approvals;
    const id = await storeDraft(maker);
    await dropRow(depsOf(), { ...requestOf(both, id), number: 1 });
    const waiting = await store({ creator: `person:${maker.id}` });
    await run('update transfers set file_id = $2 where id = $1', [waiting.transfer.id, id]);
    assert.equal(await resultOf(decide(waiting, both)), 'OWN_WORK');
    const insert = run(
      `insert into approvals (
         book_id, subject_kind, subject_id, round, person_id, person_name, decision, role, content_hash, decided_at
       )
       values ($1, 'transfer', $2, 1, $3, 'x', 'approve', 'approver', $4, now())`,
      [book.id, waiting.transfer.id, both.id, waiting.contentHash],
    );
    await assert.rejects(insert, /cannot decide about what they made/);
  });
});

describe('a key', () => {
  it('makes who issued it as one of the staff the maker of what it orders', async () => {
    const { store, decide, run, book } = approvals;
    const keyId = randomUUID();
    await run(
      `insert into api_keys (book_id, id, hash, hint, name, scopes, created_at, created_by)
       values ($1, $2, sha256(gen_random_uuid()::text::bytea), 'hint', 'Key', '{read}', now(), $3)`,
      [book.id, keyId, both.id],
    );
    const waiting = await store({ creator: `key:${keyId}` });
    assert.equal(await resultOf(decide(waiting, both)), 'OWN_WORK');
  });
});
