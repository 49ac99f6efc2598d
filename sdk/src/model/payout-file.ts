import type { Transfer, TransferApproval, TransferState } from './transfer.ts';
import type { Country, Currency, Operator, TimeInput, Timestamp } from './words.ts';

/** The fields of a payout file that never change once it is submitted. */
export type SubmittedFile = Readonly<{
  id: string;
  name: string;
  state: 'awaiting_approval' | 'scheduled' | 'paying' | 'done' | 'cancelled';
  source: 'file' | 'schedule';
  rows: number;
  /** The sum of its amounts, without fees, as decimal text. */
  amount: string;
  currency: Currency;
  walletId: string;
  /** The hash of the content. Approvals hold for this content only. */
  contentHash: string;
  submittedAt: Timestamp;
  payAt: Timestamp | null;
}>;

/** The draft of a schedule that could not be submitted: correct it and submit it. */
export type NotSubmittedFile = Readonly<{
  id: string;
  state: 'draft';
  source: 'schedule';
  scheduleId: string;
  /** The month or week for which it was made. */
  period: string;
  /** When it was to be paid. */
  payAt: Timestamp;
  refusal: Readonly<{ code: string; message: string }>;
}>;

export const PAYOUT_FILE_STATES = [
  'checking',
  'draft',
  'awaiting_approval',
  'scheduled',
  'paying',
  'done',
  'cancelled',
] as const;
export type PayoutFileState = (typeof PAYOUT_FILE_STATES)[number];

export const PAYOUT_ROW_STATES = [
  'ready',
  'problem',
  'dropped',
  'waiting',
  'created',
  'refused',
] as const;
export type PayoutRowState = (typeof PAYOUT_ROW_STATES)[number];

export const PAYOUT_ROW_FIELDS = [
  'phone',
  'amount',
  'name',
  'operator',
  'country',
  'narration',
  'reference',
  'walletId',
] as const;
export type PayoutRowField = (typeof PAYOUT_ROW_FIELDS)[number];

/** A list of payouts that is prepared and paid as one, as lists show it. */
export type PayoutFileItem = Readonly<{
  id: string;
  name: string;
  source: 'file' | 'schedule';
  state: PayoutFileState;
  /** Whether the references of its transfers are derived from file and row, or given by the rows. */
  references: 'derived' | 'given';
  format: 'csv' | 'xlsx' | null;
  sheet: string | null;
  /** Sheets that look like lists of payouts but were not read: only one is. */
  otherSheets: readonly string[];
  columns: readonly Readonly<{ header: string; field: PayoutRowField | null }>[];
  /** Why it could not be read; null: it was read. */
  problem: Readonly<{ code: string; message: string; detail: string | null }> | null;
  madeBy: Readonly<{ kind: 'person' | 'key' | 'system'; id: string | null; name: string }>;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  walletId: string | null;
  currency: Currency | null;
  progress: Readonly<{ checked: number; total: number }>;
  counts: PayoutFileCounts;
  /** Without fees, as decimal text. */
  sum: string;
  names: Readonly<{ state: 'none' | 'asking' | 'done'; total: number; checked: number }>;
  version: number;
  contentHash: string | null;
  submittedAt: Timestamp | null;
  submittedBy: string | null;
  payAt: Timestamp | null;
  policyVersion: number | null;
  rules: readonly string[];
  approvalExpiresAt: Timestamp | null;
  payingAt: Timestamp | null;
  endedAt: Timestamp | null;
  endedAs: string | null;
  failedRowsOf: string | null;
  scheduleId: string | null;
}>;

/** How many rows there are of each kind. */
export type PayoutFileCounts = Readonly<{
  rows: number;
  ready: number;
  problems: number;
  warnings: number;
  dropped: number;
  created: number;
  refused: number;
  succeeded: number;
  failed: number;
  cancelled: number;
}>;

export type PayoutFileApproval = TransferApproval &
  Readonly<{
    /** While it waits: the rows that are neither paid nor refused, fewer than all where paying was interrupted. */
    rowsLeft: number | null;
    /** The sum of their amounts, without fees, as decimal text. */
    amountLeft: string | null;
  }>;

