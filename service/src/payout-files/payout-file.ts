import type { Actor } from '../domain/actor.ts';
import { nameActor } from '../domain/actor.ts';
import type { Currency } from '../domain/money.ts';
import type { FileColumn } from '../domain/payout-file/row-fields.ts';
import type { FileProblemCode } from '../domain/payout-file/row-problem.ts';
import type { FileFormat } from './reading/table-builder.ts';
import type { RowReferences } from './row-reference.ts';

export const FILE_STATES = [
  'checking',
  'draft',
  'awaiting_approval',
  'scheduled',
  'paying',
  'done',
  'cancelled',
] as const;
export type FileState = (typeof FILE_STATES)[number];

/** A list of payouts that people prepare together. */
export type PayoutFile = Readonly<{
  bookId: string;
  id: string;
  name: string;
  source: 'file' | 'schedule';
  references: RowReferences;
  state: FileState;
  /** Null: made from rows that were here already. */
  format: FileFormat | null;
  uploadBytes: number | null;
  uploadHash: string | null;
  columns: readonly FileColumn[];
  sheet: string | null;
  otherSheets: readonly string[];
  /** Why it could not be read; null: it could. */
  problem: Readonly<{ code: FileProblemCode; detail: string | null }> | null;
  failedRowsOf: string | null;
  scheduleId: string | null;
  maker: FileMaker;
  createdAt: Date;
  updatedAt: Date;
  walletId: string | null;
  currency: Currency | null;
  rows: RowCounts;
  /** Amounts without fees of the rows that are not dropped. */
  sumMinor: bigint;
  /** Grows with each change. */
  version: number;
  names: Readonly<{ askedAt: Date | null; total: number; checked: number; isDue: boolean }>;
  contentHash: string | null;
  submittedAt: Date | null;
  submittedByName: string | null;
  payAt: Date | null;
  policyVersion: number | null;
  ruleNames: readonly string[];
  approvalExpiresAt: Date | null;
  payingAt: Date | null;
  endedAt: Date | null;
  endedAs: string | null;
}>;

/** Who made a file; both ids null: the service, by a schedule. */
export type FileMaker = Readonly<{ personId: string | null; keyId: string | null; name: string }>;

/** How many rows there are of each kind. */
type RowCounts = Readonly<{
  total: number;
  checked: number;
  problem: number;
  warned: number;
  dropped: number;
  created: number;
  refused: number;
  succeeded: number;
  failed: number;
  cancelled: number;
}>;

export function makerOf(actor: Actor): FileMaker {
  return {
    personId: actor.kind === 'person' ? actor.id : null,
    keyId: actor.kind === 'key' ? actor.id : null,
    name: nameActor(actor),
  };
}

export type FileRow = {
  book_id: string;
  id: string;
  name: string;
  source: 'file' | 'schedule';
  row_references: RowReferences;
  state: FileState;
  format: FileFormat | null;
  upload_bytes: number | null;
  upload_hash: Buffer | null;
  columns: readonly FileColumn[] | null;
  sheet: string | null;
  other_sheets: readonly string[];
  problem_code: FileProblemCode | null;
  problem_detail: string | null;
  failed_rows_of: string | null;
  schedule_id: string | null;
  made_by: string | null;
  made_by_key: string | null;
  made_by_name: string;
  created_at: Date;
  updated_at: Date;
  wallet_id: string | null;
  currency: Currency | null;
  rows_total: number;
  rows_checked: number;
  rows_problem: number;
  rows_warned: number;
  rows_dropped: number;
  rows_created: number;
  rows_refused: number;
  rows_succeeded: number;
  rows_failed: number;
  rows_cancelled: number;
  sum_minor: bigint;
  version: number;
  names_asked_at: Date | null;
  names_total: number;
  names_checked: number;
  is_due: boolean;
  content_hash: string | null;
  submitted_at: Date | null;
  submitted_by_name: string | null;
  pay_at: Date | null;
  policy_version: number | null;
  rules: readonly string[] | null;
  approval_expires_at: Date | null;
  paying_at: Date | null;
  ended_at: Date | null;
  ended_as: string | null;
};

/** Of the row `f`. */
export const FILE_COLUMNS = `
  f.book_id, f.id, f.name, f.source, f.row_references, f.state, f.format, f.upload_bytes, f.upload_hash, f.columns,
  f.sheet, f.other_sheets, f.problem_code, f.problem_detail, f.failed_rows_of, f.schedule_id, f.made_by, f.made_by_key,
  f.made_by_name, f.created_at, f.updated_at, f.wallet_id, f.currency, f.rows_total, f.rows_checked, f.rows_problem,
  f.rows_warned, f.rows_dropped, f.rows_created, f.rows_refused, f.rows_succeeded, f.rows_failed, f.rows_cancelled,
  f.sum_minor, f.version, f.names_asked_at, f.names_total, f.names_checked, f.next_action_at is not null as is_due,
  f.content_hash, f.submitted_at, f.submitted_by_name, f.pay_at, f.policy_version, f.rules, f.approval_expires_at,
  f.paying_at, f.ended_at, f.ended_as`;

export function toPayoutFile(row: FileRow): PayoutFile {
  return {
    bookId: row.book_id,
    id: row.id,
    name: row.name,
    source: row.source,
    references: row.row_references,
    state: row.state,
    format: row.format,
    uploadBytes: row.upload_bytes,
    uploadHash: row.upload_hash?.toString('hex') ?? null,
    columns: row.columns ?? [],
    sheet: row.sheet,
    otherSheets: row.other_sheets,
    problem:
      row.problem_code === null ? null : { code: row.problem_code, detail: row.problem_detail },
    failedRowsOf: row.failed_rows_of,
    scheduleId: row.schedule_id,
    maker: { personId: row.made_by, keyId: row.made_by_key, name: row.made_by_name },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    walletId: row.wallet_id,
    currency: row.currency,
    rows: {
      total: row.rows_total,
      checked: row.rows_checked,
      problem: row.rows_problem,
      warned: row.rows_warned,
      dropped: row.rows_dropped,
      created: row.rows_created,
      refused: row.rows_refused,
      succeeded: row.rows_succeeded,
      failed: row.rows_failed,
      cancelled: row.rows_cancelled,
    },
    sumMinor: row.sum_minor,
    version: row.version,
    names: {
      askedAt: row.names_asked_at,
      total: row.names_total,
      checked: row.names_checked,
      isDue: row.is_due,
    },
    contentHash: row.content_hash,
    submittedAt: row.submitted_at,
    submittedByName: row.submitted_by_name,
    payAt: row.pay_at,
    policyVersion: row.policy_version,
    ruleNames: row.rules ?? [],
    approvalExpiresAt: row.approval_expires_at,
    payingAt: row.paying_at,
    endedAt: row.ended_at,
    endedAs: row.ended_as,
  };
}
