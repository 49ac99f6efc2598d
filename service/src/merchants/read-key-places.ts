import type { Queryable, Statement } from '../postgres/database.ts';

/** The cells of the live keys among these hashes, by hash: one statement, however many are asked for. */
export async function readKeyPlaces(
  directory: Queryable,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await directory.query<{ hash: string; cell: string }>(FIND, [hashes]);
  return new Map(rows.map(({ hash, cell }) => [hash, cell]));
}

const FIND: Statement = {
  name: 'find-key-place',
  text: `
    select asked.hash, m.cell
    from unnest($1::text[]) as asked (hash)
    join api_keys k on k.hash = decode(asked.hash, 'hex') and k.revoked_at is null
      and (k.confirm_until is null or k.confirmed_at is not null)
      and (k.expires_at is null or k.expires_at > now())
    join books b on b.id = k.book_id
    join merchants m on m.id = b.merchant_id`,
};
