import type { Mode } from '../domain/transfer.ts';
import { parseUuid } from '../domain/uuid.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

export type FoundBook = Readonly<{ id: string; merchantId: string; mode: Mode; cell: string }>;

/** The book with this id and where it is; undefined: there is none. */
export async function findBook(directory: Queryable, id: string): Promise<FoundBook | undefined> {
  const [row] = await directory.query<BookRow>(FIND, [parseUuid(id) ?? null]);
  return row === undefined
    ? undefined
    : { id: row.id, merchantId: row.merchant_id, mode: row.mode, cell: row.cell };
}

type BookRow = { id: string; merchant_id: string; mode: Mode; cell: string };

const FIND: Statement = {
  name: '',
  text: `
    select b.id, b.merchant_id, b.mode, m.cell
    from books b
    join merchants m on m.id = b.merchant_id
    where b.id = $1 and m.placed_at is not null`,
};
