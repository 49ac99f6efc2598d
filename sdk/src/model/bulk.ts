import type { ErrorCode, FieldProblem } from './failure.ts';
import type { Transfer } from './transfer.ts';

export type BulkAccepted = Readonly<{ status: true; message: string; data: Transfer }>;

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
