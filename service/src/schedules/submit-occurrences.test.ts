import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { namesBy, sandboxRoutes } from '../../test/name-operator.ts';
import { createTestBook, createTestWallet } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { storePerson } from '../../test/test-person.ts';
import { createControlSnapshots } from '../controls/control-snapshots.ts';
import type { PersonActor } from '../domain/actor.ts';
import type { Book } from '../domain/book.ts';
import { dayIn, zoneOf } from '../domain/zone.ts';
import { changeFile, deleteFile } from '../payout-files/change-file.ts';
import { checkSomeNames } from '../payout-files/check-names.ts';
import { requestNameChecks } from '../payout-files/request-name-checks.ts';
import { submitFile } from '../payout-files/submit-file.ts';
import type { Database } from '../postgres/database.ts';
import { renderEvents } from '../views/render-event.ts';
import { createSchedule } from './create-schedule.ts';
import { makeOccurrence } from './make-occurrence.ts';
import { readCalendar } from './read-calendar.ts';
import { submitOccurrenceFile } from './submit-occurrence-file.ts';
import { claimOccurrences, submitOccurrence } from './submit-occurrences.ts';

const DAY_MS = 24 * 60 * 60_000;

let test: TestDatabase;
let book: Book;
let actor: PersonActor;
let walletId: string;
let fileId: string;

const deps = () => ({
  database: test.database,
  directory: test.directory,
  cells: test.cells,
  controls: createControlSnapshots(test),
  now: () => new Date(),
  newId: () => randomUUID(),
});
const run = <R extends Record<string, unknown>>(text: string, values: readonly unknown[]) =>
  test.database.query<R>({ name: '', text }, values);

before(async () => {
  test = await createTestDatabase();
});
/** A schedule whose time has passed, with its occurrence. */
async function makeOne(): Promise<void> {
  const recurrence = { every: 'week', day: 'wed', at: '08:30', ifHoliday: 'same' } as const;
  const row = {
    phone: '+260977433571',
    operator: 'airtel',
    country: 'zm',
    amountMinor: 100n,
  } as const;
  const { id } = await createSchedule(deps(), {
    book,
    actor,
    order: { name: `Drivers ${randomUUID()}`, walletId, recurrence },
    rows: { kind: 'given', rows: [{ ...row, recipientName: null, narration: null }] },
  });
  await run(
    `update schedules set next_period = next_period - 1, next_at = next_at - interval '7 days' where id = $1`,
    [id],
  );
  assert.notEqual(await makeOccurrence(deps()), 'none');
  const [made] = await run<{ file_id: string }>(
    'select file_id from schedule_occurrences where schedule_id = $1',
    [id],
  );
  fileId = made?.file_id ?? '';
}

beforeEach(async () => {
  book = await createTestBook(test.database);
  const roles = [{ merchantId: book.merchantId, role: 'maker' }] as const;
  const person = await storePerson(test.database, { roles });
  actor = { kind: 'person', id: person.id, name: person.name, merchantId: book.merchantId };
  walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 1_000n });
  await makeOne();
});
after(() => test.drop());

async function submitDue(): Promise<void> {
  const submit = submitOccurrenceFile({ ...deps(), wake: () => undefined });
  for (const one of await claimOccurrences(test.database)) {
    await submitOccurrence({ database: test.database, submit }, one);
  }
}
const submitByPerson = (payAt: Date | null) =>
  submitFile(deps(), { book, actor, id: fileId, contentHash: null, walletId, payAt });
/** As if its time had just come. */
async function beOnTime(): Promise<void> {
  await run('update books set send_late_within_ms = $2 where id = $1', [book.id, 40 * DAY_MS]);
  await run('update schedule_occurrences set waits_because = null where file_id = $1', [fileId]);
}
const setWallet = (status: 'frozen' | 'active') =>
  run('update wallets set status = $2 where id = $1', [walletId, status]);
const comeAgain = () =>
  run('update schedule_occurrences set next_action_at = now() where file_id = $1', [fileId]);
