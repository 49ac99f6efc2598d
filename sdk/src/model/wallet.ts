import type { Currency, TimeInput, Timestamp } from './words.ts';

/** Balances are decimal texts such as `1000000.00`: large sums do not fit a number exactly. */
export type Wallet = Readonly<{
  id: string;
  currency: Currency;
  /** What can be paid out. */
  available: string;
  /** What is set aside for transfers that are under way. */
  held: string;
  /** Nothing can be paid out of a frozen wallet. */
  status: 'active' | 'frozen';
}>;

export type PostingKind =
  | 'fund'
  | 'hold'
  | 'settle'
  | 'fee'
  | 'release'
  | 'reverse'
  | 'fee_return'
  | 'fund_return';

/** One line of a wallet's statement. */
export type Posting = Readonly<{
  /** From 1 in each wallet, without gaps. */
  sequence: number;
  kind: PostingKind;
  /** What moved; never negative. */
  amount: string;
  /** The account it left: `available` and `held` are the wallet's own. */
  from: string;
  to: string;
  availableAfter: string;
  heldAfter: string;
  currency: Currency;
  /** Null for a funding. */
  transferId: string | null;
  /** Of the transfer, or of the funding. */
  reference: string | null;
  createdAt: Timestamp;
}>;

export type PostingFilter = Readonly<{
  from?: TimeInput | undefined;
  to?: TimeInput | undefined;
}>;
