import type { Mode } from './types.ts';

export type Posting = Readonly<{
  sequence: number;
  kind: 'fund' | 'hold' | 'settle' | 'fee' | 'release' | 'reverse' | 'fee_return' | 'fund_return';
  amount: string;
  from: string;
  to: string;
  availableAfter: string;
  heldAfter: string;
  currency: string;
  transferId: string | null;
  reference: string | null;
  createdAt: string;
}>;

export type Recipient = Readonly<{
  id: string;
  phone: string;
  operator: string;
  country: string;
  accountName: string | null;
  suppliedAccountName: string | null;
  nameMatch: 'match' | 'close' | 'mismatch' | null;
  resolution: 'resolved' | 'pending';
  mode: Mode;
  createdAt: string;
}>;