/** A file with its totals and what is wrong with its rows. */
export type PayoutFile = PayoutFileItem &
  Readonly<{
    /** Who must approve it, who did, and what is left to be paid; null: no approval was required. */
    approval: PayoutFileApproval | null;
    fees: string;
    total: string;
    problemKinds: readonly Readonly<{
      code: string;
      field: PayoutRowField;
      kind: 'problem' | 'warning';
      message: string;
      count: number;
    }>[];
    operators: readonly Readonly<{
      operator: Operator;
      country: Country;
      count: number;
      sum: string;
      fees: string;
      open: boolean;
      /** Whether the money with the operator covers the rows that are not sent yet; null: all are sent. */
      float: 'enough' | 'not_enough' | 'unknown' | null;
      min: number | null;
      max: number | null;
    }>[];
    wallet: Readonly<{
      id: string;
      currency: Currency;
      status: 'active' | 'frozen';
      available: string;
      left: string;
      leftToday: string | null;
      suffices: boolean;
    }> | null;
    sameUploads: readonly Readonly<{
      id: string;
      name: string;
      state: PayoutFileState;
      createdAt: Timestamp;
    }>[];
  }>;

/** The draft of the failed rows of a file. */
export type FailedRowsDraft = PayoutFile &
  Readonly<{
    /** Failed rows that the draft leaves out: the operator reported later that it paid them, or is still asked. */
    rowsLeftOut: number;
  }>;

type RowProblem = Readonly<{ code: string; field: PayoutRowField; message: string }>;

type RowWarning = RowProblem &
  Readonly<{
    /** The other row of the file. */
    row: number | null;
    /** The earlier transfer. */
    transferId: string | null;
    /** The other file. */
    fileId: string | null;
  }>;

/** One payout of a file. */
export type PayoutRow = Readonly<{
  /** 1 is the first row below the header. */
  number: number;
  line: number;
  state: PayoutRowState;
  /**
   * As it was in the file. `extra` is what stands to the right of the last column that has a name; `next` is the cell
   * after the amount, where a comma may have cut the amount in two.
   */
  cells: Readonly<Partial<Record<PayoutRowField | 'extra' | 'next', string>>>;
  corrections: Readonly<Partial<Record<PayoutRowField, string>>>;
  phone: string | null;
  operator: Operator | null;
  operatorPredicted: boolean;
  country: Country | null;
  currency: Currency | null;
  amount: number | null;
  fee: number | null;
  name: string | null;
  narration: string | null;
  reference: string | null;
  problems: readonly RowProblem[];
  warnings: readonly RowWarning[];
  accountName: string | null;
  nameMatch: 'match' | 'close' | 'mismatch' | null;
  nameCheckedAt: Timestamp | null;
  replaces: string | null;
  /** Why the transfer that it replaces failed. */
  replacedFailure: Transfer['failure'];
  transferReference: string | null;
  transferId: string | null;
  transferState: TransferState | null;
  /** Why its transfer failed. */
  transferFailure: Transfer['failure'];
  refusal: Readonly<{ code: string; detail: string | null }> | null;
}>;

export type PayoutFileFilter = Readonly<{ state?: PayoutFileState | undefined }>;

export type PayoutRowFilter = Readonly<{
  /** Only rows with a problem or a warning that are not dropped. */
  problems?: boolean | undefined;
  state?: PayoutRowState | undefined;
  /** A part of the name, number or reference. */
  q?: string | undefined;
}>;

/** A text replaces the cell; null restores the text of the file. */
export type PayoutRowCorrection = Readonly<{
  phone?: string | null | undefined;
  amount?: string | number | null | undefined;
  name?: string | null | undefined;
  operator?: string | null | undefined;
  country?: string | null | undefined;
  narration?: string | null | undefined;
  reference?: string | null | undefined;
}>;

export type PayoutFileChange = Readonly<{
  name?: string | null | undefined;
  walletId?: string | null | undefined;
}>;

export type PayoutFileSubmission = Readonly<{
  /** The `contentHash` of the file as you saw it. If the file has changed since, nothing is submitted. */
  contentHash?: string | undefined;
  /** The `version` of the draft as you saw it. If the draft has changed since, nothing is submitted. */
  version?: number | undefined;
  /** If left out: the wallet of the file, or the only one in its currency. */
  walletId?: string | undefined;
  /** If left out, it is paid as soon as it is approved. */
  payAt?: TimeInput | undefined;
}>;
