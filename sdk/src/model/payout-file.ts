import type { Currency, Timestamp } from './words.ts';

/** A payout file by what was submitted, which never changes. */
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
  /** Approvals are for exactly this. */
  contentHash: string;
  submittedAt: Timestamp;
  payAt: Timestamp | null;
}>;
