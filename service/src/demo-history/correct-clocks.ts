import type { Queryable, Statement } from '../postgres/database.ts';

/**
 * Corrects what statements take from the database's own clock: the age of open doubts, and what a wallet held today,
 * which would be the sum of three weeks and use up a daily limit. Also notes the last use of the keys.
 */
export async function correctClocks(
  tx: Queryable,
  about: Readonly<{ bookId: string; walletIds: readonly string[] }>,
): Promise<void> {
  const { bookId, walletIds } = about;
  await tx.query(AGE_DOUBTS, [bookId, walletIds]);
  await tx.query(SUM_TODAY, [bookId, walletIds]);
  await tx.query(NOTE_USE, [bookId, walletIds]);
}

const AGE_DOUBTS: Statement = {
  name: '',
  text: `
    update transfers
    set first_submitted_at = created_at, first_doubt_at = in_doubt_since,
        doubt_began_at = in_doubt_since,
        first_pending_at = case when first_pending_at is not null then created_at end
    where book_id = $1 and wallet_id = any ($2::uuid[]) and state = 'in_doubt'`,
};

const SUM_TODAY: Statement = {
  name: '',
  text: `
    update wallets w
    set day_total_minor = coalesce((
          select sum(p.amount_minor) from postings p
          where p.book_id = w.book_id and p.wallet_id = w.id and p.kind = 'hold'
            and (p.created_at at time zone 'utc')::date = w.day
        ), 0)
    where w.book_id = $1 and w.id = any ($2::uuid[])`,
};

const NOTE_USE: Statement = {
  name: '',
  text: `
    update api_keys k
    set last_used_at = u.used_at
    from (
      select e.actor, max(e.created_at) as used_at
      from events e
      join transfers t on t.book_id = e.book_id and t.id = e.subject_id
      where e.book_id = $1 and t.wallet_id = any ($2::uuid[]) and e.actor like 'key:%'
      group by e.actor
    ) u
    where k.book_id = $1 and u.actor = 'key:' || k.id`,
};
