import type { Queryable, Statement } from '../postgres/database.ts';

/**
 * Requests a check of every book of a merchant for what can no longer be approved, or can be again, after people or roles
 * changed. A background loop of their cell makes it, because a merchant may have a hundred thousand payouts that wait. It
 * compares this number with that of its last check.
 */
export async function requestApprovalChecks(tx: Queryable, merchantId: string): Promise<void> {
  await tx.query(ASK, [merchantId]);
}

const ASK: Statement = {
  name: '',
  text: `
    insert into approval_checks as c (book_id, number)
    select b.id, 1 from books b where b.merchant_id = $1 order by b.id
    on conflict (book_id) do update set number = c.number + 1`,
};
