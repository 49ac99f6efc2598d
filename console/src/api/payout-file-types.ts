import type { TransferState } from './types.ts';

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

/** A payout file as the list shows it. Sums are decimal texts. */
export type PayoutFileItem = Readonly<{
  id: string;
  name: string;
  source: 'file' | 'schedule';
  state: FileState;
  sheet: string | null;
  otherSheets: readonly string[];
  madeBy: Readonly<{ kind: string; id: string | null; name: string }>;
  createdAt: string;
  walletId: string | null;
  currency: string | null;
  progress: Readonly<{ checked: number; total: number }>;
  counts: RowCounts;
  sum: string;
  names: Readonly<{ state: 'none' | 'asking' | 'done'; total: number; checked: number }>;
  /** Grows with each change. */
  version: number;
  contentHash: string | null;
  submittedAt: string | null;
  submittedBy: string | null;
  payAt: string | null;
  policyVersion: number | null;
  rules: readonly string[];
  endedAs: string | null;
  failedRowsOf: string | null;
  scheduleId: string | null;
}>;

type RowCounts = Readonly<{
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

type OperatorTotal = Readonly<{
  operator: string;
  country: string;
  count: number;
  sum: string;
  fees: string;
  open: boolean;
  min: number | null;
  max: number | null;
}>;

export type PayoutFile = PayoutFileItem &
  Readonly<{
    fees: string;
    total: string;
    operators: readonly OperatorTotal[];
    wallet: Readonly<{
      id: string;
      status: 'active' | 'frozen';
      available: string;
      left: string;
      leftToday: string | null;
      suffices: boolean;
    }> | null;
    sameUploads: readonly Readonly<{
      id: string;
      name: string;
      state: FileState;
      createdAt: string;
    }>[];
  }>;

export type RowField =
  | 'phone'
  | 'amount'
  | 'name'
  | 'operator'
  | 'country'
  | 'narration'
  | 'reference'
  | 'walletId';

type RowTexts = Readonly<Partial<Record<RowField, string>>>;
type RowProblem = Readonly<{ code: string; field: RowField; message: string }>;

export type PayoutRow = Readonly<{
  number: number;
  state: 'ready' | 'problem' | 'dropped' | 'waiting' | 'created' | 'refused';
  /** As it was in the file. */
  cells: RowTexts;
  corrections: RowTexts;
  phone: string | null;
  operator: string | null;
  currency: string | null;
  amount: number | null;
  name: string | null;
  problems: readonly RowProblem[];
  warnings: readonly (RowProblem & Readonly<{ row?: number | null; transferId?: string | null }>)[];
  accountName: string | null;
  nameMatch: 'match' | 'close' | 'mismatch' | null;
  replaces: string | null;
  transferId: string | null;
  transferState: TransferState | null;
  refusal: Readonly<{ code: string; detail: string | null }> | null;
}>;
