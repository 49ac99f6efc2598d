import type { Queryable, Statement } from '../postgres/database.ts';

/** Ends the keys that wait for a confirmation: the person who made one knows its secret. */
export async function revokeAwaitingKeys(
  tx: Queryable,
  { merchantId, personId, at }: Readonly<{ merchantId: string; personId: string; at: Date }>,
): Promise<void> {
  await tx.query(REVOKE, [merchantId, personId, at]);
}

const REVOKE: Statement = {
  name: '',
  text: `
    update api_keys k set revoked_at = $3
    from books b
    where b.merchant_id = $1 and k.book_id = b.id and k.created_by = $2
      and k.confirm_until is not null and k.confirmed_at is null and k.revoked_at is null`,
};
