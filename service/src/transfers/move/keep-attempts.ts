import type { Outcome } from '../../domain/outcome.ts';
import type { WireRecord } from '../../operators/wire/wire-record.ts';
import { bareArray, quotedArray } from '../../postgres/array-text.ts';

/** One exchange with a real operator about a transfer. */
export type OperatorExchange = Readonly<{
  id: string;
  route: string;
  /** `callback`: the operator called, and its signed callback was taken as the answer to an inquiry. */
  purpose: 'submit' | 'inquire' | 'recall' | 'resubmit' | 'callback';
  /** `duplicate`: unknown, because the operator already has our reference. */
  outcome: Outcome['kind'] | 'duplicate';
  wire: WireRecord;
  /** Exchanges before this one that were refused because of their token, which proves nothing about the payout. */
  earlier?: readonly Readonly<{ id: string; wire: WireRecord }>[];
}>;

type About = Readonly<{
  transfer: Readonly<{ bookId: string; id: string; operatorReference: string }>;
  attempt?: OperatorExchange;
}>;

const REQUEST_LENGTH_MAX = 300;
const ANSWER_LENGTH_MAX = 2_000;

/** The number of parameters of the part below. */
export const ATTEMPT_PARAMETERS = 11;

/**
 * Part of a statement that keeps what operators answered. It takes ATTEMPT_PARAMETERS parameters, starting with the
 * given one, and needs `clock`. Attempts are kept even when the transfer was not moved: an answer is never lost because
 * another process was faster.
 */
export function keepAttempts(first: number): string {
  const $ = (offset: number) => `$${first + offset}`;
  return `
    kept as (
      insert into attempts (
        book_id, transfer_id, id, route, purpose, operator_reference, request, http_status, answer,
        outcome, elapsed_ms, ended_at
      )
      select a.*, c.at
      from unnest(
        ${$(0)}::uuid[], ${$(1)}::uuid[], ${$(2)}::uuid[], ${$(3)}::text[], ${$(4)}::text[],
        ${$(5)}::uuid[], ${$(6)}::text[], ${$(7)}::integer[], ${$(8)}::text[], ${$(9)}::text[],
        ${$(10)}::integer[]
      ) as a
      cross join clock c
      -- A commit whose answer was lost is retried.
      on conflict do nothing
    )`;
}

/** The parameters of that part; empty columns when nothing was sent. */
export function attemptColumns(about: readonly About[]): readonly string[] {
  const kept = about.flatMap(({ transfer, attempt }) =>
    attempt === undefined ? [] : exchangesOf(attempt).map((one) => ({ transfer, attempt: one })),
  );
  return [
    bareArray(kept.map(({ transfer }) => transfer.bookId)),
    bareArray(kept.map(({ transfer }) => transfer.id)),
    bareArray(kept.map(({ attempt }) => attempt.id)),
    quotedArray(kept.map(({ attempt }) => attempt.route)),
    bareArray(kept.map(({ attempt }) => attempt.purpose)),
    bareArray(kept.map(({ transfer }) => transfer.operatorReference)),
    quotedArray(kept.map(({ attempt }) => attempt.wire.request.slice(0, REQUEST_LENGTH_MAX))),
    bareArray(kept.map(({ attempt }) => attempt.wire.httpStatus)),
    quotedArray(kept.map(({ attempt }) => attempt.wire.answer.slice(0, ANSWER_LENGTH_MAX))),
    bareArray(kept.map(({ attempt }) => attempt.outcome)),
    bareArray(kept.map(({ attempt }) => Math.max(0, Math.round(attempt.wire.elapsedMs)))),
  ];
}

function exchangesOf(attempt: OperatorExchange): readonly OperatorExchange[] {
  const { earlier = [] } = attempt;
  return [
    ...earlier.map((before) => ({ ...attempt, ...before, outcome: 'unknown' as const })),
    attempt,
  ];
}
