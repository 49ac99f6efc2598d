import type { Database, Queryable, Statement } from '../../postgres/database.ts';
import { failpoint } from '../../telemetry/failpoint.ts';
import { listMerchantTables } from './merchant-tables.ts';
import type { MoveLock } from './move-lock.ts';
import { holdMerchant, readMerchantHere } from './moving-merchant.ts';

/** Rows that one transaction deletes, so that none lasts long. */
const ROWS_AT_ONCE_MAX = 10_000;
/** Deleted with their transfers, by which alone they are found. */
const CALLBACKS = 'callbacks';

/**
 * Deletes what a cell has of a merchant that moved away, or that was arriving. The database deletes nothing of a
 * merchant that is open or closing. May be repeated. Returns the number of rows.
 */
export async function forgetRows(
  { database, lock }: Readonly<{ database: Database; lock: MoveLock }>,
  merchantId: string,
): Promise<number> {
  const here = await readMerchantHere(database, merchantId);
  if (here === undefined) return 0;
  if (here.state !== 'moved' && here.state !== 'arriving') {
    throw new Error(`the merchant is ${here.state} in the cell that is to forget it`);
  }
  await lock.check();
  const inPart = (work: (tx: Queryable) => Promise<number>): Promise<number> =>
    database.longTransaction(async (tx) => {
      await holdMerchant(tx, merchantId, here);
      return work(tx);
    });
  let rows = await inPart((tx) => forgetCallbacks(tx, here.books));
  // Who is referred to goes last.
  const tables = (await listMerchantTables(database)).toReversed();
  for (const { name } of tables) {
    if (name === CALLBACKS) continue;
    for (;;) {
      const gone = await inPart((tx) => forgetSome(tx, merchantId, name));
      rows += gone;
      failpoint('move-forgetting');
      if (gone < ROWS_AT_ONCE_MAX) break;
    }
  }
  return rows;
}

async function forgetSome(tx: Queryable, merchantId: string, table: string): Promise<number> {
  const [row] = await tx.query<{ gone: number }>(FORGET, [merchantId, table, ROWS_AT_ONCE_MAX]);
  return row?.gone ?? 0;
}

async function forgetCallbacks(tx: Queryable, books: readonly string[]): Promise<number> {
  const [row] = await tx.query<{ gone: number }>(FORGET_CALLBACKS, [books]);
  return row?.gone ?? 0;
}

const FORGET: Statement = {
  name: '',
  text: 'select forget_rows($1, $2, $3)::integer as gone',
};

// Usage is locked in the order of the routes, as where callbacks are stored and cleaned.
const FORGET_CALLBACKS: Statement = {
  name: '',
  text: `
    with gone as (
      delete from callbacks c
      where c.operator_reference in (
        select t.operator_reference from transfers t where t.book_id = any ($1::uuid[])
      )
      returning c.route, octet_length(c.body) as bytes
    ),
    freed as materialized (
      select g.route, count(*) as calls, sum(g.bytes) as bytes from gone g group by g.route
    ),
    locked as materialized (
      select u.route from callback_usage u
      where u.route in (select f.route from freed f)
      order by u.route
      for update
    ),
    counted as (
      update callback_usage u set calls = u.calls - f.calls, bytes = u.bytes - f.bytes
      from freed f join locked l on l.route = f.route
      where u.route = f.route
    )
    select count(*)::integer as gone from gone`,
};
