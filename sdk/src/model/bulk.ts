import type { ErrorCode, FieldProblem } from './failure.ts';
import type { Transfer } from './transfer.ts';

export type BulkAccepted = Readonly<{ status: true; message: string; data: Transfer }>;

/**
 * A transfer that was not accepted by this call. With `error.retryable` its outcome is not known: send the same call again.
 * A DUPLICATE_REFERENCE with `samePayload` was sent already, and `transfer` is what became of it.
 */
export type BulkRefused = Readonly<{
  status: false;
  message: string;
  data: Readonly<{
    error: Readonly<{
      code: ErrorCode;
      /** Whether the same transfer, sent again unchanged, may be accepted. */
      retryable: boolean;
      requestId: string;
      fields?: readonly FieldProblem[];
      /** Of a POLICY_REFUSED: the rule that refuses it. */
      rule?: string;
    }>;
    /** Of a DUPLICATE_REFERENCE: the transfer that has the reference. */
    transfer?: Transfer;
    /** Of a DUPLICATE_REFERENCE: whether that transfer means the same as this one. */
    samePayload?: boolean;
  }>;
}>;

/** What the single call would have answered. */
export type BulkResult = BulkAccepted | BulkRefused;

export type BulkResults = Readonly<{
  /** One for each transfer, in the order in which they were given. */
  results: readonly BulkResult[];
  accepted: number;
  refused: number;
}>;
