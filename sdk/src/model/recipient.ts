import type { Country, Mode, Operator, TimeInput, Timestamp } from './words.ts';

/** One mobile money account. */
export type AccountInput = Readonly<{ phone: string; operator: Operator; country: Country }>;

export type RecipientInput = AccountInput &
  Readonly<{
    /** The name you know. It is compared with the operator's, and never replaces it. */
    accountName?: string | null | undefined;
  }>;

type WhateverItsResolution = Readonly<{
  id: string;
  type: 'mobile-money';
  /** In E.164. */
  phone: string;
  operator: Operator;
  country: Country;
  suppliedAccountName: string | null;
  mode: Mode;
  createdAt: Timestamp;
}>;

export type ResolvedRecipient = WhateverItsResolution &
  Readonly<{
    resolution: 'resolved';
    /** The name that the operator knows the account by. */
    accountName: string;
    /** How the supplied name compares; null when none was supplied. */
    nameMatch: 'match' | 'close' | 'mismatch' | null;
  }>;

/** The operator could not be asked yet, and is asked again by and by. */
export type PendingRecipient = WhateverItsResolution &
  Readonly<{ resolution: 'pending'; accountName: null; nameMatch: null }>;

export type Recipient = ResolvedRecipient | PendingRecipient;

export type RecipientFilter = Readonly<{
  phone?: string | undefined;
  operator?: Operator | undefined;
  country?: Country | undefined;
  from?: TimeInput | undefined;
  to?: TimeInput | undefined;
}>;

export type ResolvedAccount = Readonly<{
  phone: string;
  accountName: string;
  operator: Operator;
  country: Country;
}>;
