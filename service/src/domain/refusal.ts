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
}>;

/** A business refusal: expected, and sent to the caller as it is. A bug is never a Refusal. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly detail: RefusalDetail;

  constructor(code: RefusalCode, detail: RefusalDetail) {
    // No stack: where it was decided tells a client nothing, and to record it costs more than the rest of a refusal.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(detail.message ?? REFUSALS[code].message);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'Refusal';
    this.code = code;
    this.detail = detail;
  }
}

export function refuse(code: RefusalCode, detail: RefusalDetail = {}): Refusal {
  return new Refusal(code, detail);
}
