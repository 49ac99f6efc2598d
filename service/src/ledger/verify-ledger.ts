import type { Database, Queryable, Statement } from '../postgres/database.ts';
import type { LedgerCheck } from './ledger-check.ts';
import { POSTING_CHECKS } from './verify-postings.ts';
import { TRANSFER_CHECKS } from './verify-transfers.ts';
import { WALLET_CHECKS } from './verify-wallets.ts';

/** One broken rule can affect a million rows; the first of them show where to look. */
const LISTED_PER_CHECK_MAX = 50;
/** Reading a hundred million postings takes minutes. */
const CHECK_TIMEOUT = '2h';
const CHECKS: readonly LedgerCheck[] = [...WALLET_CHECKS, ...POSTING_CHECKS, ...TRANSFER_CHECKS];

export type LedgerProblem = Readonly<{
  check: string;
  bookId: string;
  walletId?: string;
  transferId?: string;
  message: string;
}>;

export type Verification = Readonly<{
  ok: boolean;
  booksChecked: number;
  walletsChecked: number;
  postingsChecked: number;
  transfersChecked: number;
  /** How many problems there are, listed or not. */
  problemsTotal: number;
  problems: readonly LedgerProblem[];
}>;

export type VerifyProgress = Readonly<{ check: string; checksDone: number; checksTotal: number }>;

/**
 * Recomputes from its postings what the ledger stores, and reports every difference. All in one snapshot, so that it
 * does not disturb a running service and is not disturbed by it. A large ledger takes long: open the database with a
 * deadline that allows it.
 */
export async function verifyLedger(
  database: Database,
  options: Readonly<{
    /** Only these. Left out: all. */
    books?: readonly string[];
    onProgress?: (progress: VerifyProgress) => void;
  }> = {},
): Promise<Verification> {
  return database.transaction(async (tx) => {
    await tx.query(SNAPSHOT);
    await tx.query(SETTINGS);
    const { books } = options;
    const counts = await count(tx, books);
    const problems: LedgerProblem[] = [];
    let problemsTotal = 0;
    for (const [checksDone, check] of CHECKS.entries()) {
      options.onProgress?.({ check: check.name, checksDone, checksTotal: CHECKS.length });
      const found = await runCheck(tx, check, books);
      problemsTotal += found.total;
      problems.push(...found.problems);
    }
    return { ok: problemsTotal === 0, ...counts, problemsTotal, problems };
  });
}

type ProblemRow = {
  total: bigint;
  book_id: string;
  wallet_id: string | null;
  transfer_id: string | null;
  message: string;
};

async function runCheck(
  tx: Queryable,
  check: LedgerCheck,
  books: readonly string[] | undefined,
): Promise<Readonly<{ total: number; problems: readonly LedgerProblem[] }>> {
  const values = [LISTED_PER_CHECK_MAX, ...(check.values ?? [])];
  // Materialized: otherwise the planner counts on finding the first few rows early because of the limit, and usually
  // there are none.
  const text = `
    with ${onlyOf(books, values.length)} problems as materialized (${check.text})
    select count(*) over () as total, book_id, wallet_id, transfer_id, message
    from problems
    order by book_id, wallet_id, transfer_id, message
    limit $1`;
  const rows = await tx.query<ProblemRow>({ name: '', text }, withBooks(values, books));
  const problems = rows.map((row) => ({
    check: check.name,
    bookId: row.book_id,
    ...(row.wallet_id === null ? {} : { walletId: row.wallet_id }),
    ...(row.transfer_id === null ? {} : { transferId: row.transfer_id }),
    message: row.message,
  }));
  return { total: Number(rows[0]?.total ?? 0), problems };
}

/** The tables that checks read, each with the column that names its book. */
const BOOK_OF = {
  books: 'id',
  wallets: 'book_id',
  postings: 'book_id',
  transfers: 'book_id',
  events: 'book_id',
  take_backs: 'book_id',
} as const;

/** Hides the other books from a check: within it, the name of a table means only the rows of these. */
function onlyOf(books: readonly string[] | undefined, valuesBefore: number): string {
  if (books === undefined) return '';
  return Object.entries(BOOK_OF)
    .map(
      ([table, column]) =>
        `${table} as (select * from ${table} where ${column} = any ($${valuesBefore + 1}::uuid[])),`,
    )
    .join(' ');
}

function withBooks(
  values: readonly unknown[],
  books: readonly string[] | undefined,
): readonly unknown[] {
  return books === undefined ? values : [...values, books];
}

type CountRow = { books: number; wallets: number; postings: number; transfers: number };

async function count(tx: Queryable, books: readonly string[] | undefined) {
  const text = `with ${onlyOf(books, 0)} counted as (${COUNT}) select * from counted`;
  const [row] = await tx.query<CountRow>({ name: '', text }, withBooks([], books));
  if (row === undefined) throw new Error('a count without a row');
  return {
    booksChecked: row.books,
    walletsChecked: row.wallets,
    postingsChecked: row.postings,
    transfersChecked: row.transfers,
  };
}

const SNAPSHOT: Statement = {
  name: '',
  text: 'set transaction isolation level repeatable read, read only',
};
// Every check reads whole tables. Where their statistics are missing or old, the planner assumes that they are small
// and compares every row with every row, which never ends: so nested loops are off. JIT compilation then only costs
// time. The timeout ends a check whose client was killed.
const SETTINGS: Statement = {
  name: '',
  text: `
    select set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true),
           set_config('statement_timeout', '${CHECK_TIMEOUT}', true)`,
};
// As doubles, which are exact far beyond any number of rows.
const COUNT = `
  select (select count(*) from books)::double precision as books,
         (select count(*) from wallets)::double precision as wallets,
         (select count(*) from postings)::double precision as postings,
         (select count(*) from transfers)::double precision as transfers`;
