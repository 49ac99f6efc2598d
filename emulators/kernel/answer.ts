import type { IncomingHttpHeaders } from 'node:http';
import type { Payout } from './behaviour.ts';

/** One request as received, not yet parsed. */
export type OperatorRequest = Readonly<{
  method: string;
  /** Still percent-encoded, without the query. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Buffer;
  remoteAddress: string;
}>;

/** An HTTP answer. */
export type PlainAnswer = Readonly<{
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}>;

export type Answer = PlainAnswer &
  Readonly<{
    /** Set on answers to submissions, also refused ones: the payout's behaviour may replace the answer. */
    submission?: Readonly<{
      payout: Payout;
      /** How long callers wait for an operator that answers only with the end, before it is multiplied by the time scale. */
      waitMs?: number;
      /** The protocol's own form of each faulty answer. */
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
