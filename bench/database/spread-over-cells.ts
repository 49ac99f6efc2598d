import { escapeIdentifier } from 'pg';
import type { Database, Queryable, Statement } from '../../service/src/postgres/database.ts';
import { MAIN_CELL } from '../../service/src/schema/service-schema.ts';
import { type CellPlace, makeCell } from '../../service/test/make-cell.ts';
import { withBenchDatabase } from './bench-database.ts';

/**
 * Adds cells until there are so many, and gives each as many of the merchants as the others. The merchants have
 * nothing yet but their wallets: `npm run admin -- merchants move` would take a while for a thousand.
 */
export async function spreadOverCells(
  url: string,
  { cells, role }: Readonly<{ cells: number; role: string }>,
): Promise<void> {
  await withBenchDatabase(url, async (database) => {
    for (let number = 2; number <= cells; number += 1) {
      const place = { name: `cell_${number}`, schema: `cell_${number}` };
      await makeCell(database, place, role);
      await moveShare(database, place, { number, cells });
    }
  });
}

/** The schemas of all cells, and whether they are on the second server. */
export function listCellPlaces(
  database: Queryable,
): Promise<readonly Readonly<{ schema: string; isElsewhere: boolean }>[]> {
  return database.query<{ schema: string; isElsewhere: boolean }>(LIST);
}

async function moveShare(
  database: Database,
  { name, schema }: CellPlace,
  { number, cells }: Readonly<{ number: number; cells: number }>,
): Promise<void> {
  await database.transaction(async (tx) => {
    const run = (text: string, values: readonly unknown[] = []) =>
      tx.query({ name: '', text }, values);
    await run(TAKE_SHARE, [cells, number, name]);
    const tables = await tx.query<{ table: string; of: string }>(MERCHANT_TABLES, [
      MAIN_CELL.schema,
    ]);
    for (const { table, of } of tables) {
      const from = `${MAIN_CELL.schema}.${escapeIdentifier(table)}`;
      const to = `${escapeIdentifier(schema)}.${escapeIdentifier(table)}`;
      // What the triggers of the target make for new rows is copied with the rest.
      await run(`alter table ${to} disable trigger user`);
      await run(`insert into ${to} select * from ${from} where ${of}`);
      await run(`alter table ${to} enable trigger user`);
    }
    for (const { table, of } of tables.toReversed()) {
      const from = `${MAIN_CELL.schema}.${escapeIdentifier(table)}`;
      await run(`alter table ${from} disable trigger user`);
      await run(`delete from ${from} where ${of}`);
      await run(`alter table ${from} enable trigger user`);
    }
  });
}

const LIST: Statement = {
  name: '',
  text: `
    select schema, url_variable is not null as "isElsewhere" from directory.cells order by name`,
};

// Every `cells`-th merchant, by its place in the order of names.
const TAKE_SHARE = `
  create temporary table share on commit drop as
  with listed as (
    update directory.merchants m set cell = $3
    from (select id, row_number() over (order by name) as place from directory.merchants) o
    where m.id = o.id and o.place % $1::integer = $2::integer - 1
    returning m.id
  )
  select l.id as merchant_id, b.id as book_id from listed l join directory.books b on b.merchant_id = l.id`;

/** The tables with rows of merchants in a schema. Referenced ones come first. */
export const MERCHANT_TABLES: Statement = {
  name: '',
  text: `
    select c.relname::text as table,
           case
             when c.relname = 'merchants' then 'id in (select merchant_id from share)'
             when c.relname = 'books' then 'id in (select book_id from share)'
             when bool_or(a.attname = 'merchant_id') then 'merchant_id in (select merchant_id from share)'
             else 'book_id in (select book_id from share)'
           end as of
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
    where c.relnamespace = $1::regnamespace and c.relkind = 'r'
      and (c.relname in ('merchants', 'books') or a.attname in ('book_id', 'merchant_id'))
    group by c.oid, c.relname
    order by array_position(array['merchants', 'books', 'wallets'], c.relname::text) nulls last`,
};
