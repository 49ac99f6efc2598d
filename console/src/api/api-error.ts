export type FieldProblem = Readonly<{ field: string; message: string }>;

/** The service answered with a refusal. Its message already says what to do. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly retryable: boolean;
  readonly requestId: string;
  readonly fields: readonly FieldProblem[];

  constructor(
    given: Readonly<{
      status: number;
      code: string;
      message: string;
      retryable: boolean;
      requestId: string;
      fields?: readonly FieldProblem[];
    }>,
  ) {
    super(given.message);
    this.status = given.status;
    this.code = given.code;
    this.retryable = given.retryable;
    this.requestId = given.requestId;
    this.fields = given.fields ?? [];
  }

  /** What is wrong with one field, in words. */
  problemOf(field: string): string | undefined {
    return this.fields.find((problem) => problem.field === field)?.message;
  }
}

/**
 * No answer came. For a call that only reads this means "try again"; for a call that changes something it is not
 * known whether it was stored.
 */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly changes: boolean;

  constructor(changes: boolean, cause: unknown) {
    super('The service did not answer', { cause });
    this.changes = changes;
  }
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof ApiError && error.code === code;
}
