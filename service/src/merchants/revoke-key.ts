import type { Database, Queryable, Statement } from '../postgres/database.ts';
import { findKey, type StoredKey } from './find-key.ts';

export type Revoked = Readonly<{ key: StoredKey; revokedAt: Date; already: boolean }>;

/** Ends a key for good. Every process refuses it within a second. Revoking it again changes nothing. */
export async function revokeKey(
  deps: Readonly<{ database: Database; now: () => Date }>,
  id: string,
): Promise<Revoked> {
  return deps.database.transaction(async (tx) => {
    const key = await findKey(tx, id);
    if (key.revokedAt !== null) return { key, revokedAt: key.revokedAt, already: true };
    const revokedAt = deps.now();
    await revoke(tx, { key, revokedAt });
    return { key: { ...key, revokedAt }, revokedAt, already: false };
  });
}

/** Revokes a key that findKey has locked. */
export async function revoke(
  tx: Queryable,
  { key, revokedAt }: Readonly<{ key: StoredKey; revokedAt: Date }>,
): Promise<void> {
  await tx.query(REVOKE, [key.bookId, key.id, revokedAt]);
}

const REVOKE: Statement = {
  name: '',
  text: `
    update api_keys set revoked_at = $3 where book_id = $1 and id = $2 and revoked_at is null`,
};
