import type { Database, Queryable, Row, Statement } from '../../postgres/database.ts';
import { failpoint } from '../../telemetry/failpoint.ts';
import type { MoveLock } from './move-lock.ts';
import {
  changeMerchant,
  type MoveCell,
  readMerchantHere,
  setMerchantState,
} from './moving-merchant.ts';

/** Callbacks that one statement carries over. */
const CALLBACKS_AT_ONCE_MAX = 500;

/**
 * Marks a merchant as moved in the cell that it left: its rows stay, and nothing of it is served, written or sent there
 * any more. Callbacks that came while it moved are handed over; those whose cell was looked for before this and that are
 * stored after it wait until this is repeated.
 */
export async function leaveCell(
  { source, target, lock }: Readonly<{ source: MoveCell; target: MoveCell; lock: MoveLock }>,
  merchantId: string,
): Promise<void> {
  const there = await readMerchantHere(source.database, merchantId);
  if (there === undefined) return;
  await changeMerchant({ ...source, lock }, merchantId, async (tx, here) => {
    // Loops that look for work by the books themselves pass over it too.
    await tx.query(SUSPEND, [here.books]);
    await tx.query(DROP_CHECKS, [here.books]);
    await setMerchantState(tx, { merchantId, state: 'moved', epoch: here.epoch });
  });
  failpoint('move-leaving');
  await handOverCallbacks(source.database, target.database, there.books);
}

async function handOverCallbacks(
  source: Database,
  target: Database,
  books: readonly string[],
): Promise<void> {
  for (;;) {
    const [found] = await source.query<{ callbacks: Row[] | null }>(READ_WAITING, [
      books,
      CALLBACKS_AT_ONCE_MAX,
    ]);
    const callbacks = found?.callbacks ?? [];
    if (callbacks.length === 0) return;
    await target.transaction((tx) => keep(tx, callbacks));
    await source.query(DROP, [callbacks.map(({ id }) => id)]);
  }
}

async function keep(tx: Queryable, callbacks: readonly Row[]): Promise<void> {
  await tx.query(KEEP, [JSON.stringify(callbacks)]);
}

const SUSPEND: Statement = {
  name: '',
  text: `
    update books set suspended_at = now() where id = any ($1::uuid[]) and suspended_at is null`,
};

// They were copied, and the other cell looks at them.
const DROP_CHECKS: Statement = {
  name: '',
  text: 'delete from approval_checks_done where book_id = any ($1::uuid[])',
};

const READ_WAITING: Statement = {
  name: '',
  text: `
    select json_agg(c) as callbacks
    from (
      select c.* from callbacks c
      where c.handled_at is null and c.operator_reference in (
        select t.operator_reference from transfers t where t.book_id = any ($1::uuid[])
      )
      order by c.received_at
      limit $2
    ) c`,
};

const KEEP: Statement = {
  name: '',
  text: `
    with kept as (
      insert into callbacks
      select * from json_populate_recordset(null::callbacks, $1::json)
      on conflict do nothing
      returning route, octet_length(body) as bytes
    )
    insert into callback_usage as u (route, calls, bytes)
    select k.route, count(*), sum(k.bytes) from kept k group by k.route order by k.route
    on conflict (route) do update
      set calls = u.calls + excluded.calls, bytes = u.bytes + excluded.bytes`,
};

const DROP: Statement = {
  name: '',
  text: `
    with gone as (
      delete from callbacks where id = any ($1::uuid[]) returning route, octet_length(body) as bytes
    ),
    freed as materialized (
      select g.route, count(*) as calls, sum(g.bytes) as bytes from gone g group by g.route
    )
    update callback_usage u set calls = u.calls - f.calls, bytes = u.bytes - f.bytes
    from freed f where u.route = f.route`,
};
