/** What the database held at one moment. Amounts are minor units as text, times are ISO in UTC. */
export type Snapshot = Readonly<{
  at: string;
  books: readonly BookRow[];
  wallets: readonly WalletRow[];
  /** By wallet and number. */
  postings: readonly PostingRow[];
  transfers: readonly TransferRow[];
  /** Of transfers only, by transfer and number. */
  events: readonly EventRow[];
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
  failureCode: string | null;
  eventSeq: number;
  nextActionAt: string | null;
  inDoubtSince: string | null;
  flaggedAt: string | null;
  createdAt: string;
  completedAt: string | null;
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
}>;
