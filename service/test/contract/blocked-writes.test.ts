import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { createTestMerchant } from '../test-merchant.ts';
import { textOf } from './api-client.ts';
import { openContract, poll, TRANSFERS } from './open-contract.ts';

const CHANGES = 40;
/** What is known of a key is not used any more after this time (merchants/authenticate-key.ts). */
const KEY_CACHE_MS = 800;
/** A call that waits for one of the locked connections gets its answer after 5 seconds. */
const ANSWERED_WITHIN_MS = 2_000;
/** Calls of one merchant's keys that change something other than payouts, at once. */
const CHANGES_AT_ONCE_MAX = 2;
/** Uploads of one merchant's keys that are stored at once. */
const UPLOADS_STORED_AT_ONCE_MAX = 1;

const contract = await openContract();
after(() => contract.close());
const { api, apiWith, database, merchant, order } = contract;

const LOCK_ENDPOINT = { name: '', text: 'select from webhook_endpoints where id = $1 for update' };
const LOCK_BOOK = { name: '', text: 'select from books where id = $1 for no key update' };
// A connection that waits for a row waits for the holder of its lock, or for another that waits for it.
const READ_BLOCKED = {
  name: '',
  text: `
    with recursive blocked as (
      select $1::integer as pid
      union
      select a.pid
      from pg_stat_activity a
      join blocked b on b.pid = any(pg_blocking_pids(a.pid))
      where a.datname = current_database()
    )
    select a.query from blocked b join pg_stat_activity a using (pid) where b.pid <> $1`,
};

/** Locks a row until `release` is called. */
async function hold(lock: typeof LOCK_ENDPOINT, id: string) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: locked, resolve: isLocked } = Promise.withResolvers<number>();
  const holding = database.transaction(async (tx) => {
    await tx.query(lock, [id]);
    const [row] = await tx.query<{ pid: number }>({
      name: '',
      text: 'select pg_backend_pid() as pid',
    });
    isLocked(row?.pid ?? assert.fail('no process id'));
    await released;
  });
  const pid = await locked;
  return {
    /** The statements that wait for the row. */
    blocked: async (): Promise<readonly string[]> => {
      const rows = await database.query<{ query: string }>(READ_BLOCKED, [pid]);
      return rows.map(({ query }) => query);
    },
    release: async (): Promise<void> => {
      release();
      await holding;
    },
  };
}

it('pays for a merchant while the changes of another wait for one locked row', async () => {
  const other = await createTestMerchant(database);
  const theirs = apiWith(other.keys.test);
  const pay = () => theirs.post(TRANSFERS, order({ walletId: other.wallets.test.ZMW }));
  assert.equal((await pay()).status, 201);
  const { data } = await api.post('webhooks', { url: 'https://hooks.example.com/a' });
  const { blocked, release } = await hold(LOCK_ENDPOINT, textOf(data.id));
  const change = {
    method: 'PATCH',
    path: `webhooks/${textOf(data.id)}`,
    headers: { 'content-type': 'application/json' },
    body: { events: ['transfer.failed'] },
  };
  const changes = Array.from({ length: CHANGES }, () => api.send(change));
  try {
    await poll(blocked, ({ length }) => length >= CHANGES_AT_ONCE_MAX);
    await wait(KEY_CACHE_MS + 200);
    const startedMs = performance.now();
    const paid = await pay();
    const paidMs = performance.now() - startedMs;
    assert.equal(paid.status, 201, paid.text);
    assert.ok(paidMs < ANSWERED_WITHIN_MS, `answered after ${paidMs} ms`);
    const changed = await theirs.post('webhooks', { url: 'https://hooks.example.com/b' });
    assert.equal(changed.status, 201, changed.text);
    const statements = await blocked();
    assert.equal(statements.length, CHANGES_AT_ONCE_MAX, statements.join('\n'));
  } finally {
    await release();
  }
  const statuses = new Set((await Promise.all(changes)).map(({ status }) => status));
  assert.ok(statuses.has(200));
  // Calls that waited too long for their turn are refused.
  statuses.delete(503);
  assert.deepEqual([...statuses], [200]);
});

it('stores uploads of a merchant while those of another wait for its locked book, and refuses none', async () => {
  const other = await createTestMerchant(database);
  const upload = (by: typeof api, key: string) =>
    by.send({
      method: 'POST',
      path: 'payout-files',
      headers: { 'content-type': 'text/csv', 'idempotency-key': key },
      body: 'phone,amount\n0977433571,10\n',
    });
  const { blocked, release } = await hold(LOCK_BOOK, merchant.books.test);
  const uploads = Array.from({ length: CHANGES }, () => upload(api, 'repeated'));
  try {
    await poll(blocked, ({ length }) => length >= UPLOADS_STORED_AT_ONCE_MAX);
    const startedMs = performance.now();
    const stored = await upload(apiWith(other.keys.test), 'other');
    const storedMs = performance.now() - startedMs;
    assert.equal(stored.status, 201, stored.text);
    assert.ok(storedMs < ANSWERED_WITHIN_MS, `answered after ${storedMs} ms`);
    const statements = await blocked();
    assert.equal(statements.length, UPLOADS_STORED_AT_ONCE_MAX, statements.join('\n'));
  } finally {
    await release();
  }
  const statuses = (await Promise.all(uploads)).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 201).length, 1);
  assert.equal(statuses.filter((status) => status === 200).length, CHANGES - 1);
});
