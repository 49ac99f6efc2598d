import type { Currency } from '../domain/money.ts';
import { refuse } from '../domain/refusal.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { RowReferences } from './row-reference.ts';
import type { SubmittedState } from './submitted-file.ts';

/** What a submission needs to know of a file. */
export type DraftFile = Readonly<{
  id: string;
  name: string;
  state: SubmittedState | 'checking' | 'draft';
  source: 'file' | 'schedule';
  references: RowReferences;
  problemCode: string | null;
  currency: Currency | null;
  walletId: string | null;
  madeBy: string | null;
  madeByKey: string | null;
  /** All who had a hand in it so far, as codes of actors. */
  makers: readonly string[];
  payAt: Date | null;
  contentHash: string | null;
  rowsTotal: number;
  rowsProblem: number;
  rowsDropped: number;
  /** Grows with every change of its rows. */
  version: number;
}>;

type Key = Readonly<{ bookId: string; id: string }>;

export async function findDraftContent(database: Queryable, key: Key): Promise<DraftFile> {
  return read(database, FIND, key);
}

/** The same, locked for the rest of the transaction. */
export async function lockDraftContent(tx: Queryable, key: Key): Promise<DraftFile> {
  return read(tx, LOCK, key);
}

async function read(database: Queryable, statement: Statement, key: Key): Promise<DraftFile> {
  const [row] = await database.query<DraftRow>(statement, [key.bookId, key.id]);
  if (row === undefined) throw refuse('PAYOUT_FILE_NOT_FOUND');
  return {
    id: row.id,
    name: row.name,
    state: row.state,
    source: row.source,
    references: row.row_references,
    problemCode: row.problem_code,
    currency: row.currency,
    walletId: row.wallet_id,
    madeBy: row.made_by,
    madeByKey: row.made_by_key,
    makers: row.makers,
    payAt: row.pay_at,
    contentHash: row.content_hash,
    rowsTotal: row.rows_total,
    rowsProblem: row.rows_problem,
    rowsDropped: row.rows_dropped,
    version: row.version,
  };
}

type DraftRow = {
  id: string;
  name: string;
  state: DraftFile['state'];
  source: 'file' | 'schedule';
  row_references: RowReferences;
  problem_code: string | null;
  currency: Currency | null;
  wallet_id: string | null;
  made_by: string | null;
  made_by_key: string | null;
  makers: readonly string[];
  pay_at: Date | null;
  content_hash: string | null;
  rows_total: number;
  rows_problem: number;
  rows_dropped: number;
  version: number;
};

const SELECT = `
  select id, name, state, source, row_references, problem_code, currency, wallet_id, made_by, made_by_key, makers, pay_at, content_hash, rows_total, rows_problem,
         rows_dropped, version
  from payout_files
  where book_id = $1 and id = $2`;

const FIND: Statement = { name: 'find-draft-file', text: SELECT };
const LOCK: Statement = { name: 'lock-draft-file', text: `${SELECT} for no key update` };
