import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createTestBook, createTestWallet } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { storePerson } from '../../test/test-person.ts';
import type { PersonActor } from '../domain/actor.ts';
import type { Book } from '../domain/book.ts';
import { refuse } from '../domain/refusal.ts';
import { addDays } from '../domain/zone.ts';
import { enterHoliday, removeHoliday } from '../holidays/change-holidays.ts';
import { nameOccurrence } from '../payout-files/row-reference.ts';
import { changeSchedule } from './change-schedule.ts';
import { createSchedule, type ScheduleOrder } from './create-schedule.ts';
import { findSchedule } from './find-schedule.ts';
import { makeOccurrence } from './make-occurrence.ts';
import type { Schedule, ScheduleRow } from './schedule.ts';
import { setScheduleState } from './set-schedule-state.ts';
import { claimOccurrences, submitOccurrence } from './submit-occurrences.ts';

const WEEK_MS = 7 * 24 * 60 * 60_000;
const ROW: ScheduleRow = {
  phone: '+260977433571',
  operator: 'airtel',
  country: 'zm',
  amountMinor: 10_000n,
  recipientName: 'Joseph Tembo',
  narration: null,
};

let test: TestDatabase;
let book: Book;
let actor: PersonActor;
let order: ScheduleOrder;
const newId = () => randomUUID();
const deps = () => ({
  database: test.database,
  directory: test.directory,
  cells: test.cells,
  now: () => new Date(),
  newId,
});
before(async () => {
  test = await createTestDatabase();
});
beforeEach(async () => {
  // Only the schedules of this test are due.
  await run('delete from schedule_rows; delete from schedules');
  book = await createTestBook(test.database, { mode: 'live' });
  await run('update books set fee_fixed_minor = 50 where id = $1', [book.id]);
  const person = await storePerson(test.database, {
    roles: [{ merchantId: book.merchantId, role: 'maker' }],
  });
  actor = { kind: 'person', id: person.id, name: person.name, merchantId: book.merchantId };
  const walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 1_000n });
  const recurrence = { every: 'week', day: 'wed', at: '08:30', ifHoliday: 'after' } as const;
  order = { name: 'Drivers', walletId, recurrence };
});
after(() => test.drop());

const run = <R extends Record<string, unknown>>(text: string, values: readonly unknown[] = []) =>
  test.database.query<R>({ name: '', text }, values);

async function create(count = 2): Promise<Schedule> {
  const rows = Array.from({ length: count }, () => ROW);
  const given = { kind: 'given', rows } as const;
  return createSchedule(deps(), { book, actor, order, rows: given });
}

/** As if the service had not run for so many weeks. */
const passWeeks = (schedule: Schedule, weeks: number) =>
  run(
    `update schedules set next_period = next_period - $2, next_at = next_at - $2 * interval '7 days' where id = $1`,
    [schedule.id, weeks],
  );
const allowLate = (ms: number) =>
  run('update books set send_late_within_ms = $2 where id = $1', [book.id, ms]);

async function makeAll(): Promise<void> {
  while ((await makeOccurrence(deps())) !== 'none');
}

type MadeRow = { period: string; file_id: string; waits_because: string | null };
const readMade = ({ id }: Schedule) =>
  run<MadeRow>(
    `select period, file_id, waits_because from schedule_occurrences where schedule_id = $1 order by pay_at`,
    [id],
  );
const countFiles = async ({ id }: Schedule) =>
  (await run('select id from payout_files where schedule_id = $1', [id])).length;

