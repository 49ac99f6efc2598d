import type { ActDeps } from '../acts/act.ts';
import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { Actor } from '../domain/actor.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';
import { findKey, type StoredKey } from './find-key.ts';
import { keyFacts } from './issue-key.ts';

export type Revoked = Readonly<{ key: StoredKey; revokedAt: Date; already: boolean }>;

/**
 * Ends a key for good, of one book or of any. Every process refuses it within a second. Revoking it again changes
 * nothing.
 */
export async function revokeKey(
  deps: ActDeps & Readonly<{ directory: Database }>,
  {
    actor,
    id,
    bookId,
    reason = null,
  }: Readonly<{ actor: Actor; id: string; bookId?: string; reason?: string | null }>,
): Promise<Revoked> {
  return actAs({ database: deps.directory }, actor, async (tx) => {
    const key = await findKey(tx, bookId === undefined ? { id } : { id, bookId });
    if (key.revokedAt !== null) return { key, revokedAt: key.revokedAt, already: true };
    const revokedAt = await revokeLocked(tx, deps, { actor, key, reason });
    return { key: { ...key, revokedAt }, revokedAt, already: false };
  });
}

/** Revokes a locked key and records it. Returns when. */
export async function revokeLocked(
  tx: Queryable,
  deps: ActDeps,
  { actor, key, reason = null }: Readonly<{ actor: Actor; key: StoredKey; reason?: string | null }>,
): Promise<Date> {
  const revokedAt = deps.now();
  await revoke(tx, { key, revokedAt });
  await recordAct(tx, deps, {
    actor,
    kind: 'KEY_REVOKED',
    subject: key.id,
    merchantId: key.merchantId,
    bookId: key.bookId,
    reason,
    before: keyFacts(key),
    after: keyFacts({ ...key, revokedAt }),
  });
  return revokedAt;
}

/** The same without an act, for a caller who records more. */
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
