import { ofOpenMerchant } from '../cells/move/moving-merchant.ts';
import type { Mode } from '../domain/transfer.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { Recipient } from './recipient.ts';
import { RECIPIENT_COLUMNS, type RecipientRow, toRecipient } from './recipient-row.ts';

/** Longer than any connector waits for an answer; after it another process may repeat the lookup. */
const LEASE_MS = 60_000;

/** A recipient whose name this process must look up. */
export type PendingClaim = Readonly<{
  recipient: Recipient;
  /** The number of this attempt. Recording under it proves that no other process took over since. */
  attempts: number;
}>;

/** Takes up to `max` pending recipients that are due; recipients that another process is taking are skipped. */
export async function claimPending(
  database: Queryable,
  { now, max }: Readonly<{ now: Date; max: number }>,
): Promise<readonly PendingClaim[]> {
  const leaseEndsAt = new Date(now.getTime() + LEASE_MS);
  const rows = await database.query<ClaimRow>(CLAIM, [now, leaseEndsAt, max]);
  return rows.map((row) => ({
    recipient: toRecipient(row, row.mode),
    attempts: row.resolve_attempts,
  }));
}

type ClaimRow = RecipientRow & { resolve_attempts: number; mode: Mode };

const CLAIM: Statement = {
  name: 'claim-pending',
  text: `
    with due as (
      select r.book_id, r.id
      from recipients r
      where r.next_resolve_at <= $1 and ${ofOpenMerchant('r.book_id')}
      order by r.next_resolve_at
      limit $3
      for update skip locked
    )
    update recipients r
    set next_resolve_at = $2, resolve_attempts = r.resolve_attempts + 1
    from due d
    join books b on b.id = d.book_id
    where r.book_id = d.book_id and r.id = d.id
    returning ${RECIPIENT_COLUMNS}, r.resolve_attempts, b.mode`,
};
