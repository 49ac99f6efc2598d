import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { storeTestTransfer } from '../../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import type { Book } from '../../domain/book.ts';
import type { Transfer } from '../../domain/transfer.ts';
import { findDueWork } from '../../due-work/find-due-work.ts';
import { claimCheck } from '../../payout-files/claim-check.ts';
import { claimFiles } from '../../payout-files/claim-files.ts';
import { claimPending } from '../../recipients/claim-pending.ts';
import { makeOccurrence } from '../../schedules/make-occurrence.ts';
import { createOccurrenceLoop } from '../../schedules/occurrence-loop.ts';
import { claimOccurrences } from '../../schedules/submit-occurrences.ts';
import { createLogger } from '../../telemetry/logger.ts';
import {
  applyCallbacks,
  CALLBACKS_AT_ONCE_MAX,
} from '../../transfers/callbacks/apply-callbacks.ts';
import { storeCallbacks } from '../../transfers/callbacks/store-callbacks.ts';
import { firstBook } from '../../transfers/move/claim-walk.ts';

let test: TestDatabase;
let closing: Book;
let open: Book;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());
beforeEach(async () => {
  await ask(`update merchants set state = 'open'`);
  await endAll();
  [closing, open] = [await createTestBook(test.database), await createTestBook(test.database)];
});

const ask = <R extends Record<string, unknown>>(text: string, values: readonly unknown[] = []) =>
  test.database.query<R>({ name: '', text }, values);
const endAll = () =>
  ask(`
    update schedules set next_at = null, state = 'paused';
    update schedule_occurrences set next_action_at = null, state = 'submitted';
    update payout_files set next_action_at = null, lease_owner = null;
    update recipients set next_resolve_at = null`);
const newId = () => randomUUID();

/** What is due is stored for both merchants, that of the closing one first, and is not put off yet. */
async function storeForBoth(store: (book: Book, at: string) => Promise<unknown>): Promise<void> {
  await store(closing, '2 minutes');
  await store(open, '1 minute');
  await ask(`update merchants set state = 'closing' where id = $1`, [closing.merchantId]);
}

const storeFile =
  (state: string) =>
  (book: Book, ago: string, id = randomUUID()) =>
    ask(
      `insert into payout_files (
         book_id, id, name, source, state, made_by_name, created_at, updated_at, next_action_at, submitted_at,
         content_hash, wallet_id
       )
       select $1, $2, 'wages', 'file', $3, 'a maker', now(), now(), now() - $4::interval, s.at,
              case when s.at is not null then repeat('0', 64) end, $5
       from (select case when $3 = 'paying' then now() end) as s (at)`,
      [book.id, id, state, ago, randomUUID()],
    );

async function storeSchedule(
  book: Book,
  { ago, holidaysVersion = 1000 }: Readonly<{ ago: string; holidaysVersion?: number }>,
): Promise<void> {
  await ask(
    `insert into schedules (
       book_id, id, name, wallet_id, country, currency, every, day, at, zone, if_holiday, state, next_period,
       holidays_version, rows_total, sum_minor, made_by_name, made_by, next_at, created_at, updated_at
     )
     values ($1, gen_random_uuid(), gen_random_uuid(), $2, 'zm', 'ZMW', 'month', '1', '08:00', 'Africa/Lusaka', 'same', 'active',
             30000, $4, 1, 100, 'a maker', gen_random_uuid(), now() - $3::interval, now(), now())`,
    [book.id, await createTestWallet(test.database, { bookId: book.id }), ago, holidaysVersion],
  );
}

async function storeOccurrence(book: Book, ago: string): Promise<void> {
  const id = randomUUID();
  await storeFile('draft')(book, '-1 hour', id);
  await ask(
    `insert into schedule_occurrences (
       book_id, schedule_id, period, day, pay_at, made_at, file_id, state, next_action_at
     )
     values ($1, $2, '2026-11', now(), now(), now(), $2, 'made', now() - $3::interval)`,
    [book.id, id, ago],
  );
}

async function storeSent(book: Book): Promise<Transfer> {
  const walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 1_000n });
  const order = { book, walletId, leaseOwner: randomUUID(), route: 'sandbox' };
  const transfer = await storeTestTransfer(test.database, order);
  await ask(`update transfers set state = 'submitted', lease_owner = null where id = $1`, [
    transfer.id,
  ]);
  return transfer;
}

const callbackAbout = ({ operatorReference }: Transfer) =>
  ({
    id: randomUUID(),
    route: 'sandbox',
    method: 'POST',
    headers: {},
    body: Buffer.from('paid'),
    reading: 'read',
    cause: null,
    operatorReference,
    claims: 'paid',
    verified: false,
    reported: null,
    receivedAt: new Date(),
  }) as const;

