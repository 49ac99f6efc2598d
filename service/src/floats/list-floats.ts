import {
  type FloatFacts,
  type FloatLevel,
  floatLevel,
  hoursLeft,
  spendableOf,
} from '../domain/float.ts';
import type { Currency } from '../domain/money.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { hourOf } from '../transfers/read/hour-of-end.ts';
import { paidSinceHour } from './store-floats.ts';

/** The float of one route, as of the last reading. */
export type RouteFloat = Readonly<{
  route: string;
  currency: Currency;
  /** Routes with the same one share the money. */
  account: string | null;
  level: FloatLevel;
  reportsBalance: boolean;
  /** What our own books say that the account holds: the opening figure without what was paid since. */
  oursMinor: bigint | null;
  operatorMinor: bigint | null;
  /** The operator's figure without ours. */
  differenceMinor: bigint | null;
  readAt: Date | null;
  ageMs: number | null;
  /** What our own figure began with, and what people explained since. Only they change it. */
  openingMinor: bigint | null;
  /** From when on our own figure is counted. */
  openedAt: Date | null;
  error: string | null;
  failingSince: Date | null;
  underWayMinor: bigint;
  queuedMinor: bigint;
  /** After everything that is ordered, by all routes that share the account. */
  spendableMinor: bigint | null;
  paidDayMinor: bigint;
  hoursLeft: number | null;
  lowBelowMinor: bigint | null;
  lowHours: number;
}>;

/** All floats that were ever read, by route; there are never more than were in the route file. */
export async function listFloats(directory: Queryable): Promise<readonly RouteFloat[]> {
  const rows = await directory.query<FloatRow>(LIST);
  return rows.map(toFloat);
}

function toFloat(row: FloatRow): RouteFloat {
  const facts: FloatFacts = {
    operatorMinor: row.operator_minor,
    ageMs: row.age_ms,
    committedMinor: row.committed_minor,
    paidMinor: row.paid_by_account_minor,
    paidHours: row.paid_hours,
  };
  const { operator_minor: operatorMinor } = row;
  const oursMinor =
    row.opening_minor === null
      ? null
      : row.opening_minor - (row.paid_since_minor - (row.opening_paid_minor ?? 0n));
  return {
    route: row.route,
    currency: row.currency,
    account: row.account,
    level: floatLevel(facts, { belowMinor: row.low_below_minor, hours: row.low_hours }),
    reportsBalance: row.reports_balance,
    oursMinor,
    operatorMinor,
    differenceMinor:
      oursMinor === null || operatorMinor === null ? null : operatorMinor - oursMinor,
    readAt: row.read_at,
    ageMs: row.age_ms,
    openingMinor: row.opening_minor,
    openedAt: row.opened_at,
    error: row.error,
    failingSince: row.failing_since,
    underWayMinor: row.under_way_minor,
    queuedMinor: row.queued_minor,
    spendableMinor: spendableOf(facts),
    paidDayMinor: row.paid_day_minor,
    hoursLeft: hoursLeft(facts),
    lowBelowMinor: row.low_below_minor,
    lowHours: row.low_hours,
  };
}

type FloatRow = {
  route: string;
  currency: Currency;
  account: string | null;
  reports_balance: boolean;
  low_below_minor: bigint | null;
  low_hours: number;
  operator_minor: bigint | null;
  read_at: Date | null;
  age_ms: number | null;
  error: string | null;
  failing_since: Date | null;
  opening_minor: bigint | null;
  opened_at: Date | null;
  opening_paid_minor: bigint | null;
  paid_since_minor: bigint;
  under_way_minor: bigint;
  queued_minor: bigint;
  committed_minor: bigint;
  paid_day_minor: bigint;
  paid_by_account_minor: bigint;
  paid_hours: number;
};

// greatest() ignores null: an operator that never told a balance has no age, and not one of 0.
const LIST: Statement = {
  name: 'list-floats',
  text: `
    with floats as (
      select f.*, coalesce(f.account, f.route) as shared,
             ${paidSinceHour('f.opened_at')} as paid_since_minor,
             coalesce((
               select sum(h.paid_minor) from route_hours h
               where h.route = f.route and h.currency = f.currency
                 and h.hour >= ${hourOf(`now() - interval '23 hours'`)}
             ), 0)::bigint as paid_day_minor
      from route_floats f
    )
    select f.route, f.currency, f.account, f.reports_balance, f.low_below_minor, f.low_hours,
           f.operator_minor, f.read_at,
           case when f.read_at is not null
             then greatest(0, 1000 * extract(epoch from clock_timestamp() - f.read_at))::float8
           end as age_ms,
           f.error, f.failing_since, f.opening_minor, f.opened_at, f.opening_paid_minor, f.paid_since_minor,
           f.under_way_minor, f.queued_minor, f.paid_day_minor,
           sum(f.under_way_minor + f.queued_minor) over same::bigint as committed_minor,
           sum(f.paid_day_minor) over same::bigint as paid_by_account_minor,
           (extract(epoch from now() - (${hourOf('now()')} - interval '23 hours')) / 3600)::float8 as paid_hours
    from floats f
    window same as (partition by f.shared, f.currency)
    order by f.route, f.currency`,
};
