import type { FieldProblem } from '../../domain/field-problem.ts';
import { Refusal, refuse } from '../../domain/refusal.ts';
import { REFUSALS, type RefusalCode } from '../../domain/refusal-codes.ts';
import { CommitQueueFull } from '../../postgres/commit-queue.ts';
import { DatabaseUnreachable, OutcomeUnknown, sqlState } from '../../postgres/database.ts';
import { StrictJsonError } from './json-limits.ts';
import { RETRY_AFTER_SECONDS } from './server-limits.ts';

/**
 * PostgreSQL errors after which the work is provably rolled back and may succeed later: a lock or statement timeout,
 * too many connections, or a broken deadlock.
 */
const BUSY_STATES = ['55P03', '57014'];
const BUSY_CLASSES = ['53', '40'];

const OUTCOME_UNKNOWN =
  'The outcome is unknown: the database did not confirm it. Look the transfer up by its reference, ' +
  'or send the same request again with the same reference.';

/** The merchant moves to another cell: a trigger refused the write, and nothing was stored. */
const MOVING_STATE = 'KF001';
const MOVING =
  'The books of this merchant are being moved, which takes seconds. Nothing was stored: try again after Retry-After.';
/** A move takes seconds. */
const MOVING_RETRY_AFTER_SECONDS = 5;

/** The refusal that an error means to the caller. Undefined means a bug, answered with INTERNAL_ERROR. */
export function expectedRefusal(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (error instanceof StrictJsonError) {
    return refuse('INVALID_JSON', { message: `${error.message} Nothing was stored.` });
  }
  if (error instanceof OutcomeUnknown) return refuse('UNAVAILABLE', { message: OUTCOME_UNKNOWN });
  if (error instanceof DatabaseUnreachable || error instanceof CommitQueueFull || isBusy(error)) {
    return refuse('UNAVAILABLE');
  }
  if (sqlState(error) === MOVING_STATE) {
    return refuse('CELL_UNAVAILABLE', {
      message: MOVING,
      retryAfterSeconds: MOVING_RETRY_AFTER_SECONDS,
    });
  }
  return undefined;
}

function isBusy(error: unknown): boolean {
  const state = sqlState(error);
  if (state === undefined) return false;
  return BUSY_STATES.includes(state) || BUSY_CLASSES.includes(state.slice(0, 2));
}

type FailureBody = Readonly<{
  status: false;
  message: string;
  data: Readonly<{
    error: Readonly<{
      code: RefusalCode;
      retryable: boolean;
      requestId: string;
      fields?: readonly FieldProblem[];
      rule?: string;
    }>;
  }>;
}>;

export function errorBody(
  refusal: Refusal,
  requestId: string,
  furtherData: object = {},
): FailureBody {
  const { code, detail, message, retryable } = refusal;
  const { fields, rule } = detail;
  const error = {
    code,
    retryable,
    requestId,
    ...(fields === undefined ? {} : { fields }),
    ...(rule === undefined ? {} : { rule }),
  };
  return { status: false, message, data: { ...furtherData, error } };
}

/** Retry-After on 429 and 503, X-Should-Retry on every failure, and Location of what is stored all the same. */
export function errorHeaders({ code, detail, retryable }: Refusal): Record<string, string> {
  const { status } = REFUSALS[code];
  const headers: Record<string, string> = {
    'x-should-retry': String(retryable),
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  if (status === 429 || status === 503 || detail.retryAfterSeconds !== undefined) {
    headers['retry-after'] = String(detail.retryAfterSeconds ?? RETRY_AFTER_SECONDS);
  }
  if (detail.location !== undefined) headers.location = detail.location;
  return headers;
}