describe('work of other merchants, while one is being closed', () => {
  it('is claimed: files that are paid', async () => {
    await storeForBoth(storeFile('paying'));
    const claimed = await claimFiles(test.database, { leaseOwner: randomUUID(), max: 10 });
    assert.deepEqual(
      claimed.map(({ file }) => file.book.id),
      [open.id],
    );
  });

  it('is claimed: files that are checked', async () => {
    await storeForBoth(storeFile('checking'));
    const claimed = await claimCheck(test.database, {
      leaseOwner: randomUUID(),
      afterBook: firstBook(),
    });
    assert.equal(claimed?.book.id, open.id);
  });

  it('is claimed: recipients without a name', async () => {
    await storeForBoth((book, ago) =>
      ask(
        `insert into recipients (book_id, id, phone, operator, country, resolution, next_resolve_at, created_at)
         values ($1, gen_random_uuid(), '+260977433571', 'airtel', 'zm', 'pending', now() - $2::interval, now())`,
        [book.id, ago],
      ),
    );
    const claimed = await claimPending(test.database, { now: new Date(), max: 10 });
    assert.equal(claimed.length, 1);
    const left = await ask(`select book_id as id from recipients where next_resolve_at <= now()`);
    assert.deepEqual(left, [{ id: closing.id }]);
  });

  it('is claimed: occurrences whose files are to be submitted', async () => {
    await storeForBoth(storeOccurrence);
    const claimed = await claimOccurrences(test.database);
    assert.deepEqual(
      claimed.map(({ book }) => book.id),
      [open.id],
    );
  });

  it('is taken: schedules that are due, and those whose holidays have changed', async () => {
    for (const holidaysVersion of [1000, 0]) {
      await ask(`update merchants set state = 'open'`);
      await endAll();
      const ago = holidaysVersion === 0 ? '-1000 years' : '1 minute';
      await storeForBoth((book) => storeSchedule(book, { ago, holidaysVersion }));
      assert.equal(await makeOccurrence({ database: test.database, newId }), 'moved');
      assert.equal(await makeOccurrence({ database: test.database, newId }), 'none');
      assert.ok(!(await findDueWork(test.database)).includes('schedules'));
    }
  });

  for (const end of ['null', 'now()']) {
    const isEnded = end !== 'null';
    const what = isEnded ? 'that has just ended' : 'that was sent';
    it(`is done: a callback is read behind many about a payout ${what}`, async () => {
      const [ofClosing, ofOpen] = [await storeSent(closing), await storeSent(open)];
      const ended = `update transfers set state = 'succeeded', next_action_at = null, completed_at = now() where id = $1`;
      if (isEnded) await ask(ended, [ofClosing.id]);
      await ask(`update merchants set state = 'closing' where id = $1`, [closing.merchantId]);
      const early = Array.from({ length: CALLBACKS_AT_ONCE_MAX }, () => callbackAbout(ofClosing));
      await storeCallbacks(test.database, early);
      const late = { ...callbackAbout(ofOpen), receivedAt: new Date(Date.now() + 1_000) };
      await storeCallbacks(test.database, [late]);
      const families = new Map<string, string>();
      const first = await applyCallbacks(test.database, { at: new Date(), families });
      assert.equal(first.handled, 1);
      const unhandled = 'select id from callbacks where handled_at is null';
      assert.equal((await ask(unhandled)).length, CALLBACKS_AT_ONCE_MAX);
      await ask(`update merchants set state = 'open'`);
      const { handled } = await applyCallbacks(test.database, { at: new Date(), families });
      assert.equal(handled, CALLBACKS_AT_ONCE_MAX);
    });
  }

  it('is submitted although a schedule cannot be made', { timeout: 10_000 }, async () => {
    await storeSchedule(closing, { ago: '1 minute' });
    await storeOccurrence(open, '1 minute');
    await ask('alter table schedules add constraint planted check (next_at < now()) not valid');
    const submitted = Promise.withResolvers<string>();
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const loop = createOccurrenceLoop({
      database: test.database,
      newId,
      logger: createLogger({ level: 'warn', destination }),
      submit: async ({ book }) => submitted.resolve(book.id),
    });
    loop.start();
    assert.equal(await submitted.promise, open.id);
    await loop.stop();
    await ask('alter table schedules drop constraint planted');
    assert.match(lines.join(''), /looking for schedules whose time has come failed, trying again/);
  });
});
