import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import { HELD_LOCK } from '../../../test/held-lock.ts';
import { storeTestEndpoint } from '../../../test/stored-delivery.ts';
import { storeTestTransfer } from '../../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { placeEvents } from '../../events/place-events.ts';
import { listStuck } from '../../resolutions/list-stuck.ts';
import { findSchedule } from '../../schedules/find-schedule.ts';
import { findTransfer } from '../../transfers/read/find-transfer.ts';
import { listDeliveries } from '../../webhooks/list-deliveries.ts';
import { closeMerchant } from './close-merchant.ts';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

const ask = (text: string, values: readonly unknown[] = []) =>
  test.database.query({ name: '', text }, values);

it('shows work at its own times while a merchant moves', async () => {
  const { database } = test;
  const book = await createTestBook(database);
  const walletId = await createTestWallet(database, { bookId: book.id, fundedMinor: 1_000n });
  const order = { book, walletId, leaseOwner: randomUUID(), route: 'sandbox' };
  const { id } = await storeTestTransfer(database, order);
  await ask(
    `update transfers set state = 'in_doubt', in_doubt_since = now(), first_submitted_at = now(), lease_owner = null,
       next_action_at = now() + interval '1 hour' where id = $1`,
    [id],
  );
  await database.transaction(placeEvents);
  const endpoint = await storeTestEndpoint(database, { bookId: book.id });
  await ask(
    `insert into deliveries (book_id, id, endpoint_id, subject_id, event_seq, next_attempt_at, created_at)
     values ($1, gen_random_uuid(), $2, $3, 1, now() + interval '1 hour', now())`,
    [book.id, endpoint.id, id],
  );
  const scheduleId = randomUUID();
  await ask(
    `insert into schedules (
       book_id, id, name, wallet_id, country, currency, every, day, at, zone, if_holiday, state, next_period,
       holidays_version, rows_total, sum_minor, made_by_name, made_by, next_at, created_at, updated_at
     )
     values ($1, $2, 'Wages', $3, 'zm', 'ZMW', 'month', '1', '08:00', 'Africa/Lusaka', 'same', 'active', 30000, 1000, 1,
             100, 'a maker', $2, now() + interval '1 hour', now(), now())`,
    [book.id, scheduleId, walletId],
  );
  await ask(
    `insert into recipients (book_id, id, phone, operator, country, resolution, next_resolve_at, created_at)
     values ($1, gen_random_uuid(), '+260977433571', 'airtel', 'zm', 'pending', now() + interval '1 hour',
             now() - interval '1 day')`,
    [book.id],
  );
  const read = async () => {
    const transfer = await findTransfer(database, { bookId: book.id, mode: book.mode, id });
    const { items } = await listDeliveries(database, {
      endpoint: { bookId: book.id, id: endpoint.id },
      filter: { state: null, from: null, to: null },
      page: { limit: 10, before: null },
    });
    const schedule = await findSchedule(database, { bookId: book.id, id: scheduleId });
    const filter = { mode: null, merchantId: book.merchantId, operator: null };
    const { stuck } = await listStuck(database, filter);
    return {
      transfer: transfer?.nextActionAt,
      deliveries: items.map(({ nextAttemptAt }) => nextAttemptAt),
      schedule: schedule.nextAt,
      stuck: stuck.map(({ nextActionAt }) => nextActionAt),
    };
  };
  const before = await read();
  assert.deepEqual([before.deliveries.length, before.stuck.length], [1, 2]);
  const deps = { database, lock: HELD_LOCK, monotonicMs: () => performance.now() };
  await closeMerchant(deps, { merchantId: book.merchantId, epoch: 2 });
  assert.deepEqual(await read(), before);
});
