/** The content of the database at one moment. Amounts are minor units as text, times are ISO in UTC. */
export type Snapshot = Readonly<{
  at: string;
  books: readonly BookRow[];
  wallets: readonly WalletRow[];
  /** Ordered by wallet and number. */
  postings: readonly PostingRow[];
  transfers: readonly TransferRow[];
  /** Only those of transfers, ordered by transfer and number. */
  events: readonly EventRow[];
  attempts: readonly AttemptRow[];
  incidents: readonly IncidentRow[];
  callbacks: readonly CallbackRow[];
  deliveries: readonly DeliveryRow[];
  /** Every event that merchants see, including those of wallets and endpoints. */
  publicEvents: readonly PublicEventRow[];
  /** Decisions of people about transfers and payout files. */
  approvals: readonly ApprovalRow[];
  files: readonly PayoutFileRow[];
  /** Ordered by file and number. */
  fileRows: readonly FileRow[];
  screenings: readonly ScreeningRow[];
}>;

export type BookRow = Readonly<{
  id: string;
  mode: string;
  feeFixedMinor: string;
  feeBasisPoints: number;
}>;

export type WalletRow = Readonly<{
  bookId: string;
  id: string;
  currency: string;
  availableMinor: string;
  heldMinor: string;
  postingSeq: string;
}>;

export type PostingRow = Readonly<{
  bookId: string;
  walletId: string;
  seq: string;
  kind: string;
  fromAccount: string;
  toAccount: string;
  amountMinor: string;
  currency: string;
  transferId: string | null;
  availableAfterMinor: string;
  heldAfterMinor: string;
  /** The transaction that wrote it. */
  writtenBy: string;
}>;

export type TransferRow = Readonly<{
  bookId: string;
  id: string;
  walletId: string;
  reference: string;
  idempotencyKey: string | null;
  state: string;
  amountMinor: string;
  feeMinor: string;
  currency: string;
  phone: string;
  operator: string;
  country: string;
  recipientName: string | null;
  narration: string | null;
  operatorReference: string;
  route: string;
  failureCode: string | null;
  eventSeq: number;
  /** The number of resubmissions. */
  resubmissions: number;
  nextActionAt: string | null;
  inDoubtSince: string | null;
  flaggedAt: string | null;
  createdAt: string;
  completedAt: string | null;
  metadata: Readonly<Record<string, string>> | null;
  sendAt: string | null;
  /** By the database's clock; null: it never left. */
  firstSubmittedAt: string | null;
  /** The person who ordered it; null: a key. */
  madeBy: string | null;
  approvalsNeeded: readonly Readonly<{ rule: string; count: number }>[] | null;
  fileId: string | null;
}>;

export type EventRow = Readonly<{
  bookId: string;
  transferId: string;
  seq: number;
  type: string | null;
  fromState: string | null;
  toState: string | null;
  cause: string;
  actor: string;
  /** The transaction that wrote it. */
  writtenBy: string;
}>;

/** An exchange with an operator, as the service recorded it. */
export type AttemptRow = Readonly<{
  bookId: string;
  transferId: string;
  purpose: string;
  route: string;
  operatorReference: string;
  outcome: string;
  /** Null: there was no answer. */
  httpStatus: number | null;
  /** For a callback that counted as an answer: whether its signature is valid. Null: the callback was deleted. */
  isSigned: boolean | null;
  /** By the time that the exchange took. Too early where the machine was suspended, or seemed to be, meanwhile. */
  startedAt: string;
  endedAt: string;
}>;

export type IncidentRow = Readonly<{
  transferId: string;
  kind: string;
  isOpen: boolean;
  /** Of a payout that was reported as paid before it was sent: the routes of these callbacks. */
  reportedBy: readonly string[];
}>;

/** The number of callbacks with a given reading and handling. */
export type CallbackRow = Readonly<{ reading: string; handledAs: string | null; count: number }>;

export type DeliveryRow = Readonly<{
  bookId: string;
  endpointId: string;
  subjectId: string;
  eventSeq: number;
  state: string;
  attempts: number;
}>;

export type PublicEventRow = Readonly<{
  bookId: string;
  subjectId: string;
  seq: number;
  type: string;
  /** Its number in the feed; null: not placed yet. */
  feedNumber: string | null;
}>;

export type ApprovalRow = Readonly<{
  kind: 'transfer' | 'file';
  subjectId: string;
  /** The number of the event by which the subject came to wait. */
  round: number;
  personId: string;
  decision: 'approve' | 'reject';
  contentHash: string;
}>;

/** A question to a screener. */
export type ScreeningRow = Readonly<{
  transferId: string;
  rule: string;
  /** Null: it was not answered. */
  decision: 'allow' | 'hold' | 'refuse' | null;
}>;

export type PayoutFileRow = Readonly<{
  bookId: string;
  id: string;
  state: string;
  contentHash: string | null;
  madeBy: string | null;
  submittedBy: string | null;
  currency: string | null;
  walletId: string | null;
  payAt: string | null;
}>;

export type FileRow = Readonly<{
  fileId: string;
  number: number;
  state: string;
  transferId: string | null;
  phone: string | null;
  amountMinor: string | null;
  feeMinor: string | null;
  operator: string | null;
  country: string | null;
  recipientName: string | null;
  narration: string | null;
  givenReference: string | null;
  replaces: string | null;
}>;
