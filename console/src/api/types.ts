import type { MerchantRole, StaffRole } from '../../../service/src/domain/roles.ts';
import type { TransferState } from '../../../service/src/domain/transfer-state.ts';
import type { Approval } from './control-types.ts';

export type { MerchantRole, StaffRole, TransferState };
export type Mode = 'live' | 'test';

export type SessionBook = Readonly<{ id: string; mode: Mode; roles: readonly MerchantRole[] }>;

export type Membership = Readonly<{
  merchant: Readonly<{ id: string; name: string }>;
  roles: readonly MerchantRole[];
  books: readonly SessionBook[];
}>;

export type Session = Readonly<{
  person: Readonly<{ id: string; name: string; email: string }>;
  staffRoles: readonly StaffRole[];
  memberships: readonly Membership[];
  steppedUpUntil: string | null;
  hasSecondFactor: boolean;
  expiresAt: string;
}>;

/** The second factor was shown, and counts until then. */
export type SteppedUp = Readonly<{ until: string }>;

export type SignInMethods = Readonly<{
  password: boolean;
  passkey: boolean;
  singleSignOn: boolean;
  demo: boolean;
}>;

export type Wallet = Readonly<{
  id: string;
  name?: string;
  currency: string;
  available: string;
  held: string;
  status: 'active' | 'frozen';
}>;

export type Transfer = Readonly<{
  id: string;
  type: 'mobile-money';
  reference: string;
  status: string;
  state: TransferState;
  amount: number;
  fee: number;
  currency: string;
  walletId: string;
  phone: string;
  operator: string;
  country: string;
  recipientName: string | null;
  narration: string | null;
  operatorTransactionId: string | null;
  failure: Readonly<{ code: string; message: string }> | null;
  mode: Mode;
  createdAt: string;
  updatedAt: string;
  completedAt: string | null;
  inDoubtSince?: string;
  lastCheckedAt?: string | null;
  nextCheckAt?: string | null;
  sendAt?: string | null;
  source?: 'api' | 'console' | 'file' | 'schedule';
  policyVersion?: number | null;
  rules?: readonly string[];
  /** Null: no approval was ever asked for. */
  contentHash?: string | null;
  approval?: Approval | null;
  payoutFileId?: string | null;
  replaces?: string | null;
}>;

export type TotpSetUp = Readonly<{ secret: string; uri: string; qr: string }>;

export type Invitation = Readonly<{
  name: string;
  email: string;
  merchant: Readonly<{ id: string; name: string }> | null;
  roles: readonly Readonly<{ role: MerchantRole | StaffRole; bookId: string | null }>[];
  needsSecondFactor: boolean;
  hasAccount: boolean;
  expiresAt: string;
}>;

export type Factors = Readonly<{
  totp: Readonly<{ createdAt: string }> | null;
  passkeys: readonly Readonly<{
    id: string;
    name: string;
    createdAt: string;
    lastUsedAt: string | null;
  }>[];
  recoveryCodesLeft: number;
  /** When the first single sign-on ended what was set before it; null: never. */
  resetAt: string | null;
}>;

export type OpenSession = Readonly<{
  id: string;
  current: boolean;
  address: string;
  userAgent: string;
  createdAt: string;
  lastUsedAt: string;
  expiresAt: string;
}>;

/** An event of the stream. `id` is that of the changed object. */
export type Change = Readonly<{
  what: string;
  id: string;
  state?: string;
  reference?: string;
  merchantId?: string;
  at?: string;
}>;
