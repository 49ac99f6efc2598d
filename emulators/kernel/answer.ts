import type { IncomingHttpHeaders } from 'node:http';
import type { Payout } from './behaviour.ts';

/** One request as it came, with nothing left out and nothing understood yet. */
export type OperatorRequest = Readonly<{
  method: string;
  /** Still percent-encoded, without the query. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Buffer;
  remoteAddress: string;
}>;

/** What goes back when nothing goes wrong. */
export type PlainAnswer = Readonly<{
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}>;

export type Answer = PlainAnswer &
  Readonly<{
    /** On the answer to a submission, also a refused one: the payout's behaviour may replace it. */
    submission?: Readonly<{
      payout: Payout;
      /** How long an operator that answers only with the end lets callers wait, before pace. */
      waitMs?: number;
      /** How this protocol says each of them. */
      http500: PlainAnswer;
      http400: PlainAnswer;
      tokenExpired: PlainAnswer;
    }>;
  }>;

export function answerJson(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): PlainAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(value),
  };
}
