import { AdminRefused } from '../domain/admin-refused.ts';
import { checkPlainText } from '../domain/plain-text.ts';
import type { Mode } from '../domain/transfer.ts';
import { parseUuid } from '../domain/uuid.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { MERCHANT_NAME_LENGTH_MAX } from './find-merchant.ts';

/** Where a merchant is, as the directory knows it. */
export type MerchantPlace = Readonly<{
  id: string;
  name: string;
  /** The name of its cell. */
  cell: string;
  books: Readonly<Record<Mode, string>>;
}>;

/** Where the merchant with this name (in any case) or id is. One that is not placed yet is not found. */
export async function findMerchantPlace(
  directory: Queryable,
  nameOrId: string,
): Promise<MerchantPlace> {
  const name = nameOrId.normalize('NFC').trim();
  // PostgreSQL takes no NUL, and no merchant has such a name.
  const isName = checkPlainText(name, { codePointsMax: MERCHANT_NAME_LENGTH_MAX }) === 'ok';
  const values = [parseUuid(name) ?? null, name];
  const [row] = isName ? await directory.query<PlaceRow>(FIND, values) : [];
  if (row === undefined) throw new AdminRefused('MERCHANT_NOT_FOUND', {});
  const { id, cell, test_book_id, live_book_id } = row;
  return { id, name: row.name, cell, books: { test: test_book_id, live: live_book_id } };
}

type PlaceRow = {
  id: string;
  name: string;
  cell: string;
  test_book_id: string;
  live_book_id: string;
};

const FIND: Statement = {
  name: '',
  text: `
    select m.id, m.name, m.cell, t.id as test_book_id, l.id as live_book_id
    from merchants m
    join books t on t.merchant_id = m.id and t.mode = 'test'
    join books l on l.merchant_id = m.id and l.mode = 'live'
    where (m.id = $1::uuid or lower(m.name) = lower($2)) and m.placed_at is not null`,
};
