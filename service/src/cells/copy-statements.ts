import type { Statement } from '../postgres/database.ts';
import type { DirectoryTable } from './directory-tables.ts';

/** Rows that are read and stored at once while a copy is filled. */
export const ROWS_MAX = 1_000;

/** Statements on one table, made once from its description. Rows and keys are JSON as PostgreSQL writes it. */
export type TableStatements = Readonly<{
  /** Then `readRows` gives the next part, up to ROWS_MAX: JSON text, so a number of 64 bits is never read as a double. */
  openRows: Statement;
  readRows: Statement;
  closeRows: Statement;
  deleteAll: Statement;
  /** An array of rows. */
  putRows: Statement;
  /** One key. */
  deleteRow: Statement;
}>;

export function statementsFor({ name, key, nullable, columns }: DirectoryTable): TableStatements {
  const table = `directory.${name}`;
  const list = columns.join(', ');
  const changing = columns.filter((column) => !key.includes(column));
  // An update, and no delete before it: a statement that waits for the row's lock finds it again.
  const set = changing.map((column) => `${column} = excluded.${column}`).join(', ');
  const isSame = (column: string) =>
    nullable.includes(column)
      ? `t.${column} is not distinct from k.${column}`
      : `t.${column} = k.${column}`;
  return {
    openRows: {
      name: '',
      text: `
        declare copied_rows no scroll cursor for
        select to_jsonb(r)::text as row from (select ${list} from ${table}) r`,
    },
    readRows: { name: '', text: `fetch ${ROWS_MAX} from copied_rows` },
    closeRows: { name: '', text: 'close copied_rows' },
    deleteAll: { name: '', text: `delete from ${table}` },
    putRows: {
      name: '',
      text: `
        insert into ${table} (${list})
        select ${list} from jsonb_populate_recordset(null::${table}, $1::jsonb)
        on conflict (${key.join(', ')}) do ${set === '' ? 'nothing' : `update set ${set}`}`,
    },
    deleteRow: {
      name: '',
      text: `
        delete from ${table} t
        using jsonb_populate_record(null::${table}, $1::jsonb) k
        where ${key.map(isSame).join(' and ')}`,
    },
  };
}
