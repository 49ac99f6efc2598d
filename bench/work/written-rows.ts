import { setTimeout as wait } from 'node:timers/promises';
import type { Database, Statement } from '../../service/src/postgres/database.ts';

export type Written = Readonly<{
  walBytes: number;
  /** By the name of the table. */
  tables: ReadonlyMap<string, Rows>;
}>;

export type Rows = Readonly<{
  inserted: number;
  updated: number;
  /** Of those, how many needed no new entry in any index. */
  inPlace: number;
  deleted: number;
}>;

/** A connection without work reports its counts after ten seconds at the latest. */
const REPORTED_WITHIN_MS = 10_500;

/** What the server has written so far. */
export async function readWritten(database: Database): Promise<Written> {
  await wait(REPORTED_WITHIN_MS);
  const [log] = await database.query<{ bytes: string }>(READ_LOG, []);
  const tables = await database.query<Rows & { name: string }>(READ_TABLES, []);
  return {
    walBytes: Number(log?.bytes),
    tables: new Map(tables.map(({ name, ...rows }) => [name, rows])),
  };
}

const READ_LOG: Statement = {
  name: '',
  text: `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text as bytes`,
};

const READ_TABLES: Statement = {
  name: '',
  text: `
    select relname as name,
           n_tup_ins::float8 as inserted,
           n_tup_upd::float8 as updated,
           n_tup_hot_upd::float8 as "inPlace",
           n_tup_del::float8 as deleted
      from pg_stat_user_tables
     order by 1`,
};

export function writtenBetween(before: Written, after: Written): Written {
  const tables = [...after.tables].map(([name, rows]) => {
    const first = before.tables.get(name);
    const since = (count: keyof Rows) => rows[count] - (first?.[count] ?? 0);
    return [
      name,
      {
        inserted: since('inserted'),
        updated: since('updated'),
        inPlace: since('inPlace'),
        deleted: since('deleted'),
      },
    ] as const;
  });
  return { walBytes: after.walBytes - before.walBytes, tables: new Map(tables) };
}
