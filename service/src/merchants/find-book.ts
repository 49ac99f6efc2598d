import type { Mode } from '../domain/transfer.ts';
import { parseUuid } from '../domain/uuid.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

export type FoundBook = Readonly<{ id: string; merchantId: string; mode: Mode }>;

/** The book with this id; undefined: there is none. */
export async function findBook(database: Queryable, id: string): Promise<FoundBook | undefined> {
  const [row] = await database.query<{ id: string; merchant_id: string; mode: Mode }>(FIND, [
    parseUuid(id) ?? null,
  ]);
  return row === undefined
    ? undefined
    : { id: row.id, merchantId: row.merchant_id, mode: row.mode };
}

const FIND: Statement = {
  name: '',
  text: 'select id, merchant_id, mode from books where id = $1',
};