describe('what is due', () => {
  it('is made once by many processes at once, with its file, rows and fees', async () => {
    const schedule = await create();
    await passWeeks(schedule, 1);
    await Promise.all(Array.from({ length: 8 }, () => makeOccurrence(deps())));
    await makeAll();
    const made = await readMade(schedule);
    assert.equal(made.length, 1);
    const files = await run<{ id: string; state: string; rows_total: number; sum_minor: bigint }>(
      'select id, state, rows_total, sum_minor from payout_files where schedule_id = $1',
      [schedule.id],
    );
    assert.deepEqual(files, [
      { id: made[0]?.file_id, state: 'draft', rows_total: 2, sum_minor: 20_000n },
    ]);
    const rows = await run<{ number: number; state: string; fee_minor: bigint; phone: string }>(
      'select number, state, fee_minor, phone from payout_file_rows where file_id = $1 order by number',
      [made[0]?.file_id],
    );
    const row = { state: 'ready', fee_minor: 50n, phone: ROW.phone };
    assert.deepEqual(rows, [
      { number: 1, ...row },
      { number: 2, ...row },
    ]);
    const now = await findSchedule(test.database, schedule);
    assert.deepEqual([now.nextPeriod, now.nextAt], [schedule.nextPeriod, schedule.nextAt]);
  });

  it('is made whole or not at all', async () => {
    const schedule = await create();
    await passWeeks(schedule, 1);
    // Fails after the occurrence was stored.
    await run(
      `alter table payout_files add constraint planted check (source <> 'schedule') not valid`,
    );
    await assert.rejects(makeOccurrence(deps()));
    await run('alter table payout_files drop constraint planted');
    assert.deepEqual(await readMade(schedule), []);
    await makeAll();
    assert.deepEqual([(await readMade(schedule)).length, await countFiles(schedule)], [1, 1]);
  });

  it('is not made again by a clock or a database that is set back', async () => {
    const schedule = await create();
    await passWeeks(schedule, 2);
    await makeAll();
    await passWeeks(schedule, 2);
    await makeAll();
    assert.deepEqual([(await readMade(schedule)).length, await countFiles(schedule)], [2, 2]);
  });

  it('is named after schedule and period, so a restored database gives it the same references', async () => {
    const schedule = await create();
    await passWeeks(schedule, 2);
    await makeAll();
    const named = await run<{ period: string; reference_name: string | null }>(
      `select o.period, f.reference_name from schedule_occurrences o join payout_files f on f.id = o.file_id
       where o.schedule_id = $1`,
      [schedule.id],
    );
    assert.deepEqual(
      named.map(({ reference_name: name }) => name),
      named.map(({ period }) => nameOccurrence({ scheduleId: schedule.id, period })),
    );
    assert.equal(new Set(named.map(({ reference_name: name }) => name)).size, 2);
  });

  it('is made for every week of an outage, and what is too late waits for a person', async () => {
    const schedule = await create();
    await allowLate(1.5 * WEEK_MS);
    await passWeeks(schedule, 3);
    await makeAll();
    const made = await readMade(schedule);
    assert.deepEqual(
      made.map(({ waits_because }) => waits_because),
      // The last one is up to a week old, the one before it up to two.
      [made[0]?.waits_because, made[1]?.waits_because, null],
    );
    assert.equal(made[0]?.waits_because, 'LATE');
    assert.equal(new Set(made.map(({ period }) => period)).size, 3);
  });

  it('waits for a person when its maker may not pay any more', async () => {
    const schedule = await create();
    await allowLate(2 * WEEK_MS);
    await run('delete from merchant_roles where person_id = $1', [actor.id]);
    await passWeeks(schedule, 1);
    await makeAll();
    assert.deepEqual(
      (await readMade(schedule)).map(({ waits_because }) => waits_because),
      ['MAKER_LEFT'],
    );
  });

  it('waits while its merchant is suspended', async () => {
    const schedule = await create();
    await passWeeks(schedule, 1);
    await run('update books set suspended_at = now() where id = $1', [book.id]);
    await makeAll();
    assert.deepEqual(await readMade(schedule), []);
    await run('update books set suspended_at = null where id = $1', [book.id]);
    await makeAll();
    assert.equal((await readMade(schedule)).length, 1);
  });
});

