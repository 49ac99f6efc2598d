import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createTestBook, createTestWallet } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { storePerson } from '../../test/test-person.ts';
import { createControlSnapshots } from '../controls/control-snapshots.ts';
import type { PersonActor } from '../domain/actor.ts';
import type { Book } from '../domain/book.ts';
import { dayIn, zoneOf } from '../domain/zone.ts';
import { deleteFile } from '../payout-files/change-file.ts';
import { submitFile } from '../payout-files/submit-file.ts';
import { createSchedule } from './create-schedule.ts';
import { makeOccurrence } from './make-occurrence.ts';
import { readCalendar } from './read-calendar.ts';
import { submitOccurrenceFile } from './submit-occurrence-file.ts';
import { claimOccurrences, submitOccurrence } from './submit-occurrences.ts';

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
beforeEach(async () => {
  book = await createTestBook(test.database);
  const roles = [{ merchantId: book.merchantId, role: 'maker' }] as const;
  const person = await storePerson(test.database, { roles });
  actor = { kind: 'person', id: person.id, name: person.name, merchantId: book.merchantId };
  walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 1_000n });
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
    order: { name: 'Drivers', walletId, recurrence },
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
    const freeze = (status: string) =>
      run('update wallets set status = $2 where id = $1', [walletId, status]);
    await freeze('frozen');
    await submitDue();
    assert.deepEqual(await readState(), ['refused', 'WALLET_INACTIVE']);
    await freeze('active');
    await submitByPerson(null);
    assert.deepEqual(await readState(), ['submitted', null]);
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
