import type { Queryable, Statement } from '../postgres/database.ts';

/** A cell as the directory knows it. */
export type KnownCell = Readonly<{
  name: string;
  schema: string;
  /** The environment variable that has the address of its server; null: the server of the directory. */
  urlVariable: string | null;
}>;

export type ListedCell = KnownCell &
  Readonly<{
    createdAt: Date;
    /** No new merchants are placed in it since then. Those that it has go on. */
    closedAt: Date | null;
    merchants: number;
  }>;

/** All cells, closed ones too, in the order of their names. */
export async function listCells(directory: Queryable): Promise<readonly ListedCell[]> {
  return directory.query<ListedCell>(LIST);
}

const LIST: Statement = {
  name: 'list-cells',
  text: `
    select c.name, c.schema, c.url_variable as "urlVariable", c.created_at as "createdAt",
           c.closed_at as "closedAt",
           (select count(*)::integer from directory.merchants m where m.cell = c.name) as merchants
    from directory.cells c
    order by c.name`,
};