const readRetryInMs = async () => {
  const [row] = await run<{ in_ms: number | null }>(
    `select (1000 * extract(epoch from next_action_at - now()))::double precision as in_ms
     from schedule_occurrences where file_id = $1`,
    [fileId],
  );
  return row?.in_ms ?? null;
};
const readEvents = async () => {
  const keys = await run<{ book_id: string; subject_id: string; seq: number }>(
    'select book_id, subject_id, seq from events where subject_id = $1 order by seq',
    [fileId],
  );
  const rendered = await renderEvents(
    test.database,
    keys.map(({ book_id, subject_id, seq }) => ({ bookId: book_id, subjectId: subject_id, seq })),
  );
  return [...rendered.values()].toSorted((a, b) => a.sequence - b.sequence);
};
const readState = async () => {
  const [row] = await run<{ state: string; refusal_code: string | null }>(
    'select state, refusal_code from schedule_occurrences where file_id = $1',
    [fileId],
  );
  return [row?.state, row?.refusal_code];
};

describe('an occurrence', () => {
  it('whose file was deleted before it was submitted is refused', async () => {
    await deleteFile(deps(), { book, actor, fileId });
    await submitDue();
    assert.deepEqual(await readState(), ['refused', 'PAYOUT_FILE_NOT_FOUND']);
  });

  it('is submitted when a person submits its file, also after it was refused', async () => {
    await setWallet('frozen');
    await submitDue();
    assert.deepEqual(await readState(), ['refused', 'WALLET_INACTIVE']);
    await setWallet('active');
    await submitByPerson(null);
    assert.deepEqual(await readState(), ['submitted', null]);
  });

  it('that was refused for what passes by itself is tried again until it is late', async () => {
    await beOnTime();
    await setWallet('frozen');
    await submitDue();
    assert.deepEqual(await readState(), ['refused', 'WALLET_INACTIVE']);
    const inMs = await readRetryInMs();
    assert.ok(inMs !== null && inMs > 0 && inMs <= 60_000, `tried again in ${String(inMs)} ms`);
    await comeAgain();
    await submitDue();
    assert.deepEqual(await readState(), ['refused', 'WALLET_INACTIVE']);
    await setWallet('active');
    await comeAgain();
    await submitDue();
    assert.deepEqual(await readState(), ['submitted', null]);
  });

  it('that is late by then, or refused for what a person must correct, is not tried again', async () => {
    await beOnTime();
    await setWallet('frozen');
    await run('update books set send_late_within_ms = 1 where id = $1', [book.id]);
    await run('update schedule_occurrences set pay_at = now() where file_id = $1', [fileId]);
    await submitDue();
    assert.deepEqual(
      [await readState(), await readRetryInMs()],
      [['refused', 'WALLET_INACTIVE'], null],
    );
    await setWallet('active');
    await beOnTime();
    await run(`update payout_files set rows_problem = 1 where id = $1`, [fileId]);
    await comeAgain();
    await submitDue();
    assert.deepEqual(
      [await readState(), await readRetryInMs()],
      [['refused', 'FILE_HAS_PROBLEMS'], null],
    );
  });

  it('whose draft a person has changed since it was refused is left to that person', async () => {
    await beOnTime();
    await setWallet('frozen');
    await submitDue();
    await setWallet('active');
    await changeFile(deps(), { book, actor, fileId, name: 'Drivers, corrected', walletId: null });
    await comeAgain();
    await submitDue();
    assert.deepEqual(
      [await readState(), await readRetryInMs()],
      [['refused', 'WALLET_INACTIVE'], null],
    );
  });

  it('whose draft a person changes while it is submitted is left to that person', async () => {
    await beOnTime();
    const correct = () =>
      changeFile(deps(), { book, actor, fileId, name: 'Drivers, half corrected', walletId: null });
    // Before it is read, between that and the moment in which it is frozen, and after a process that claimed it died.
    for (const moment of ['claimed', 'read', 'died'] as const) {
      let [claimed] = await claimOccurrences(test.database);
      if (moment !== 'read') await correct();
      if (moment === 'died') {
        await comeAgain();
        [claimed] = await claimOccurrences(test.database);
      }
      assert.ok(claimed !== undefined);
      let transactions = 0;
      const transaction: Database['transaction'] = async (work) => {
        transactions += 1;
        const isFreezing = transactions === 2;
        if (moment === 'read' && isFreezing) await correct();
        return test.database.transaction(work);
      };
      const submit = submitOccurrenceFile({
        ...deps(),
        database: { ...test.database, transaction },
        wake: () => undefined,
      });
      await submitOccurrence({ database: test.database, submit }, claimed);
      assert.deepEqual(await readState(), ['refused', 'CONTENT_CHANGED']);
      await comeAgain();
      await submitDue();
      assert.deepEqual(
        [await readState(), await readRetryInMs()],
        [['refused', 'CONTENT_CHANGED'], null],
      );
      await makeOne();
      await beOnTime();
    }
  });

  it('whose fees changed is tried again when the process died after it gave the draft new ones', async () => {
    await beOnTime();
    await setWallet('frozen');
    await submitDue();
    await run('update books set fee_fixed_minor = fee_fixed_minor + 1 where id = $1', [book.id]);
    await comeAgain();
    const submit = submitOccurrenceFile({ ...deps(), wake: () => undefined });
    const [claimed] = await claimOccurrences(test.database);
    assert.ok(claimed !== undefined);
    const killed = submitOccurrence(
      { database: test.database, submit: (one) => submit(one).catch(() => assert.fail('killed')) },
      claimed,
    );
    await assert.rejects(killed, /killed/);
    await setWallet('active');
    await comeAgain();
    await submitDue();
    assert.deepEqual(await readState(), ['submitted', null]);
  });

  it('whose names were checked since it was refused is tried again', async () => {
    await beOnTime();
    await setWallet('frozen');
    await submitDue();
    await requestNameChecks(deps(), { book, actor, fileId });
    const names = namesBy(
      sandboxRoutes(() => new Date()),
      test,
    );
    await checkSomeNames({ ...deps(), names, leaseOwner: randomUUID() });
    const [file] = await run('select names_checked from payout_files where id = $1', [fileId]);
    assert.deepEqual(file, { names_checked: 1 });
    await setWallet('active');
    await comeAgain();
    await submitDue();
    assert.deepEqual(await readState(), ['submitted', null]);
  });

  it('that is refused is told by an event, once for each reason, which no correction changes', async () => {
    await beOnTime();
    await setWallet('frozen');
    await submitDue();
    await comeAgain();
    await submitDue();
    const events = await readEvents();
    const [told] = events;
    assert.deepEqual(
      [events.length, told?.type, told?.sequence],
      [1, 'payout_file.not_submitted', 1],
    );
    const data = told?.data as Record<string, unknown>;
    assert.deepEqual(
      [data['id'], data['state'], (data['refusal'] as { code: string }).code],
      [fileId, 'draft', 'WALLET_INACTIVE'],
    );
    assert.match((data['refusal'] as { message: string }).message, /wallet/);
    await setWallet('active');
    await changeFile(deps(), { book, actor, fileId, name: 'Drivers, corrected', walletId: null });
    await submitByPerson(null);
    assert.deepEqual((await readEvents())[0], told);
  });

  it('whose file was deleted before it was submitted is told by no event', async () => {
    await deleteFile(deps(), { book, actor, fileId });
    await submitDue();
    assert.deepEqual(await run('select seq from events where subject_id = $1', [fileId]), []);
  });

  it('that was made in time and is late or without its maker when it is submitted waits for a person', async () => {
    const readWait = async () => {
      const [row] = await run<{ waits_because: string | null; state: string }>(
        `select o.waits_because, f.state from schedule_occurrences o
         join payout_files f on f.book_id = o.book_id and f.id = o.file_id
         where o.file_id = $1`,
        [fileId],
      );
      return [row?.waits_because, row?.state];
    };
    const roles = [{ merchantId: book.merchantId, role: 'approver' }] as const;
    await storePerson(test.database, { roles });
    await beOnTime();
    await run('update books set send_late_within_ms = 1 where id = $1', [book.id]);
    await submitDue();
    assert.deepEqual(await readWait(), ['LATE', 'awaiting_approval']);

    await makeOne();
    await beOnTime();
    await run('delete from merchant_roles where person_id = $1', [actor.id]);
    await submitDue();
    assert.deepEqual(await readWait(), ['MAKER_LEFT', 'awaiting_approval']);
  });

  it('is in the calendar once, at the time that a person chose', async () => {
    const payAt = new Date(Date.now() + 60_000);
    await submitByPerson(payAt);
    await submitDue();
    assert.deepEqual(await readState(), ['submitted', null]);
    const date = dayIn(zoneOf('zm'), payAt);
    const month = date.slice(0, 'YYYY-MM'.length);
    const days = await readCalendar(test.database, { bookId: book.id, country: 'zm', month });
    const shown = days.flatMap(({ items }) => items).filter((item) => item.fileId === fileId);
    assert.deepEqual(
      shown.map(({ kind, at }) => [kind, at]),
      [['schedule', payAt]],
    );
  });
});
