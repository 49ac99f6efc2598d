import type { Queryable, Statement } from '../postgres/database.ts';

/** A cell as the directory knows it. */
export type KnownCell = Readonly<{
  name: string;
  schema: string;
  /** The environment variable that has the address of its server; null: the server of the directory. */
  urlVariable: string | null;
}>;

/** All cells, in the order of their names. A closed one is among them: only new merchants are not placed there. */
export async function listCells(directory: Queryable): Promise<readonly KnownCell[]> {
  const rows = await directory.query<CellRow>(LIST);
  return rows.map(({ name, schema, url_variable: urlVariable }) => ({ name, schema, urlVariable }));
}

type CellRow = { name: string; schema: string; url_variable: string | null };

const LIST: Statement = {
  name: 'list-cells',
  text: 'select name, schema, url_variable from directory.cells order by name collate "C"',
};

export type ListedCell = KnownCell &
  Readonly<{
    createdAt: Date;
    /** No new merchants are placed in it since then. Its own merchants go on as before. */
    closedAt: Date | null;
    merchants: number;
  }>;

/** The same for people. */
export async function listCellsInFull(directory: Queryable): Promise<readonly ListedCell[]> {
  return directory.query<ListedCell>(LIST_IN_FULL);
}

const LIST_IN_FULL: Statement = {
  name: '',
  text: `
    select c.name, c.schema, c.url_variable as "urlVariable", c.created_at as "createdAt",
           c.closed_at as "closedAt",
           (select count(*)::integer from directory.merchants m where m.cell = c.name) as merchants
    from directory.cells c
    order by c.name collate "C"`,
};
