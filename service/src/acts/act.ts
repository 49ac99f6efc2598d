import type { Actor } from '../domain/actor.ts';

/** What people and keys can do. Each is recorded in the transaction that does it. */
export const ACT_KINDS = [
  'ADMINISTRATOR_ADDED',
  'ADMINISTRATOR_REMOVED',
  'ADMINISTRATOR_REPLACED',
  'MERCHANT_CREATED',
  'MERCHANT_SUSPENDED',
  'MERCHANT_RESUMED',
  'MERCHANT_MOVE_BEGAN',
  'MERCHANT_MOVED',
  'MERCHANT_MOVE_UNDONE',
  'MERCHANT_FORGOTTEN',
  'FEES_SET',
  'KEY_ISSUED',
  'KEY_CONFIRMED',
  'KEY_ROTATED',
  'KEY_REVOKED',
  'WALLET_CREATED',
  'WALLET_FUNDED',
  'WALLET_FROZEN',
  'WALLET_UNFROZEN',
  'WALLET_LIMIT_SET',
  'LOW_BALANCE_SET',
  'TAKE_BACK_PROPOSED',
  'TAKE_BACK_CONFIRMED',
  'TAKE_BACK_WITHDRAWN',
  'RESOLUTION_PROPOSED',
  'RESOLUTION_CONFIRMED',
  'RESOLUTION_WITHDRAWN',
  'TRANSFER_RECALLED',
  'TRANSFER_INQUIRED',
  'TRANSFER_CANCELLED',
  'TRANSFER_APPROVED',
  'TRANSFER_REJECTED',
  'APPROVAL_RECALLED',
  'PHONE_REVEALED',
  'INCIDENT_CLOSED',
  'ROUTE_HELD',
  'ROUTE_RELEASED',
  'ROUTE_CLOSED',
  'ROUTE_OPENED',
  'FLOAT_EXPLAINED',
  'PASSWORD_CHANGED',
  'TOTP_SET',
  'RECOVERY_CODES_MADE',
  'ACCOUNT_RESET',
  'SESSION_ENDED',
  'PASSKEY_ADDED',
  'PASSKEY_REMOVED',
  'WEBHOOK_CREATED',
  'WEBHOOK_CHANGED',
  'WEBHOOK_DELETED',
  'WEBHOOK_SECRET_ROTATED',
  'DELIVERY_REPLAYED',
  'DELIVERIES_REPLAYED',
  'RECIPIENT_CREATED',
  'PAYOUT_FILE_SUBMITTED',
  'PAYOUT_FILE_APPROVED',
  'PAYOUT_FILE_REJECTED',
  'PAYOUT_FILE_CANCELLED',
  'FAILED_ROWS_COPIED',
  'PAYOUT_FILE_UPLOADED',
  'PAYOUT_FILE_CHANGED',
  'PAYOUT_FILE_DELETED',
  'PAYOUT_FILE_NAMES_ASKED',
  'PAYOUT_ROW_CORRECTED',
  'PAYOUT_ROW_DROPPED',
  'PAYOUT_ROW_RESTORED',
  'PAYOUT_ROWS_DROPPED',
  'PERSON_INVITED',
  'INVITATION_WITHDRAWN',
  'INVITATION_ACCEPTED',
  'ROLES_CHANGED',
  'PERSON_REMOVED',
  'SESSIONS_ENDED',
  'LIST_ENTRY_ADDED',
  'LIST_ENTRY_ENDED',
  'SCREENER_ADDED',
  'SCREENER_REMOVED',
  'SCHEDULE_CREATED',
  'SCHEDULE_CHANGED',
  'SCHEDULE_PAUSED',
  'SCHEDULE_RESUMED',
  'SCHEDULE_ENDED',
  'HOLIDAY_ENTERED',
  'HOLIDAY_REMOVED',
  'POLICY_DRAFT_SAVED',
  'POLICY_DRAFT_DISCARDED',
  'POLICY_PROPOSED',
  'POLICY_PUBLISHED',
  'CELL_ADDED',
  'CELL_CLOSED',
  'CELL_OPENED',
] as const;
export type ActKind = (typeof ACT_KINDS)[number];

export function isActKind(text: string): text is ActKind {
  return ACT_KINDS.some((kind) => kind === text);
}

/** What the subject was before an act, or is after it. Amounts are decimal text, times are ISO 8601. */
export type ActFacts = Readonly<
  Record<string, string | number | boolean | null | readonly string[]>
>;

export type Act = Readonly<{
  actor: Actor;
  kind: ActKind;
  /** The id of what was changed, or its name where people know it by that. */
  subject: string;
  /** The merchant that it concerns; null: none, or all. */
  merchantId: string | null;
  /** In which book; absent: in none, or in the whole merchant. */
  bookId?: string;
  /** Why, in the words of the person; null: none were asked for. */
  reason: string | null;
  /** Null: it was not there before. */
  before: ActFacts | null;
  /** Null: it is no longer there. */
  after: ActFacts | null;
}>;

export type ActDeps = Readonly<{ now: () => Date; newId: () => string }>;
