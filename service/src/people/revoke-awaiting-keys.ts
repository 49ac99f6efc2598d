import type { Queryable, Statement } from '../postgres/database.ts';

/** Ends the keys that wait for a confirmation: the person who made one knows its secret. */
export async function revokeAwaitingKeys(
  tx: Queryable,
  awaiting: Readonly<{
    merchantId: string;
    personId: string;
    /** The books in which the person may still make keys. */
    keptBookIds: readonly string[];
    at: Date;
  }>,
): Promise<void> {
  const { merchantId, personId, keptBookIds, at } = awaiting;
  await tx.query(REVOKE, [merchantId, personId, at, keptBookIds]);
}

const REVOKE: Statement = {
  name: '',
  text: `
    update api_keys k set revoked_at = $3
    from books b
    where b.merchant_id = $1 and k.book_id = b.id and k.created_by = $2
      and k.book_id <> all ($4::uuid[])
      and k.confirm_until is not null and k.confirmed_at is null and k.revoked_at is null`,
};
