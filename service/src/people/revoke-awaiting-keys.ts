import type { ActDeps } from '../acts/act.ts';
import type { Actor } from '../domain/actor.ts';
import { KEY_COLUMNS, KEY_TABLES, type KeyRow, toStoredKey } from '../merchants/find-key.ts';
import { revokeLocked } from '../merchants/revoke-key.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

/** Ends the keys that wait for a confirmation: the person who made one knows its secret. */
export async function revokeAwaitingKeys(
  tx: Queryable,
  deps: ActDeps,
  awaiting: Readonly<{
    /** Who took the person's roles away. */
    actor: Actor;
    merchantId: string;
    personId: string;
    /** The books in which the person may still make keys. */
    keptBookIds: readonly string[];
  }>,
): Promise<void> {
  const { actor, merchantId, personId, keptBookIds } = awaiting;
  const rows = await tx.query<KeyRow>(LOCK, [merchantId, personId, keptBookIds]);
  for (const row of rows) await revokeLocked(tx, deps, { actor, key: toStoredKey(row) });
}

const LOCK: Statement = {
  name: '',
  text: `
    select ${KEY_COLUMNS} from ${KEY_TABLES}
    where b.merchant_id = $1 and k.created_by = $2 and k.book_id <> all ($3::uuid[])
      and k.confirm_until is not null and k.confirmed_at is null and k.revoked_at is null
    order by k.book_id, k.id
    for update of k`,
};
