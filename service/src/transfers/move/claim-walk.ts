import type { Mode, Transfer } from '../../domain/transfer.ts';
import type { Statement } from '../../postgres/database.ts';
import { TRANSFER_COLUMNS, type TransferRow, toTransfer } from '../read/transfer-row.ts';

/**
 * How many books one claim reads, and how many transfers of one book it takes. Larger claims work off a backlog
 * somewhat faster, but other books wait longer behind each.
 */
const BOOKS_PER_CLAIM_MAX = 200;
const PER_BOOK_MAX = 100;
const FIRST_BOOK = '00000000-0000-0000-0000-000000000000';

export function firstBook(): string {
  return FIRST_BOOK;
}

export type ClaimOfRoute = Readonly<{
  route: string;
  leaseOwner: string;
  afterBook: string;
  max: number;
}>;

/** The first seven parameters of every claim. */
export function walkValues(
  { route, leaseOwner, afterBook, max }: ClaimOfRoute,
  { leaseMs, perBookMax = PER_BOOK_MAX }: Readonly<{ leaseMs: number; perBookMax?: number }>,
): readonly unknown[] {
  const ofBook = Math.min(perBookMax, max);
  return [leaseOwner, afterBook, BOOKS_PER_CLAIM_MAX, ofBook, max, leaseMs, route];
}

export type ClaimRow = TransferRow & {
  id: string | null;
  mode: Mode;
  books_seen: number;
  last_book: string | null;
};

export type Claimed<R extends ClaimRow> = Readonly<{ row: R; transfer: Transfer }>;

export function toClaimed<R extends ClaimRow>(rows: readonly R[]): readonly Claimed<R>[] {
  return rows.flatMap((row) =>
    row.id === null ? [] : [{ row, transfer: toTransfer(row, row.mode) }],
  );
}

/** Where the next claim resumes; the first book after the last one, so that books take turns. */
export function whereToGoOn(rows: readonly ClaimRow[], max: number): string {
  const [walk] = rows;
  const books = rows.flatMap((row) => (row.id === null ? [] : [row.book_id]));
  if (books.length >= max) {
    // The claim was full before all books were read: resume at the last book that got anything.
    return books.reduce((a, b) => (a > b ? a : b), FIRST_BOOK);
  }
  const complete = walk === undefined || walk.books_seen < BOOKS_PER_CLAIM_MAX;
  return complete ? FIRST_BOOK : (walk.last_book ?? FIRST_BOOK);
}

/** What a claim does with the rows of the CTE `due (book_id, id, …)` besides taking their lease. */
export type Judging = Readonly<{
  /** More columns of `due`, from `transfers t`. */
  columns: string;
  /** Further CTEs. */
  ctes: string;
  /** The last of them, as `d` in `set` and in `returning`. */
  from: string;
  set?: string;
  /** More columns of what is claimed. */
  returning: string;
  /** CTEs that read what was claimed. */
  after?: string;
}>;

const LEASE_ONLY: Judging = { columns: '', ctes: '', from: 'due', returning: '' };

/**
 * A statement that takes the lease of what is due. `walk` goes through the partial index from book to book, one probe
 * each, however many rows a book has. The probe finds the time of the book's next action too: a book whose time has not
 * come costs nothing more. Rows that another process is claiming are skipped.
 */
export function claimStatement(
  name: string,
  {
    condition,
    isOpen = 'true',
    isHeldBack = 'false',
    judging = LEASE_ONLY,
  }: Readonly<{ condition: string; isOpen?: string; isHeldBack?: string; judging?: Judging }>,
): Statement {
  const due = `t.route = $7 and ${condition}`;
  const { columns, ctes, from, set = '', returning, after = '' } = judging;
  return {
    name,
    text: `
    with recursive walk as (
      (
        select t.book_id, t.next_action_at from transfers t
        where ${due} and t.book_id > $2::uuid
        order by t.book_id, t.next_action_at limit 1
      )
      union all
      select n.book_id, n.next_action_at
      from walk w
      cross join lateral (
        select t.book_id, t.next_action_at from transfers t
        where ${due} and t.book_id > w.book_id
        order by t.book_id, t.next_action_at limit 1
      ) n
    ),
    books_due as materialized (
      select book_id, next_action_at from walk limit $3
    ),
    due as (
      select d.*
      -- In the order of the walk, which the next claim continues: any other order would pass over books for ever.
      from (
        select b.book_id from books_due b
        where b.next_action_at <= now() and ${isOpen}
        order by b.book_id
      ) b
      cross join lateral (
        select t.book_id, t.id${columns}
        from transfers t
        where ${due} and t.book_id = b.book_id and t.next_action_at <= now() and not ${isHeldBack}
        order by t.next_action_at
        limit $4
        for update skip locked
      ) d
      limit $5
    ),
    ${ctes}
    claimed as (
      update transfers t
      set lease_owner = $1, next_action_at = now() + $6::integer * interval '1 ms'${set}
      from ${from} d
      where t.book_id = d.book_id and t.id = d.id
      returning ${TRANSFER_COLUMNS}${returning}
    )${after}
    select s.books_seen, s.last_book, c.*, b.mode
    from (
      select count(*)::integer as books_seen, max(book_id::text) as last_book from books_due
    ) s
    left join claimed c on true
    left join books b on b.id = c.book_id`,
  };
}
