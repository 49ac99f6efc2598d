import { AdminRefused } from '../domain/admin-refused.ts';
import type { Mode } from '../domain/transfer.ts';
import { parseUuid } from '../domain/uuid.ts';
import type { Queryable, Row, Statement } from '../postgres/database.ts';
import type { Scope } from './authenticated-key.ts';

/** All that is known of a key: its hash opens nothing, so the key itself is not among it. */
export type StoredKey = Readonly<{
  id: string;
  bookId: string;
  merchantId: string;
  merchant: string;
  mode: Mode;
  hint: string;
  name: string;
  scopes: readonly Scope[];
  addresses: readonly string[];
  createdAt: Date;
  /** The person of the merchant who made it; null: the staff did. */
  createdBy: Readonly<{ id: string; name: string }> | null;
  /** Until when an owner may confirm it; null: it needs none. */
  confirmUntil: Date | null;
  confirmedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
}>;

export type KeyStatus = 'live' | 'awaiting_confirmation' | 'expired' | 'revoked';

export function standingOf(key: StoredKey, now: Date): KeyStatus {
  if (key.revokedAt !== null) return 'revoked';
  if (key.expiresAt !== null && key.expiresAt <= now) return 'expired';
  if (key.confirmUntil === null || key.confirmedAt !== null) return 'live';
  return key.confirmUntil <= now ? 'expired' : 'awaiting_confirmation';
}

/** The key with this id, in one book or in any. Its row stays locked for the rest of the transaction. */
export async function findKey(
  tx: Queryable,
  { id, bookId = null }: Readonly<{ id: string; bookId?: string | null }>,
): Promise<StoredKey> {
  const [row] = await tx.query<KeyRow>(FIND, [parseUuid(id) ?? null, bookId]);
  if (row !== undefined) return toStoredKey(row);
  throw new AdminRefused('KEY_NOT_FOUND', {});
}

export type KeyRow = Row & {
  id: string;
  book_id: string;
  merchant_id: string;
  merchant: string;
  mode: Mode;
  hint: string;
  name: string;
  scopes: Scope[];
  addresses: string[];
  created_at: Date;
  created_by: string | null;
  created_by_name: string | null;
  confirm_until: Date | null;
  confirmed_at: Date | null;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
};

/** The columns of a key `k` with its book `b` and merchant `m`. */
export const KEY_COLUMNS = `
  k.id, k.book_id, b.merchant_id, m.name as merchant, b.mode, k.hint, k.name, k.scopes,
  k.addresses::text[] as addresses, k.created_at, k.created_by, k.created_by_name, k.confirm_until,
  k.confirmed_at, k.expires_at, k.revoked_at, k.last_used_at`;

export const KEY_TABLES = `
  api_keys k
  join books b on b.id = k.book_id
  join merchants m on m.id = b.merchant_id`;

export function toStoredKey(row: KeyRow): StoredKey {
  return {
    id: row.id,
    bookId: row.book_id,
    merchantId: row.merchant_id,
    merchant: row.merchant,
    mode: row.mode,
    hint: row.hint,
    name: row.name,
    scopes: row.scopes,
    addresses: row.addresses,
    createdAt: row.created_at,
    createdBy:
      row.created_by === null || row.created_by_name === null
        ? null
        : { id: row.created_by, name: row.created_by_name },
    confirmUntil: row.confirm_until,
    confirmedAt: row.confirmed_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
}

const FIND: Statement = {
  name: '',
  text: `
    select ${KEY_COLUMNS} from ${KEY_TABLES}
    where k.id = $1 and ($2::uuid is null or k.book_id = $2)
    for update of k`,
};
