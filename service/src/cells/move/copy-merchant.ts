import { AdminRefused } from '../../domain/admin-refused.ts';
import { copyRows } from '../../postgres/copy-rows.ts';
import type { LongTransaction, Queryable, Statement } from '../../postgres/database.ts';
import { GROWING_TABLES } from '../../schema/growing-tables.ts';
import { failpoint } from '../../telemetry/failpoint.ts';
import {
  isCopied,
  listColumns,
  listHashed,
  listMerchantTables,
  type MerchantTable,
  type Moved,
  selectRows,
} from './merchant-tables.ts';
import { actAsMove, type MoveCell } from './moving-merchant.ts';

export type CopyProgress = Readonly<{ table: string; tablesDone: number; tablesTotal: number }>;
export type Copied = Readonly<{ rows: number }>;

/** The copy is not the original: nothing of it is kept. */
class CopyDiffers extends Error {
  constructor(table: string) {
    super(`the copy of ${table} is not the same as its original`);
    this.name = 'CopyDiffers';
  }
}

/**
 * Copies all rows of a closed merchant into another cell, where it is `arriving`: table by table from one snapshot into
 * one transaction, so that a copy is whole or not there. Each table is compared with its original, by the number of its
 * rows and by a sum over all that they hold, before it is committed.
 */
export async function copyMerchant(
  { source, target }: Readonly<{ source: MoveCell; target: MoveCell }>,
  moved: Moved,
  onProgress: (progress: CopyProgress) => void,
): Promise<Copied> {
  const copied = await source.database.longTransaction((from) =>
    target.database.longTransaction(async (to) => {
      await from.query(SNAPSHOT);
      for (const tx of [from, to]) await tx.query(SAME_TEXT);
      await actAsMove(to, moved.merchantId);
      await to.query(ARRIVE, [moved.merchantId]);
      const tables = await listSameTables(from, to);
      let rows = 0;
      for (const [tablesDone, table] of tables.entries()) {
        onProgress({ table: table.name, tablesDone, tablesTotal: tables.length });
        failpoint('move-copying');
        if (isCopied(table)) await copyTable(from, to, { table, moved });
        // A trigger of books gives a new book controls of its own.
        if (table.name === 'books') await keepControls(from, to, moved);
      }
      for (const table of tables) rows += await compare(from, to, { table, moved });
      await to.query(COUNT_CALLBACKS, [moved.books]);
      return { rows };
    }),
  );
  // Plans that were made for what the cell had before would read whole books for each of its rows.
  await target.database.longTransaction((tx) => tx.query(ANALYSE));
  return copied;
}

async function listSameTables(from: Queryable, to: Queryable): Promise<readonly MerchantTable[]> {
  const tables = await listMerchantTables(from);
  const others = await listMerchantTables(to);
  if (JSON.stringify(tables) !== JSON.stringify(others)) {
    throw new Error('the cells do not have the same tables: migrate both to one release');
  }
  return tables;
}

async function copyTable(
  from: LongTransaction,
  to: LongTransaction,
  { table, moved }: Readonly<{ table: MerchantTable; moved: Moved }>,
): Promise<void> {
  const text = `copy (${selectRows(table, moved, 'copied')}) to stdout`;
  const into = `copy ${table.name} (${listColumns(table)}) from stdin`;
  try {
    await copyRows({ client: from.client, text }, { client: to.client, text: into });
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new AdminRefused('MOVE_NOT_COPIED', { table: table.name, cause });
  }
}

async function keepControls(from: Queryable, to: Queryable, { books }: Moved): Promise<void> {
  const rows = await from.query<{ id: string; version: number | null }>(READ_CONTROLS, [books]);
  for (const { id, version } of rows) await to.query(SET_CONTROLS, [id, version]);
}

/** How many rows there are. */
async function compare(
  from: Queryable,
  to: Queryable,
  { table, moved }: Readonly<{ table: MerchantTable; moved: Moved }>,
): Promise<number> {
  const [original, copy] = await Promise.all([
    sumUp(from, selectRows(table, moved, 'copied'), table),
    sumUp(to, selectRows(table, moved, 'stored'), table),
  ]);
  if (original.count !== copy.count || original.digest !== copy.digest) {
    throw new CopyDiffers(table.name);
  }
  return original.count;
}

type Sum = { count: number; digest: string };

async function sumUp(tx: Queryable, rows: string, table: MerchantTable): Promise<Sum> {
  // Hashed as values: as text it takes three times as long.
  const text = `
    select count(*)::double precision as count,
           coalesce(sum(hash_record_extended(row(${listHashed(table)}), 0)::numeric), 0)::text as digest
    from (${rows}) t`;
  const [sum] = await tx.query<Sum>({ name: '', text });
  if (sum === undefined) throw new Error('a sum without a row');
  return sum;
}

const ANALYSE: Statement = { name: '', text: `analyze ${GROWING_TABLES.join(', ')}` };

const SNAPSHOT: Statement = {
  name: '',
  text: 'set transaction isolation level repeatable read, read only',
};

const SAME_TEXT: Statement = {
  name: '',
  text: `
    select set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO', true),
           set_config('intervalstyle', 'postgres', true), set_config('bytea_output', 'hex', true),
           set_config('extra_float_digits', '1', true), set_config('jit', 'off', true)`,
};

// The books do not keep the lists of the company from changing while they are copied: where the merchant is opened, its
// controls are counted up.
const ARRIVE: Statement = {
  name: '',
  text: `select set_config('kafue.arriving', $1, true)`,
};

const READ_CONTROLS: Statement = {
  name: '',
  text: 'select id, controls_version as version from books where id = any ($1::uuid[])',
};

const SET_CONTROLS: Statement = {
  name: '',
  text: 'update books set controls_version = $2 where id = $1 and controls_version is distinct from $2',
};

// The last statement before the commit: it locks what every callback of these routes counts in.
const COUNT_CALLBACKS: Statement = {
  name: '',
  text: `
    insert into callback_usage as u (route, calls, bytes)
    select c.route, count(*), sum(octet_length(c.body))
    from callbacks c
    where c.operator_reference in (
      select t.operator_reference from transfers t where t.book_id = any ($1::uuid[])
    )
    group by c.route
    order by c.route
    on conflict (route) do update
      set calls = u.calls + excluded.calls, bytes = u.bytes + excluded.bytes`,
};
