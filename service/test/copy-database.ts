import type { Database } from '../src/postgres/database.ts';

/**
 * Copies every row to a database that has the same tables and no rows, as a restored dump would: triggers do not fire,
 * and the server's own counters, such as transaction ids, are those of the new server.
 */
export async function copyDatabase(from: Database, to: Database): Promise<void> {
  const tables = await from.query<{ name: string }>({ name: '', text: TABLES });
  await to.transaction(async (tx) => {
    for (const { name } of tables) {
      await tx.query({ name: '', text: `alter table ${name} disable trigger user` });
      // Rows that migrations inserted are replaced by the copied ones.
      await tx.query({ name: '', text: `delete from ${name}` });
    }
    for (const { name } of tables) {
      const [row] = await from.query<{ rows: string }>({
        name: '',
        text: `select coalesce(json_agg(t), '[]')::text as rows from ${name} t`,
      });
      const text = `
        insert into ${name} overriding system value
        select * from json_populate_recordset(null::${name}, $1)`;
      await tx.query({ name: '', text }, [row?.rows]);
      await tx.query({ name: '', text: `alter table ${name} enable trigger user` });
    }
  });
}

// Referenced tables come first.
const TABLES = `
  select c.relnamespace::regnamespace || '.' || c.relname as name
  from pg_class c
  where c.relnamespace in (select relnamespace from pg_class where relname = 'migrations')
    and c.relkind = 'r' and c.relname <> 'migrations'
  order by array_position(
             array['cells', 'merchants', 'books', 'people', 'administrators', 'acts'], c.relname::text
           ) nulls last`;
