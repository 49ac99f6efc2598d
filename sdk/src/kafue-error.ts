import type { ClientErrorCode, ErrorCode, FieldProblem } from './model/failure.ts';
import type { Transfer } from './model/transfer.ts';

/** The known codes, for completion in editors, and any other text: a later service may send new codes. */
export type KafueErrorCode = ErrorCode | ClientErrorCode | (string & Record<never, never>);

/** The data of an error. */
export type KafueErrorData = Readonly<{
  /**
   * Of a DUPLICATE_REFERENCE: the transfer that has the reference. Of a STILL_PENDING after
   * `waitUntilFinal`: the transfer as last read.
   */
  transfer?: Transfer;
  /** Of a DUPLICATE_REFERENCE: whether that transfer has the same content as yours. */
  samePayload?: boolean;
  /** Of a FILE_UNREADABLE: why, as a code. */
  problem?: string;
}>;

export type KafueErrorDetail = Readonly<{
  code: KafueErrorCode;
  message: string;
  status?: number;
  retryable?: boolean;
  requestId?: string | null;
  fields?: readonly FieldProblem[];
  rule?: string | null;
  data?: KafueErrorData;
  retryAfterSeconds?: number | null;
  attempts?: number;
  mayHaveBeenDone?: boolean;
  systemCode?: string | null;
  cause?: unknown;
}>;

/** Every failure of a call. Decide by `code`; `message` is for people. */
export class KafueError extends Error {
  readonly code: KafueErrorCode;
  /** The HTTP status; null when there was no answer. */
  readonly status: number | null;
  /** Whether the same call, made again unchanged, may succeed. */
  readonly retryable: boolean;
  /** The id of the request in the service's log; null when there was no answer. */
  readonly requestId: string | null;
  /** Every broken field of a VALIDATION_ERROR. */
  readonly fields: readonly FieldProblem[];
  /** Of a POLICY_REFUSED: the rule that refuses it; else null. */
  readonly rule: string | null;
  readonly data: KafueErrorData;
  /** How long the service asks to wait; null when it does not say. */
  readonly retryAfterSeconds: number | null;
  /** How often the request was sent; 0: never. */
  readonly attempts: number;
  /**
   * Whether the call may have been carried out although it failed: an attempt was sent, and no answer
   * proves that it was refused. Always false for a read.
   */
  readonly mayHaveBeenDone: boolean;
  /** Of a CONNECTION_FAILED: what the system calls it, such as ECONNREFUSED or ENOTFOUND. */
  readonly systemCode: string | null;

  constructor(detail: KafueErrorDetail) {
    super(detail.message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = 'KafueError';
    this.code = detail.code;
    this.status = detail.status ?? null;
    this.retryable = detail.retryable ?? false;
    this.requestId = detail.requestId ?? null;
    this.fields = detail.fields ?? [];
    this.rule = detail.rule ?? null;
    this.data = detail.data ?? {};
    this.retryAfterSeconds = detail.retryAfterSeconds ?? null;
    this.attempts = detail.attempts ?? 0;
    this.mayHaveBeenDone = detail.mayHaveBeenDone ?? false;
    this.systemCode = detail.systemCode ?? null;
  }
}

/** A mistake of the caller, found before anything was sent. */
export function invalidArgument(message: string): KafueError {
  return new KafueError({ code: 'INVALID_ARGUMENT', message });
}
