import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { storeTestEndpoint } from '../../test/stored-delivery.ts';
import { storeTestTransfer } from '../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import type { Book } from '../domain/book.ts';
import {
  DUE_WORK,
  type DueWork,
  findDueWork,
  findOpenWork,
  OPEN_WORK,
  type OpenWork,
} from './find-due-work.ts';

const MINUTE_MS = 60_000;

let test: TestDatabase;
let book: Book;
let walletId: string;
before(async () => {
  test = await createTestDatabase();
  book = await createTestBook(test.database);
  walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 100_000n });
});
after(() => test.drop());

const query = (text: string, values: readonly unknown[] = []) =>
  test.database.query({ name: '', text }, values);

type Work = Readonly<{
  kind: DueWork | OpenWork;
  what: string;
  /** Stores what is due in an hour. */
  store: (id: string) => Promise<unknown>;
  /** Makes it due, as time would. */
  makeDue: string;
  end: string;
}>;

const storeTransfer = () =>
  storeTestTransfer(test.database, {
    book,
    walletId,
    leaseOwner: randomUUID(),
    sendAt: new Date(Date.now() + 60 * MINUTE_MS),
  });

const storeFile = (state: string) => (id: string) =>
  query(
    `insert into payout_files (
       book_id, id, name, source, state, made_by_name, created_at, updated_at, next_action_at, submitted_at,
       content_hash
     )
     select $1, $2, 'wages', 'file', $3, 'a maker', now(), now(), now() + interval '1 hour', s.at,
            case when s.at is not null then repeat('0', 64) end
     from (select case when $3 = 'paying' then now() end) as s (at)`,
    [book.id, id, state],
  );

const storeSchedule = (id: string) =>
  query(
    `insert into schedules (
       book_id, id, name, wallet_id, country, currency, every, day, at, zone, if_holiday, state, next_period,
       holidays_version, rows_total, sum_minor, made_by_name, made_by, next_at, created_at, updated_at
     )
     values ($1, $2, $4, $3, 'zm', 'ZMW', 'month', '1', '08:00', 'Africa/Lusaka', 'same', 'active', 1, 1000, 1,
             100, 'a maker', $2, now() + interval '1 hour', now(), now())`,
    [book.id, id, walletId, id],
  );

const FILE = {
  makeDue: 'update payout_files set next_action_at = now() where next_action_at is not null',
  end: 'update payout_files set next_action_at = null',
};
const ENDED_TRANSFER = { end: 'update transfers set next_action_at = null' };
const TRANSFER = {
  makeDue: 'update transfers set next_action_at = now() where next_action_at is not null',
  end: 'update transfers set next_action_at = null',
};

const WRITE_EVENTS = `
  insert into events (book_id, subject_id, seq, type, cause, actor, created_at)
  select id, gen_random_uuid(), 1, 'transfer.created', 'accepted', 'test', now() from books`;

