import { setTimeout as pause } from 'node:timers/promises';
import { AdminRefused } from '../../domain/admin-refused.ts';
import { placeEvents } from '../../events/place-events.ts';
import type { Database, Queryable, Statement } from '../../postgres/database.ts';
import { failpoint } from '../../telemetry/failpoint.ts';
import type { MoveLock } from './move-lock.ts';
import {
  actAsMove,
  changeMerchant,
  type MerchantHere,
  setMerchantState,
} from './moving-merchant.ts';
import { putOffWork } from './moving-work.ts';

/**
 * How long payouts that are being sent may take to end. A lease is 30 seconds, and a process that died lets it run out.
 */
const QUIET_MAX_MS = 60_000;
/** Webhooks and screeners that are asked twice do no harm, so they are not waited for that long. */
const OTHERS_MAX_MS = 3_000;
const LOOK_AGAIN_MS = 50;

type CloseDeps = Readonly<{ database: Database; lock: MoveLock; monotonicMs: () => number }>;
type Closing = Readonly<{ merchantId: string; epoch: number }>;

/**
 * Refuses all writes of a merchant in this cell, waits until what it has under way has ended, and puts off the rest.
 * Afterwards nothing of it changes here, and its rows can be copied. May be repeated.
 */
export async function closeMerchant(deps: CloseDeps, closing: Closing): Promise<void> {
  let books: readonly string[] = [];
  const startedMs = deps.monotonicMs();
  const waitedMs = (): number => deps.monotonicMs() - startedMs;
  await changeMerchant(deps, closing.merchantId, async (tx, here) => {
    books = here.books;
    await refuseWrites(tx, closing, here);
  });
  failpoint('move-closing');
  await waitForOlder(deps.database, waitedMs);
  for (;;) {
    const evenLeased = waitedMs() > OTHERS_MAX_MS;
    if (await freeze(deps.database, { merchantId: closing.merchantId, books, evenLeased })) break;
    if (waitedMs() > QUIET_MAX_MS) throw new AdminRefused('MOVE_NOT_QUIET', {});
    await pause(LOOK_AGAIN_MS);
  }
}

/** New payouts are refused from here on; what was sent may still end. */
async function refuseWrites(
  tx: Queryable,
  { merchantId, epoch }: Closing,
  { state, books }: MerchantHere,
): Promise<void> {
  if (state !== 'open' && state !== 'closing') {
    throw new Error(`the merchant is ${state} in the cell that it moves from`);
  }
  await tx.query(LOCK_WALLETS, [books]);
  await tx.query(CLOSE_FOR_HOLDS, [books]);
  await setMerchantState(tx, { merchantId, state: 'closing', epoch: epoch - 1 });
}

/**
 * What was written before the merchant was closed must be committed before its rows are copied. A write that found the
 * merchant open had the number of its transaction before the close was committed, so its number is smaller than one
 * that is given out now. It may be larger than that of the close itself, which got its own at its first row and may
 * have waited for another. The end of a snapshot would not do either: it is the last number that has ended, plus one.
 */
async function waitForOlder(database: Database, waitedMs: () => number): Promise<void> {
  const [next] = await database.query<{ transactionId: string }>(TAKE_TRANSACTION_ID);
  if (next === undefined) throw new Error('a transaction without an id');
  for (;;) {
    const [row] = await database.query<{ done: boolean }>(ARE_OLDER_DONE, [next.transactionId]);
    if (row?.done === true) return;
    if (waitedMs() > QUIET_MAX_MS) throw new AdminRefused('MOVE_NOT_QUIET', {});
    await pause(LOOK_AGAIN_MS);
  }
}

/** Whether nothing of the merchant is under way any more. If so, nothing of it changes from now on. */
async function freeze(
  database: Database,
  work: Readonly<{ merchantId: string; books: readonly string[]; evenLeased: boolean }>,
): Promise<boolean> {
  const left = await database.transaction(async (tx) => {
    await actOnClosing(tx, work.merchantId);
    return putOffWork(tx, work);
  });
  if (left.transfers + left.others > 0) return false;
  await database.transaction(placeEvents);
  return await database.transaction(async (tx) => {
    await actOnClosing(tx, work.merchantId);
    await tx.query(LOCK_WALLETS, [work.books]);
    // Events that were placed just now have deliveries.
    const { transfers, others } = await putOffWork(tx, work);
    const [pending] = await tx.query<{ count: number }>(COUNT_PENDING, [work.books]);
    if (transfers + others + (pending?.count ?? 0) > 0) return false;
    await tx.query(CLOSE_FOR_ALL, [work.books]);
    return true;
  });
}

/** A merchant that another process has opened again is left alone. */
async function actOnClosing(tx: Queryable, merchantId: string): Promise<void> {
  await actAsMove(tx, merchantId);
  if ((await tx.query(HOLD_CLOSING, [merchantId])).length === 0) {
    throw new Error('the merchant is not closing any more');
  }
}

const HOLD_CLOSING: Statement = {
  name: '',
  text: `select id from merchants where id = $1 and state = 'closing' for share`,
};

const LOCK_WALLETS: Statement = {
  name: '',
  text: `
    select id from wallets where book_id = any ($1::uuid[]) order by book_id, id for update`,
};

const CLOSE_FOR_HOLDS: Statement = {
  name: '',
  text: `
    update wallets set closed_for = 'holds' where book_id = any ($1::uuid[]) and closed_for is null`,
};

const CLOSE_FOR_ALL: Statement = {
  name: '',
  text: `update wallets set closed_for = 'all' where book_id = any ($1::uuid[])`,
};

const TAKE_TRANSACTION_ID: Statement = {
  name: '',
  text: `select pg_current_xact_id()::text as "transactionId"`,
};

const ARE_OLDER_DONE: Statement = {
  name: '',
  text: `select pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 as done`,
};

const COUNT_PENDING: Statement = {
  name: '',
  text: `
    select count(*)::integer as count from feed_pending where book_ids && $1::uuid[]`,
};
