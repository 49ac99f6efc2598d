import type { Transfer } from './transfer.ts';
import type { Currency, Timestamp } from './words.ts';

/** A number on the deny list is never paid. The allow list has an effect only in rules that mention it. */
export type ListName = 'allow' | 'deny';

/** A number that is allowed or denied. */
export type ListEntry = Readonly<{
  id: string;
  list: ListName;
  /** In E.164. */
  phone: string;
  reason: string;
  author: PersonName;
  createdAt: Timestamp;
  /** Null: never. */
  expiresAt: Timestamp | null;
  endedAt: Timestamp | null;
  endedBy: PersonName | null;
  endReason: string | null;
  /** Neither ended nor expired. */
  inForce: boolean;
}>;

/** A person, with the name at that time. */
export type PersonName = Readonly<{ id: string; name: string }>;

export type ListEntryFilter = Readonly<{
  list?: ListName | undefined;
  /** Part of the number in E.164, of the reason or of the name of its author. */
  q?: string | undefined;
  inForce?: boolean | undefined;
}>;

/** How much of one limit is used. Amounts and counts are texts. */
export type Limit = Readonly<{
  /** Null: the wallet's own daily limit. */
  rule: string | null;
  kind: 'sum' | 'count';
  by: 'wallet' | 'key' | 'person' | 'recipient' | 'operator';
  subject: string;
  name: string;
  /** `day`, or an ISO 8601 duration. */
  window: string;
  currency: Currency;
  /** Transfers above it are refused. */
  refuses: boolean;
  limit: string;
  used: string;
  left: string;
  /** When the count starts again; null: the window slides. */
  resetsAt: Timestamp | null;
}>;

/** A service of yours that decides about payouts before they are sent. */
export type Screener = Readonly<{
  id: string;
  /** Rules ask for it by this name. */
  name: string;
  url: string;
  deadlineMs: number;
  createdBy: PersonName;
  createdAt: Timestamp;
}>;

export type ScreeningDecision = 'allow' | 'hold' | 'refuse';

/** One question to a screener about a transfer. */
export type Screening = Readonly<{
  /** The rule that asks. */
  rule: string;
  screener: string;
  /** Null: not answered. */
  decision: ScreeningDecision | null;
  /** What the screener said, or why it did not answer. */
  reason: string | null;
  createdAt: Timestamp;
  decidedAt: Timestamp | null;
  attempts: readonly ScreeningAttempt[];
}>;

export type ScreeningAttempt = Readonly<{
  at: Timestamp;
  elapsedMs: number;
  /** Null: there was no answer. */
  status: number | null;
  error: string | null;
  /** As it came. */
  answer: string | null;
  /** How the service read it. */
  decision: ScreeningDecision;
}>;

/** The question that your screener gets. */
export type ScreeningQuestion = Readonly<{
  /** The same each time the same question is asked. */
  id: string;
  /** The rule that asks. */
  rule: string;
  transfer: Transfer;
}>;
