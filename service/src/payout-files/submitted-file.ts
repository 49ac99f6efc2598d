import type { ApprovalRequirement } from '../domain/approval-requirement.ts';
import type { Book } from '../domain/book.ts';
import type { Currency } from '../domain/money.ts';
import type { Mode } from '../domain/transfer.ts';
import type { RowReferences } from './row-reference.ts';

/** The states of a payout file from its submission on. */
export type SubmittedState = 'awaiting_approval' | 'scheduled' | 'paying' | 'done' | 'cancelled';

/** Both null: the service. */
export type SubmittedBy = Readonly<{ personId: string | null; keyId: string | null }>;

/** A payout file that was submitted: what it orders never changes again. */
export type SubmittedFile = Readonly<{
  book: Book;
  id: string;
  name: string;
  source: 'file' | 'schedule';
  references: RowReferences;
  state: SubmittedState;
  currency: Currency;
  walletId: string;
  payAt: Date | null;
  contentHash: string;
  /** The one in whose name its rows are paid: who submitted it, or who made the schedule that did. */
  maker: SubmittedBy;
  /** Null: none was asked for, or its day was missed and then a person decides. */
  approvalsNeeded: readonly ApprovalRequirement[] | null;
  /** People approved it, so its rows need no approvals of their own. */
  isApproved: boolean;
  /** Why it was cancelled. */
  endedAs: string | null;
  /** Who cancelled it, as a code. */
  endedBy: string | null;
  /** The number of its last event. */
  eventSeq: number;
  /** The highest number of a row that was taken to be paid. */
  payingUpTo: number;
}>;

export type SubmittedFileRow = {
  book_id: string;
  id: string;
  name: string;
  source: 'file' | 'schedule';
  row_references: RowReferences;
  state: SubmittedState;
  currency: Currency;
  wallet_id: string;
  pay_at: Date | null;
  content_hash: string;
  submitted_by: string | null;
  submitted_by_key: string | null;
  made_by: string | null;
  made_by_key: string | null;
  approvals_needed: readonly ApprovalRequirement[] | null;
  is_approved: boolean;
  ended_as: string | null;
  ended_by: string | null;
  event_seq: number;
  paying_up_to: number;
  merchant_id: string;
  mode: Mode;
  fee_fixed_minor: bigint;
  fee_basis_points: number;
  is_suspended: boolean;
  controls_version: number | null;
};

/** Of `payout_files f` and `books b`. */
export const SUBMITTED_COLUMNS = `
  f.book_id, f.id, f.name, f.source, f.row_references, f.state, f.currency, f.wallet_id, f.pay_at, f.content_hash, f.submitted_by,
  f.submitted_by_key, f.made_by, f.made_by_key, f.approvals_needed, f.is_approved, f.ended_as, f.ended_by, f.event_seq, f.paying_up_to, b.merchant_id, b.mode, b.fee_fixed_minor,
  b.fee_basis_points, b.suspended_at is not null as is_suspended, b.controls_version`;

export function toSubmittedFile(row: SubmittedFileRow): SubmittedFile {
  return {
    book: {
      id: row.book_id,
      merchantId: row.merchant_id,
      mode: row.mode,
      feeTerms: { fixedMinor: row.fee_fixed_minor, basisPoints: row.fee_basis_points },
      isSuspended: row.is_suspended,
      controlsVersion: row.controls_version,
    },
    id: row.id,
    name: row.name,
    source: row.source,
    references: row.row_references,
    state: row.state,
    currency: row.currency,
    walletId: row.wallet_id,
    payAt: row.pay_at,
    contentHash: row.content_hash,
    maker: makerOf(row),
    approvalsNeeded: row.approvals_needed,
    isApproved: row.is_approved,
    endedAs: row.ended_as,
    endedBy: row.ended_by,
    eventSeq: row.event_seq,
    payingUpTo: row.paying_up_to,
  };
}

function makerOf(row: SubmittedFileRow): SubmittedBy {
  const isSystem = row.submitted_by === null && row.submitted_by_key === null;
  return isSystem
    ? { personId: row.made_by, keyId: row.made_by_key }
    : { personId: row.submitted_by, keyId: row.submitted_by_key };
}
