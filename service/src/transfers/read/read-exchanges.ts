import type { ReportedPayout } from '../../operators/contract/connector.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';

/** One exchange with the operator, as it is stored. */
export type KeptAttempt = Readonly<{
  at: Date;
  route: string;
  purpose: string;
  request: string;
  httpStatus: number | null;
  /** What the answer was taken to mean. */
  outcome: string;
  /** As it came, without secrets. */
  answer: string;
  elapsedMs: number;
}>;

/** One callback of the operator, as it came. */
export type KeptCallback = Readonly<{
  at: Date;
  route: string;
  method: string;
  reading: string;
  /** Why it could not be read or is not trusted. */
  cause: string | null;
  claims: string | null;
  verified: boolean;
  /** What was paid to whom, as far as it says. */
  reported: ReportedPayout;
  body: Buffer;
  /** Null: not handled yet. */
  handledAs: string | null;
}>;

/** The newest, oldest first. */
export async function readExchanges(
  database: Queryable,
  about: Readonly<{ bookId: string; transferId: string; max: number }>,
): Promise<readonly KeptAttempt[]> {
  const values = [about.bookId, about.transferId, about.max];
  const rows = await database.query<AttemptRow>(ATTEMPTS, values);
  return rows.toReversed().map((row) => ({
    at: row.ended_at,
    route: row.route,
    purpose: row.purpose,
    request: row.request,
    httpStatus: row.http_status,
    outcome: row.outcome,
    answer: row.answer,
    elapsedMs: row.elapsed_ms,
  }));
}

/** The newest, oldest first. */
export async function readCallbacks(
  database: Queryable,
  about: Readonly<{ operatorReference: string; max: number }>,
): Promise<readonly KeptCallback[]> {
  const rows = await database.query<CallbackRow>(CALLBACKS, [about.operatorReference, about.max]);
  return rows.toReversed().map((row) => ({
    at: row.received_at,
    route: row.route,
    method: row.method,
    reading: row.reading,
    cause: row.cause,
    claims: row.claims,
    verified: row.verified,
    reported: {
      amountMinor: row.reported_amount_minor,
      currency: row.reported_currency,
      phone: row.reported_phone,
    },
    body: row.body,
    handledAs: row.handled_as,
  }));
}

type AttemptRow = {
  route: string;
  purpose: string;
  request: string;
  http_status: number | null;
  outcome: string;
  answer: string;
  elapsed_ms: number;
  ended_at: Date;
};

type CallbackRow = {
  route: string;
  method: string;
  reading: string;
  cause: string | null;
  claims: string | null;
  verified: boolean;
  reported_amount_minor: bigint | null;
  reported_currency: string | null;
  reported_phone: string | null;
  body: Buffer;
  handled_as: string | null;
  received_at: Date;
};

const ATTEMPTS: Statement = {
  name: '',
  text: `
    select a.route, a.purpose, a.request, a.http_status, a.outcome, a.answer, a.elapsed_ms,
           a.ended_at
    from attempts a
    where a.book_id = $1 and a.transfer_id = $2
    order by a.ended_at desc, a.id desc
    limit $3`,
};

const CALLBACKS: Statement = {
  name: '',
  text: `
    select c.route, c.method, c.reading, c.cause, c.claims, c.verified, c.reported_amount_minor,
           c.reported_currency, c.reported_phone, c.body, c.handled_as, c.received_at
    from callbacks c
    where c.operator_reference = $1
    order by c.received_at desc, c.id desc
    limit $2`,
};
