import type { NameMatch } from '../name-match.ts';
import type { Country, Operator } from '../operator.ts';
import type { Weekday } from '../recurrence.ts';
import type { Source } from '../source.ts';

export const RULES_MAX = 200;
/** In Unicode code points. */
export const RULE_NAME_LENGTH_MAX = 60;
/** The most approvals that one rule asks for. Requirements of several rules add up. */
export const APPROVALS_MAX = 10;
/** The most values in one list of a condition. */
export const LIST_LENGTH_MAX = 100;
export const COUNT_ABOVE_MAX = 1_000_000;
export const SCREENER_NAME_PATTERN = /^[A-Za-z0-9_.-]{1,60}$/;

const DAY_SECONDS = 24 * 60 * 60;
/** A longer window would have to count transfers that a book may have archived. */
export const WINDOW_MAX_SECONDS = 90 * DAY_SECONDS;
export const APPROVAL_EXPIRES_AFTER_DEFAULT_MS = 7 * DAY_SECONDS * 1_000;

/** By what transfers are summed or counted. */
export const COUNTED_BY = ['wallet', 'key', 'person', 'recipient', 'operator'] as const;
export type CountedBy = (typeof COUNTED_BY)[number];

/** `unknown`: no name was given, or the operator told none. */
export const NAME_WORDS = ['match', 'close', 'mismatch', 'unknown'] as const;
type NameWord = NameMatch | 'unknown';

/** The roles that can approve. A role is meant literally: an owner is not an approver. */
export const APPROVING_ROLES = ['owner', 'approver'] as const;
type ApprovingRole = (typeof APPROVING_ROLES)[number];

/** The last so many seconds, or the business day of the transfer's country. */
export type Window = Readonly<{ kind: 'sliding'; seconds: number }> | Readonly<{ kind: 'day' }>;

/** Minutes are those since midnight in the zone. `from` after `to`: until the next day. */
export type Hours = Readonly<{
  zone: string;
  /** Those on which the hours begin. */
  days: readonly Weekday[];
  fromMinute: number;
  toMinute: number;
}>;

/** All that are not null must hold. */
export type RuleConditions = Readonly<{
  amountAtLeastMinor: bigint | null;
  amountBelowMinor: bigint | null;
  sum: Readonly<{ by: CountedBy; window: Window; aboveMinor: bigint }> | null;
  count: Readonly<{ by: CountedBy; window: Window; above: number }> | null;
  firstPayment: boolean | null;
  nameMatch: readonly NameWord[] | null;
  similarWithinMs: number | null;
  sources: readonly Source[] | null;
  hours: Hours | null;
  operators: readonly Operator[] | null;
  countries: readonly Country[] | null;
  wallets: readonly string[] | null;
  keys: readonly string[] | null;
  metadata: readonly Readonly<{ key: string; values: readonly string[] }>[] | null;
  onAllowList: boolean | null;
}>;

/** What a rule asks for where its conditions hold. A refusal stands alone; the others may stand together. */
export type Requirement = Readonly<{
  refuse: boolean;
  approvals: Readonly<{ count: number; of: readonly ApprovingRole[] }> | null;
  warn: boolean;
  screener: string | null;
}>;

export type Rule = Readonly<{ name: string; when: RuleConditions; require: Requirement }>;

/** What a book's document says, exact. Compile it before orders are decided by it. */
export type Policy = Readonly<{
  sendLateWithinMs: number;
  approvalExpiresAfterMs: number;
  rules: readonly Rule[];
}>;
