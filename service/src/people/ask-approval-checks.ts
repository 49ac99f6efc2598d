import type { Queryable, Statement } from '../postgres/database.ts';

/**
 * Has every book of a merchant looked at for what can no longer be approved, or can be again: people or roles changed.
 * The look is a loop's: a merchant may have a hundred thousand payouts that wait.
 */
export async function askApprovalChecks(tx: Queryable, merchantId: string): Promise<void> {
  await tx.query(ASK, [merchantId]);
}

const ASK: Statement = {
  name: '',
  text: `
    insert into approval_checks (book_id, asked_at)
    select b.id, now() from books b where b.merchant_id = $1 order by b.id
    on conflict (book_id) do update set after = null, asked_at = excluded.asked_at`,
};
