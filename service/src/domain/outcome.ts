/** Why a transfer failed, in words that a merchant can act on. */
export const FAILURES = {
  RECIPIENT_NOT_FOUND: 'The operator has no account for this number.',
  RECIPIENT_NOT_ALLOWED: 'The account cannot receive money.',
  RECIPIENT_LIMIT_REACHED: 'The account has reached its limit.',
  AMOUNT_REFUSED: 'The operator refused the amount.',
  OPERATOR_REJECTED: 'The operator refused the transfer.',
  OPERATOR_FLOAT_INSUFFICIENT: 'Payouts temporarily unavailable.',
  CANCELLED: 'Cancelled before it reached the operator.',
  APPROVAL_REJECTED: 'A person rejected it. It never reached the operator.',
  APPROVAL_EXPIRED: 'It was not approved in time. It never reached the operator.',
  APPROVAL_RECALLED: 'Its maker recalled it before it was approved.',
  SCREENING_REFUSED: 'A screener refused it. It never reached the operator.',
} as const;

export type FailureCode = keyof typeof FAILURES;

/** What a success can report about a payout, to be compared with what was sent. */
export const REPORTED_FIELDS = ['amount', 'currency', 'number', 'reference'] as const;

export type ReportedField = (typeof REPORTED_FIELDS)[number];

/**
 * What an operator's answer means. Connectors return one of these and never throw: a timeout, a reset, a 5xx or an
 * unreadable answer is `unknown`, never `rejected`.
 */
export type Outcome =
  | Readonly<{
      kind: 'paid';
      operatorTransactionId: string | null;
      /** What the answer reported, and reported as it was sent. */
      confirmed: readonly ReportedField[];
      inquireAgainInMs?: number;
    }>
  /** The operator took or paid something other than what was sent. */
  | Readonly<{ kind: 'mismatched'; contradicted: readonly ReportedField[]; cause: string }>
  | Readonly<{ kind: 'rejected'; failure: FailureCode; cause: string }>
  /** The operator has accepted it and will report the result later. */
  | Readonly<{ kind: 'pending'; inquireInMs: number }>
  /** Provably no byte left this machine. */
  | Readonly<{ kind: 'notSent'; cause: string; retryInMs: number }>
  | Readonly<{
      kind: 'unknown';
      cause: string;
      /**
       * Submissions only: the operator answers that it already has an order under our reference. After a restore this
       * may be a different order that the database has lost.
       */
      isDuplicate?: true;
    }>
  /**
   * Submissions only: the operator takes nothing now (429, or 503 with Retry-After). Null: it does not say until when.
   */
  | Readonly<{ kind: 'throttled'; cause: string; retryInMs: number | null }>
  /**
   * Inquiries only: no answer about the payout came (not sent, lost, throttled, 5xx). Null: the operator does not say
   * when to inquire again.
   */
  | Readonly<{ kind: 'unanswered'; cause: string; retryInMs: number | null }>
  /** Inquiries only: the operator does not know our reference. This alone proves nothing. */
  | Readonly<{ kind: 'notFound' }>
  /** Inquiries only: the operator returned the money after it had paid. */
  | Readonly<{ kind: 'returned'; cause: string }>;
