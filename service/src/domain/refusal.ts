import type { FieldProblem } from './field-problem.ts';
import { REFUSALS, type RefusalCode } from './refusal-codes.ts';

type RefusalDetail = Readonly<{
  message?: string;
  fields?: readonly FieldProblem[];
  /** Further members of `data`, beside `error`. */
  data?: Readonly<Record<string, unknown>>;
  retryAfterSeconds?: number;
  /** The rule of the policy that refuses it. */
  rule?: string;
  /** Where the code's own advice would be wrong: what was asked for is stored, and would be stored twice. */
  retryable?: boolean;
  /** The path of what is stored although the call is refused. */
  location?: string;
  /** The error behind it, for the log. */
  cause?: unknown;
}>;

/** A business refusal: expected, and sent to the caller as it is. A bug is never a Refusal. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly detail: RefusalDetail;

  constructor(code: RefusalCode, detail: RefusalDetail) {
    // No stack: where it was decided tells a client nothing, and to record it costs more than the rest of a refusal.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(detail.message ?? REFUSALS[code].message, detail);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'Refusal';
    this.code = code;
    this.detail = detail;
  }

  /** Whether the same request, sent again unchanged, may succeed. */
  get retryable(): boolean {
    return this.detail.retryable ?? REFUSALS[this.code].retryable;
  }
}

export function refuse(code: RefusalCode, detail: RefusalDetail = {}): Refusal {
  return new Refusal(code, detail);
}
