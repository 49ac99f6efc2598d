import type { Book } from '../domain/book.ts';
import type { Country, Operator } from '../domain/operator.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { Recipient } from './recipient.ts';
import { RECIPIENT_COLUMNS, type RecipientRow, toRecipient } from './recipient-row.ts';

export type RecipientFilter = Readonly<{
  phone: string | null;
  operator: Operator | null;
  country: Country | null;
  /** From this time on. */
  from: Date | null;
  /** Before this time. */
  to: Date | null;
}>;

/** Newest first. Pages go by id, which never changes, so inserts cannot shift them. */
export async function listRecipients(
  database: Queryable,
  query: Readonly<{
    book: Book;
    filter: RecipientFilter;
    page: Readonly<{ limit: number; before: string | null }>;
  }>,
): Promise<Readonly<{ items: readonly Recipient[]; nextCursor: string | null }>> {
  const { book, filter, page } = query;
  const rows = await database.query<RecipientRow>(LIST, [
    book.id,
    page.before,
    filter.phone,
    filter.operator,
    filter.country,
    filter.from,
    filter.to,
    page.limit + 1,
  ]);
  const items = rows.slice(0, page.limit).map((row) => toRecipient(row, book.mode));
  const nextCursor = rows.length > page.limit ? (items.at(-1)?.id ?? null) : null;
  return { items, nextCursor };
}

// Not prepared, so that the planner sees which filters are given.
const LIST: Statement = {
  name: '',
  text: `
    select ${RECIPIENT_COLUMNS}
    from recipients r
    where r.book_id = $1
      and ($2::uuid is null or r.id < $2)
      and ($3::text is null or r.phone = $3)
      and ($4::text is null or r.operator = $4)
      and ($5::text is null or r.country = $5)
      and ($6::timestamptz is null or r.created_at >= $6)
      and ($7::timestamptz is null or r.created_at < $7)
    order by r.id desc
    limit $8`,
};
