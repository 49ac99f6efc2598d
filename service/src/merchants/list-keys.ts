import type { Queryable, Statement } from '../postgres/database.ts';
import { KEY_COLUMNS, KEY_TABLES, type KeyRow, type StoredKey, toStoredKey } from './find-key.ts';

const KEYS_LISTED_MAX = 1_000;

export type KeyList = Readonly<{ keys: readonly StoredKey[]; more: boolean }>;

/** A merchant's keys, in both modes or in one book, newest first. */
export async function listKeys(
  directory: Queryable,
  merchantId: string,
  bookId: string | null = null,
): Promise<KeyList> {
  const rows = await directory.query<KeyRow>(LIST, [merchantId, KEYS_LISTED_MAX + 1, bookId]);
  return {
    keys: rows.slice(0, KEYS_LISTED_MAX).map(toStoredKey),
    more: rows.length > KEYS_LISTED_MAX,
  };
}

const LIST: Statement = {
  name: '',
  text: `
    select ${KEY_COLUMNS}
    from ${KEY_TABLES}
    where b.merchant_id = $1 and ($3::uuid is null or k.book_id = $3)
    order by k.created_at desc, k.id desc
    limit $2`,
};