const WORK: readonly Work[] = [
  {
    kind: 'transfers',
    what: 'a queued transfer',
    store: storeTransfer,
    makeDue: `update transfers set state = 'queued', route = 'mtn' where next_action_at is not null`,
    ...ENDED_TRANSFER,
  },
  {
    kind: 'transfers',
    what: 'a transfer that was sent',
    store: storeTransfer,
    makeDue: `update transfers set state = 'submitted', route = 'mtn' where next_action_at is not null`,
    ...ENDED_TRANSFER,
  },
  {
    kind: 'deliveries',
    what: 'a delivery that was not made yet',
    store: async () => undefined,
    makeDue: `
      insert into deliveries (book_id, id, endpoint_id, subject_id, event_seq, next_attempt_at, created_at)
      select id, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 1, now() + interval '1 hour', now()
      from books`,
    end: 'delete from deliveries',
  },
  {
    kind: 'recipients',
    what: 'a recipient without a name',
    store: (id) =>
      query(
        `insert into recipients (book_id, id, phone, operator, country, resolution, next_resolve_at, created_at)
         values ($1, $2, '+260977433571', 'airtel', 'zm', 'pending', now() + interval '1 hour', now())`,
        [book.id, id],
      ),
    makeDue: 'update recipients set next_resolve_at = now()',
    end: 'update recipients set next_resolve_at = null',
  },
  { kind: 'scheduledTransfers', what: 'a scheduled transfer', store: storeTransfer, ...TRANSFER },
  {
    kind: 'approvals',
    what: 'a transfer that waits too long for people',
    store: async () => {
      const { id } = await storeTransfer();
      await query(`update transfers set state = 'awaiting_approval' where id = $1`, [id]);
    },
    ...TRANSFER,
  },
  {
    kind: 'approvals',
    what: 'a book whose people changed',
    store: async () => undefined,
    makeDue: `insert into approval_checks (book_id, number) select id, 2 from books`,
    end: 'insert into approval_checks_done (book_id, number) select id, 2 from books',
  },
  {
    kind: 'approvals',
    what: 'a book that the cell itself asks about',
    store: async () => undefined,
    makeDue: `
      insert into approval_checks_done (book_id, asked_at) select id, now() from books
      on conflict (book_id) do update set asked_at = now()`,
    end: 'update approval_checks_done set asked_at = null',
  },
  {
    kind: 'approvals',
    what: 'a look that goes on',
    store: async () => undefined,
    makeDue: `
      insert into approval_checks_done (book_id, after) select id, id from books
      on conflict (book_id) do update set after = excluded.after`,
    end: 'update approval_checks_done set after = null',
  },
  { kind: 'payoutFiles', what: 'a file that is paid', store: storeFile('paying'), ...FILE },
  { kind: 'fileChecks', what: 'an uploaded file', store: storeFile('checking'), ...FILE },
  {
    kind: 'nameChecks',
    what: 'a draft whose names are checked',
    store: storeFile('draft'),
    ...FILE,
  },
  {
    kind: 'schedules',
    what: 'a schedule',
    store: storeSchedule,
    makeDue: 'update schedules set next_at = now() where next_at is not null',
    end: `update schedules set next_at = null, state = 'paused'`,
  },
  {
    kind: 'schedules',
    what: 'a schedule whose holidays changed',
    store: storeSchedule,
    makeDue: 'update schedules set holidays_version = 0',
    end: `update schedules set next_at = null, state = 'paused'`,
  },
  {
    kind: 'schedules',
    what: 'an occurrence whose file is not submitted',
    store: (id) =>
      query(
        `insert into schedule_occurrences (
           book_id, schedule_id, period, day, pay_at, made_at, file_id, state, next_action_at
         )
         values ($1, $2, '2026-11', now(), now(), now(), $2, 'made', now() + interval '1 hour')`,
        [book.id, id],
      ),
    makeDue:
      'update schedule_occurrences set next_action_at = now() where next_action_at is not null',
    end: `update schedule_occurrences set next_action_at = null, state = 'submitted'`,
  },
  {
    kind: 'screenings',
    what: 'a question to a screener',
    store: (id) =>
      query(
        `insert into screenings (book_id, transfer_id, rule, screener, next_attempt_at)
         values ($1, $2, 'big', 'payouts', now() + interval '1 hour')`,
        [book.id, id],
      ),
    makeDue: 'update screenings set next_attempt_at = now() where next_attempt_at is not null',
    end: 'update screenings set next_attempt_at = null',
  },
  {
    kind: 'callbacks',
    what: 'a callback',
    store: async () => undefined,
    makeDue: `
      insert into callbacks (id, route, method, headers, body, reading, verified, received_at)
      values (gen_random_uuid(), 'mtn', 'POST', '{}', '', 'read', true, now())`,
    end: 'update callbacks set handled_at = now()',
  },
  {
    kind: 'events',
    what: 'an event that has waited for its place in the feed',
    store: async () => undefined,
    makeDue: `
      ${WRITE_EVENTS};
      update feed_pending set written_at = now() - interval '3 seconds'`,
    end: 'delete from feed_pending',
  },
];

const find = async () => [
  ...(await findOpenWork(test.database)),
  ...(await findDueWork(test.database)),
];

describe('work that is due', () => {
  for (const { kind, what, store, makeDue, end } of WORK) {
    it(`is found when it comes to ${what}, and not before`, async () => {
      await store(randomUUID());
      await query('delete from feed_pending');
      assert.deepEqual(await find(), []);
      await query(makeDue);
      assert.deepEqual(await find(), [kind]);
      await query(end);
    });
  }

  it('is an event at once when an endpoint waits for it, and else a moment later', async () => {
    await query('delete from feed_pending');
    await query(WRITE_EVENTS);
    assert.deepEqual(await find(), []);
    const { id } = await storeTestEndpoint(test.database, { bookId: book.id });
    assert.deepEqual(await find(), ['events']);
    await query('delete from webhook_endpoints where id = $1', [id]);
    assert.deepEqual(await find(), []);
    await query('delete from feed_pending');
  });

  it('is not there while the merchant is suspended', async () => {
    await storeTransfer();
    await storeSchedule(randomUUID());
    await storeFile('paying')(randomUUID());
    await query('delete from feed_pending');
    await query(TRANSFER.makeDue);
    await query(FILE.makeDue);
    await query('update schedules set next_at = now() where next_at is not null');
    await query('update books set suspended_at = now()');
    const found = await findDueWork(test.database);
    await query('update books set suspended_at = null');
    assert.ok(!found.includes('scheduledTransfers') && !found.includes('schedules'));
    assert.ok((await findDueWork(test.database)).includes('scheduledTransfers'));
  });

  it('has a case here for each kind', () => {
    assert.deepEqual(new Set(WORK.map(({ kind }) => kind)), new Set([...OPEN_WORK, ...DUE_WORK]));
  });
});
