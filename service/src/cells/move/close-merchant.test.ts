import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { TEST_ACTOR } from '../../../test/test-actor.ts';
import { createTestMerchant } from '../../../test/test-merchant.ts';
import { createTwoCells, type TwoCells } from '../../../test/two-cells.ts';
import { moveMerchant } from './move-merchant.ts';

let cells: TwoCells;
before(async () => {
  cells = await createTwoCells();
});
after(() => cells.drop());

const ask = (text: string, values: readonly unknown[] = []) =>
  cells.test.database.query({ name: '', text }, values);

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(20);
}

describe('a merchant that is being closed', () => {
  it('is copied only after a write that began while the close waited for a wallet', async () => {
    const { test, second, deps } = cells;
    const merchant = await createTestMerchant(cells.main.database);
    const books = [merchant.books.test, merchant.books.live];
    const lock = Promise.withResolvers<void>();
    const write = Promise.withResolvers<void>();
    const isLocked = Promise.withResolvers<void>();
    const isWritten = Promise.withResolvers<void>();
    // The wallet that the close locks last: it has the number of its transaction by then.
    const locker = test.database.transaction(async (tx) => {
      const text = `
        select id from wallets where book_id = any ($1::uuid[]) order by book_id desc, id desc limit 1 for update`;
      await tx.query({ name: '', text }, [books]);
      isLocked.resolve();
      await lock.promise;
    });
    await isLocked.promise;
    const request = { actor: TEST_ACTOR, merchant: merchant.id, reason: null };
    const move = moveMerchant(deps, { ...request, to: 'second' });
    const waits = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%wallets%'`;
    await until(async () => (await ask(waits)).length > 0);
    const recipient = randomUUID();
    const writer = test.database.transaction(async (tx) => {
      const text = `
        insert into recipients (book_id, id, phone, operator, country, resolution, account_name, created_at)
        values ($1, $2, '+260977433571', 'airtel', 'zm', 'resolved', 'Jane', now())`;
      await tx.query({ name: '', text }, [merchant.books.test, recipient]);
      isWritten.resolve();
      await write.promise;
    });
    await isWritten.promise;
    lock.resolve();
    await locker;
    const state = `select from merchants where id = $1 and state <> 'open'`;
    await until(async () => (await ask(state, [merchant.id])).length > 0);
    // Long enough for a move that waits for nothing.
    await Promise.race([move, pause(1_000)]);
    write.resolve();
    await writer;
    await move;
    const find = { name: '', text: 'select id from recipients where id = $1' };
    assert.deepEqual(await second.database.query(find, [recipient]), [{ id: recipient }]);
  });
});
