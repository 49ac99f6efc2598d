import type { Currency } from '../domain/money.ts';
import { firstUuidAt, ID_OLDER_MAX_MS } from '../domain/uuid.ts';
import type { Counted } from '../policies/policy-counters.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

type BookNumber = Readonly<{ bookId: string; phone: string }>;

/** Counts the transfers to numbers since a time; the n-th answer belongs to the n-th question. */
export async function countToNumbers(
  tx: Queryable,
  asked: readonly (BookNumber & Readonly<{ currency: Currency; since: Date }>)[],
): Promise<readonly Counted[]> {
  if (asked.length === 0) return [];
  const rows = await tx.query<{ count: bigint; sum_minor: bigint }>(COUNT, [
    asked.map(({ bookId }) => bookId),
    asked.map(({ phone }) => phone),
    asked.map(({ currency }) => currency),
    asked.map(({ since }) => since),
    asked.map(({ since }) => firstIdSince(since)),
  ]);
  return rows.map(({ count, sum_minor }) => ({ count: Number(count), sumMinor: sum_minor }));
}

/**
 * Which of these numbers the book has paid. An order that waits, failed or was cancelled has paid nothing, and a
 * reversed one was given back: otherwise a small order to a new number would spare the next one the rules for first payments.
 */
export async function findPaidNumbers(
  tx: Queryable,
  asked: readonly BookNumber[],
): Promise<readonly boolean[]> {
  if (asked.length === 0) return [];
  const rows = await tx.query<{ found: boolean }>(FIND_PAID, [
    asked.map(({ bookId }) => bookId),
    asked.map(({ phone }) => phone),
  ]);
  return rows.map(({ found }) => found);
}

/** Whether a transfer of the same amount was ordered to each number since a time. */
export async function findSimilarToNumbers(
  tx: Queryable,
  asked: readonly (BookNumber & Readonly<{ amountMinor: bigint; since: Date }>)[],
): Promise<readonly boolean[]> {
  if (asked.length === 0) return [];
  const rows = await tx.query<{ found: boolean }>(FIND_SIMILAR, [
    asked.map(({ bookId }) => bookId),
    asked.map(({ phone }) => phone),
    asked.map(({ amountMinor }) => amountMinor),
    asked.map(({ since }) => since),
    asked.map(({ since }) => firstIdSince(since)),
  ]);
  return rows.map(({ found }) => found);
}

/** It costs no more than a window of a day does. */
function firstIdSince(since: Date): string {
  return firstUuidAt(new Date(since.getTime() - ID_OLDER_MAX_MS));
}

const COUNT: Statement = {
  name: 'count-to-numbers',
  text: `
    select c.count, c.sum_minor
    from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[], $5::uuid[])
      with ordinality as n (book_id, phone, currency, since, first_id, ord)
    cross join lateral (
      select count(*) as count, coalesce(sum(t.amount_minor), 0)::bigint as sum_minor
      from transfers t
      where t.book_id = n.book_id and t.phone = n.phone and t.id >= n.first_id
        and t.created_at >= n.since and t.currency = n.currency
    ) c
    order by n.ord`,
};

const FIND_PAID: Statement = {
  name: 'find-paid-numbers',
  text: `
    select exists (
      select from transfers t
      where t.book_id = n.book_id and t.phone = n.phone and t.state = 'succeeded'
    ) as found
    from unnest($1::uuid[], $2::text[]) with ordinality as n (book_id, phone, ord)
    order by n.ord`,
};

const FIND_SIMILAR: Statement = {
  name: 'find-similar-to-numbers',
  text: `
    select exists (
      select from transfers t
      where t.book_id = n.book_id and t.phone = n.phone and t.id >= n.first_id
        and t.created_at >= n.since and t.amount_minor = n.amount_minor
    ) as found
    from unnest($1::uuid[], $2::text[], $3::bigint[], $4::timestamptz[], $5::uuid[])
      with ordinality as n (book_id, phone, amount_minor, since, first_id, ord)
    order by n.ord`,
};
