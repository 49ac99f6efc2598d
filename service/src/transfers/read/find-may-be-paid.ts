import {
  earlierReferences,
  hashedReference,
  isRetryReference,
  RETRY_MARK,
} from '../../domain/retry-reference.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';
import { IS_INQUIRED_AFTER_END, MAY_BE_PAID } from './may-be-paid.ts';

/** What an order, or the transfer that it became, says of the payout that it pays again. */
export type PaymentAgain = Readonly<{ bookId: string; reference: string; replaces: string | null }>;

/**
 * Whether it pays again what failed or was cancelled: it says so, or its reference does, as those of
 * `kafue pay --retry-failed`.
 */
export function isPaidAgain({
  reference,
  replaces,
}: Pick<PaymentAgain, 'reference' | 'replaces'>): boolean {
  return replaces !== null || isRetryReference(reference);
}

/** Whether `isPaidAgain` may hold of the row `alias`: wherever it holds this does, and of nearly all others it does not. */
export function mayPayAgainSql(alias: string): string {
  return `(${alias}.replaces is not null or strpos(${alias}.reference, '${RETRY_MARK}') > 0)`;
}

/**
 * The orders that pay again what the operator may have paid, each with the id of the earlier transfer that may be paid, or
 * of one of them where there are several. Nothing is looked up for orders that pay nothing again, which nearly all are, and no
 * reference is looked up in a book in which nothing is in question.
 */
export async function findMayBePaid<A extends PaymentAgain>(
  database: Queryable,
  orders: readonly A[],
): Promise<ReadonlyMap<A, string>> {
  const again = await inBooksInQuestion(database, orders.filter(isPaidAgain));
  if (again.length === 0) return new Map();
  const wanted = again.flatMap(({ bookId, reference, replaces }) => [
    ...(replaces === null ? [] : [{ bookId, reference, earlier: null, replaces }]),
    ...earlierReferences(reference).map((earlier) => {
      return { bookId, reference, earlier, replaces: null };
    }),
  ]);
  const rows = await database.query<Found>(FIND, [
    wanted.map(({ bookId }) => bookId),
    wanted.map(({ reference }) => reference),
    wanted.map(({ earlier }) => earlier),
    wanted.map(({ replaces }) => replaces),
  ]);
  const found = new Map(
    [...rows, ...(await findByHash(database, again))].map((row) => [
      keyOf(row.book_id, row.reference),
      row.id,
    ]),
  );
  return new Map(
    again.flatMap((order) => {
      const id = found.get(keyOf(order.bookId, order.reference));
      return id === undefined ? [] : [[order, id]];
    }),
  );
}

/** The same of one order, or of the transfer that it became. */
export async function mayEarlierBePaid(database: Queryable, order: PaymentAgain): Promise<boolean> {
  return (await findMayBePaid(database, [order])).size > 0;
}

async function inBooksInQuestion<A extends PaymentAgain>(
  database: Queryable,
  again: readonly A[],
): Promise<readonly A[]> {
  if (again.length === 0) return [];
  const bookIds = new Set(again.map(({ bookId }) => bookId));
  const rows = await database.query<{ book_id: string }>(FIND_BOOKS, [[...bookIds]]);
  const found = new Set(rows.map((row) => row.book_id));
  return again.filter(({ bookId }) => found.has(bookId));
}

/** `id`: what may be paid. */
type Found = { book_id: string; reference: string; id: string };

function keyOf(bookId: string, reference: string): string {
  return `${bookId} ${reference}`;
}

/** What a long reference was cannot be told from its hash: the hashes of what may be paid are compared with it. */
async function findByHash(
  database: Queryable,
  again: readonly PaymentAgain[],
): Promise<readonly Found[]> {
  const wanted = again.flatMap(({ bookId, reference }) => {
    const hashed = hashedReference(reference);
    return hashed === undefined ? [] : [{ bookId, reference, hashed }];
  });
  if (wanted.length === 0) return [];
  return database.query<Found>(FIND_HASHED, [
    wanted.map(({ bookId }) => bookId),
    wanted.map(({ reference }) => reference),
    wanted.map(({ hashed }) => hashed),
  ]);
}

// Two probes for each book. If MAY_BE_PAID holds for any transfer of the book, one of them finds a row.
const FIND_BOOKS: Statement = {
  name: 'find-books-in-question',
  text: `
    select b.book_id
    from unnest($1::uuid[]) as b (book_id)
    where exists (select from incidents i where i.book_id = b.book_id and i.closed_at is null)
      or exists (select from transfers t where t.book_id = b.book_id and ${IS_INQUIRED_AFTER_END})`,
};

// Transfers are probed one by one, by their key. How many there are is not known when the statement is planned, and a join
// would read all transfers of a small table.
const FIND: Statement = {
  name: 'find-paid-again',
  text: `
    with recursive wanted as (
      select * from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[])
        as w (book_id, reference, earlier, replaces)
    ),
    earlier as (
      (
        select w.book_id, w.reference, t.id
        from wanted w
        join transfers t on t.book_id = w.book_id and t.reference = w.earlier
        union
        select w.book_id, w.reference, w.replaces from wanted w where w.replaces is not null
      )
      union
      -- What it replaces may have replaced another one.
      select e.book_id, e.reference, t.replaces
      from earlier e
      cross join lateral (
        select t.replaces from transfers t where t.book_id = e.book_id and t.id = e.id limit 1
      ) t
      where t.replaces is not null
    )
    select distinct on (e.book_id, e.reference) e.book_id, e.reference, e.id
    from earlier e
    cross join lateral (
      select from transfers t
      where t.book_id = e.book_id and t.id = e.id and ${MAY_BE_PAID}
      limit 1
    ) t
    order by e.book_id, e.reference, e.id`,
};

// From what is in question in their books, which is little, to its hashes: a hash is in no index. Each is computed once,
// however many orders are compared with it.
const FIND_HASHED: Statement = {
  name: 'find-paid-again-by-hash',
  text: `
    with wanted as materialized (
      select * from unnest($1::uuid[], $2::text[], $3::text[]) as w (book_id, reference, hashed)
    ),
    of_books as materialized (
      select distinct w.book_id from wanted w
    ),
    in_question as materialized (
      select i.book_id, i.transfer_id as id
      from of_books b
      join incidents i on i.book_id = b.book_id and i.closed_at is null
      union
      select t.book_id, t.id
      from of_books b
      join transfers t on t.book_id = b.book_id and ${IS_INQUIRED_AFTER_END}
    ),
    may_be_paid as materialized (
      select t.book_id, t.id, 'retry-' || encode(sha256(convert_to(t.reference, 'UTF8')), 'hex') as hashed
      from in_question q
      join transfers t on t.book_id = q.book_id and t.id = q.id
      where ${MAY_BE_PAID}
    )
    select distinct on (w.book_id, w.reference) w.book_id, w.reference, m.id
    from wanted w
    join may_be_paid m on m.book_id = w.book_id and m.hashed = w.hashed
    order by w.book_id, w.reference, m.id`,
};