describe('a schedule', () => {
  it('moves with a holiday that is entered later, and back', async () => {
    const schedule = await create();
    const person = await storePerson(test.database, { staffRoles: ['admin'] });
    const admin = { kind: 'person', id: person.id, name: person.name } as const;
    const day = schedule.nextAt?.toISOString().slice(0, 10) ?? '';
    const holiday = { country: 'zm', day, name: 'Election day', source: 'Gazette' } as const;
    await run('delete from holidays where country = $1 and day between $2 and $3', [
      'zm',
      day,
      addDays(day, 1),
    ]);
    await enterHoliday(deps(), { actor: admin, holiday });
    await makeAll();
    const moved = await findSchedule(test.database, schedule);
    assert.equal(moved.nextAt?.toISOString().slice(0, 10), addDays(day, 1));
    await removeHoliday(deps(), { actor: admin, country: 'zm', day });
    await makeAll();
    assert.deepEqual((await findSchedule(test.database, schedule)).nextAt, schedule.nextAt);
    assert.deepEqual(await readMade(schedule), []);
  });

  it('makes nothing while paused, and does not make up for it', async () => {
    const schedule = await create();
    const step = (word: 'pause' | 'resume') =>
      setScheduleState(deps(), { book, actor, id: schedule.id, step: word });
    await passWeeks(schedule, 2);
    await step('pause');
    await makeAll();
    assert.deepEqual(await readMade(schedule), []);
    const resumed = await step('resume');
    await makeAll();
    assert.deepEqual(await readMade(schedule), []);
    assert.deepEqual(resumed.nextAt, schedule.nextAt);
  });

  it('is not changed while it is due, so that nothing is forgotten', async () => {
    const schedule = await create();
    await passWeeks(schedule, 1);
    const recurrence = { ...order.recurrence, at: '09:00' } as const;
    const change = () =>
      changeSchedule(deps(), {
        book,
        actor,
        id: schedule.id,
        order: { ...order, recurrence },
        rows: null,
      });
    await assert.rejects(change(), { code: 'INVALID_STATE' });
    await makeAll();
    assert.equal((await change()).rule.at, '09:00');
  });

  it('does not pay a week twice when its day is changed', async () => {
    const schedule = await create();
    await run('update schedules set next_at = now() where id = $1', [schedule.id]);
    // This week's occurrence exists, as if it had just been made.
    await run(
      `insert into schedule_occurrences (
         book_id, schedule_id, period, day, pay_at, made_at, file_id, state
       )
       select $1, $2, period, now(), now(), now(), gen_random_uuid(), 'submitted'
       from unnest($3::text[]) period`,
      [book.id, schedule.id, isoWeeks(2)],
    );
    await makeAll();
    await run(`update schedules set next_at = now() + interval '1 day' where id = $1`, [
      schedule.id,
    ]);
    for (const day of ['mon', 'tue', 'thu', 'fri', 'sat', 'sun'] as const) {
      const recurrence = { every: 'week', day, at: '08:30', ifHoliday: 'after' } as const;
      const request = { book, actor, id: schedule.id, order: { ...order, recurrence }, rows: null };
      const { nextAt } = await changeSchedule(deps(), request);
      assert.ok(
        (nextAt?.getTime() ?? 0) > Date.now() + WEEK_MS,
        `${day}: ${nextAt?.toISOString()}`,
      );
    }
  });
});

/** This week and the next, as PostgreSQL's to_char would name them. */
function isoWeeks(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(Date.now() + index * WEEK_MS);
    const thursday = new Date(at);
    thursday.setUTCDate(at.getUTCDate() + 3 - ((at.getUTCDay() + 6) % 7));
    const year = thursday.getUTCFullYear();
    const week = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / WEEK_MS) + 1;
    return `${year}-W${String(week).padStart(2, '0')}`;
  });
}

describe('the file of an occurrence', () => {
  async function makeDue(): Promise<Schedule> {
    await run(`update schedule_occurrences set state = 'submitted', next_action_at = null`);
    const schedule = await create();
    await passWeeks(schedule, 1);
    await makeAll();
    return schedule;
  }
  const readState = async ({ id }: Schedule) =>
    run<{ state: string; refusal_code: string | null }>(
      'select state, refusal_code from schedule_occurrences where schedule_id = $1',
      [id],
    );

  it('is submitted by one process at a time, and again when that process died', async () => {
    const schedule = await makeDue();
    const [one, other] = await Promise.all([
      claimOccurrences(test.database),
      claimOccurrences(test.database),
    ]);
    assert.equal([...one, ...other].length, 1);
    await run('update schedule_occurrences set next_action_at = now() where schedule_id = $1', [
      schedule.id,
    ]);
    const [again] = await claimOccurrences(test.database);
    assert.ok(again !== undefined);
    await submitOccurrence({ database: test.database, submit: async () => undefined }, again);
    assert.deepEqual(await readState(schedule), [{ state: 'submitted', refusal_code: null }]);
    assert.deepEqual(await claimOccurrences(test.database), []);
  });

  it('keeps a refusal for people, and is tried again after everything else', async () => {
    const schedule = await makeDue();
    const [claimed] = await claimOccurrences(test.database);
    assert.ok(claimed !== undefined);
    const fail = (error: Error) =>
      submitOccurrence(
        {
          database: test.database,
          async submit() {
            throw error;
          },
        },
        claimed,
      );
    await assert.rejects(fail(new Error('the connection was lost')));
    await assert.rejects(fail(refuse('UNAVAILABLE')));
    assert.deepEqual(await readState(schedule), [{ state: 'made', refusal_code: null }]);
    await fail(refuse('WALLET_INACTIVE'));
    assert.deepEqual(await readState(schedule), [
      { state: 'refused', refusal_code: 'WALLET_INACTIVE' },
    ]);
  });
});
