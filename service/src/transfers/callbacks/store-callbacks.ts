import type { Transfer } from '../../domain/transfer.ts';
import type { CallbackReading, ReportedPayout } from '../../operators/contract/connector.ts';
import { bareArray, quotedArray } from '../../postgres/array-text.ts';
import { isFaultOfOneCommand, prepareGroup } from '../../postgres/bad-command.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';
import {
  type Inquirer,
  inquirerValues,
  TAKING,
  type TakenRow,
  toTakenTransfer,
} from './take-for-inquiry.ts';

const CAUSE_LENGTH_MAX = 200;
/** The widths of their columns. A longer value is not one of our currencies or numbers, so cutting it does no harm. */
const REPORTED_CURRENCY_LENGTH_MAX = 10;
const REPORTED_PHONE_LENGTH_MAX = 20;

/**
 * The maximum of stored callbacks of one route. A busy operator sends a million a day of half a KiB. That fills the
 * first maximum in some days, and callback-cleaner.ts deletes old ones long before. Beyond the maximum
 * callbacks are refused: they are only hints, and inquiries are made anyway.
 */
export const CALLBACK_BYTES_OF_ROUTE_MAX = 1_024 * 1_024 * 1_024;
export const CALLBACKS_OF_ROUTE_MAX = 2_000_000;

type StoreLimits = Readonly<{ callsMax: number; bytesMax: number }>;
const LIMITS: StoreLimits = {
  callsMax: CALLBACKS_OF_ROUTE_MAX,
  bytesMax: CALLBACK_BYTES_OF_ROUTE_MAX,
};

export type NewCallback = Readonly<{
  id: string;
  route: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  reading: CallbackReading['kind'];
  cause: string | null;
  operatorReference: string | null;
  claims: string | null;
  verified: boolean;
  reported: ReportedPayout | null;
  receivedAt: Date;
}>;

export type StoredCallback = Readonly<{
  /** False: its route has reached its maximum. */
  isStored: boolean;
  /** Leased to this process, which has to inquire about it now. Undefined: apply-callbacks.ts acts on the callback. */
  toInquire: Transfer | undefined;
}>;

/** Stores callbacks as they came, a group of them by one statement. False: its route has reached its maximum. */
export async function storeCallbacks(
  database: Queryable,
  group: readonly NewCallback[],
  limits: StoreLimits = LIMITS,
): Promise<readonly boolean[]> {
  const values = prepareGroup(() => describeCallbacks(group, limits));
  const rows = await database.query<{ stored_id: string }>(STORE, values);
  const stored = new Set(rows.map((row) => row.stored_id));
  return group.map(({ id }) => stored.has(id));
}

/**
 * Stores callbacks and takes the leases of the transfers that this process can inquire about at once
 * (take-for-inquiry.ts). Such a callback is handled when it is stored, which saves two updates for each payout.
 */
export async function storeAndTake(
  database: Queryable,
  group: readonly NewCallback[],
  inquirer: Inquirer,
): Promise<readonly StoredCallback[]> {
  const values = prepareGroup(() => [
    ...describeCallbacks(group, LIMITS),
    ...inquirerValues(inquirer),
  ]);
  try {
    const rows = await database.query<TakenRow>(STORE_AND_TAKE, values);
    const stored = new Map(rows.map((row) => [row.stored_id, row]));
    return group.map(({ id }) => {
      const row = stored.get(id);
      return { isStored: row !== undefined, toInquire: row && toTakenTransfer(row) };
    });
  } catch (error) {
    if (!isFaultOfOneCommand(error)) throw error;
    // A merchant that begins to move at this moment refuses the lease. Its callbacks are stored all the same.
    const stored = await storeCallbacks(database, group);
    return stored.map((isStored) => ({ isStored, toInquire: undefined }));
  }
}

function describeCallbacks(
  group: readonly NewCallback[],
  { callsMax, bytesMax }: StoreLimits,
): readonly unknown[] {
  return [
    bareArray(group.map(({ id }) => id)),
    quotedArray(group.map(({ route }) => route)),
    quotedArray(group.map(({ method }) => method)),
    quotedArray(group.map(({ headers }) => JSON.stringify(headers))),
    quotedArray(group.map(({ body }) => `\\x${body.toString('hex')}`)),
    bareArray(group.map(({ reading }) => reading)),
    quotedArray(group.map(({ cause }) => cause?.slice(0, CAUSE_LENGTH_MAX) ?? null)),
    bareArray(group.map(({ operatorReference }) => operatorReference)),
    quotedArray(group.map(({ claims }) => claims)),
    bareArray(group.map(({ verified }) => verified)),
    bareArray(group.map(({ reported }) => reported?.amountMinor ?? null)),
    quotedArray(
      group.map(
        ({ reported }) => reported?.currency?.slice(0, REPORTED_CURRENCY_LENGTH_MAX) ?? null,
      ),
    ),
    quotedArray(
      group.map(({ reported }) => reported?.phone?.slice(0, REPORTED_PHONE_LENGTH_MAX) ?? null),
    ),
    bareArray(group.map(({ receivedAt }) => receivedAt.toISOString())),
    callsMax,
    bytesMax,
  ];
}

// Usage is locked in the order of the routes, as in clean-callbacks.ts.
function storeStatement(name: string, parts: Readonly<Record<keyof typeof TAKING, string>>) {
  const text = `
    with given as materialized (
      select g.*,
             count(*) over earlier as calls,
             sum(octet_length(g.body)) over earlier as bytes
      from unnest(
        $1::uuid[], $2::text[], $3::text[], $4::jsonb[], $5::bytea[], $6::text[], $7::text[],
        $8::uuid[], $9::text[], $10::boolean[], $11::bigint[], $12::text[], $13::text[],
        $14::timestamptz[]
      ) with ordinality as g (
        id, route, method, headers, body, reading, cause, operator_reference, claims, verified,
        reported_amount_minor, reported_currency, reported_phone, received_at, position
      )
      window earlier as (partition by g.route order by g.position)
    ),
    admitted as materialized (
      select g.*
      from given g
      left join callback_usage u on u.route = g.route
      where coalesce(u.calls, 0) + g.calls <= $15::bigint
        and coalesce(u.bytes, 0) + g.bytes <= $16::bigint
    ),
    ${parts.taken}
    stored as (
      insert into callbacks (
        id, route, method, headers, body, reading, cause, operator_reference, claims, verified,
        reported_amount_minor, reported_currency, reported_phone, received_at${parts.columns}
      )
      select g.id, g.route, g.method, g.headers, g.body, g.reading, g.cause, g.operator_reference,
             g.claims, g.verified, g.reported_amount_minor, g.reported_currency, g.reported_phone,
             g.received_at${parts.values}
      from admitted g
      ${parts.join}
      returning id, route, octet_length(body) as bytes
    ),
    counted as (
      insert into callback_usage as u (route, calls, bytes)
      select s.route, count(*), sum(s.bytes) from stored s group by s.route order by s.route
      on conflict (route) do update
        set calls = u.calls + excluded.calls, bytes = u.bytes + excluded.bytes
    )
    select s.id as stored_id${parts.selected}`;
  return { name, text } satisfies Statement;
}

const STORE = storeStatement('store-callbacks', {
  taken: '',
  columns: '',
  values: '',
  join: '',
  selected: ' from stored s',
});
const STORE_AND_TAKE = storeStatement('store-and-take-callbacks', TAKING);
