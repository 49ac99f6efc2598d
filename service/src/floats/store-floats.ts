import type { FloatLevel } from '../domain/float.ts';
import type { Currency } from '../domain/money.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';
import { hourOf } from '../transfers/read/hour-of-end.ts';
import type { RouteCount } from './count-paid.ts';

const ERROR_LENGTH_MAX = 200;

/** The result of a request for the balance of a route. */
export type FloatReading = Readonly<{
  route: string;
  currency: Currency;
  /** The account whose balance was requested. */
  account: string | null;
  answer:
    | Readonly<{ kind: 'reported'; operatorMinor: bigint }>
    | Readonly<{ kind: 'failed'; error: string }>
    /** The operator has no such call, or payouts came first. */
    | Readonly<{ kind: 'notAsked' }>;
}>;

/**
 * Stores what operators reported together with what was counted after it; undefined: it could not be counted. A failed
 * request leaves the figure as it is.
 */
export async function storeFloats(
  directory: Database,
  readings: readonly FloatReading[],
  counted: RouteCount | undefined,
): Promise<void> {
  await directory.transaction(async (tx) => {
    const hours = counted?.hours ?? [];
    await tx.query(STORE_HOURS, [
      hours.map(({ route }) => route),
      hours.map(({ currency }) => currency),
      hours.map(({ hour }) => hour),
      hours.map(({ paidMinor }) => paidMinor),
    ]);
    // Accounts first: what others paid from the same one counts from the same moment on.
    for (const { route, currency, account, answer } of readings) {
      if (answer.kind === 'reported') await tx.query(ACCOUNT, [route, currency, account]);
    }
    for (const reading of readings) await storeReading(tx, reading, counted);
  });
}

async function storeReading(
  tx: Queryable,
  { route, currency, answer }: FloatReading,
  counted: RouteCount | undefined,
): Promise<void> {
  if (counted !== undefined) {
    const own = counted.unfinished.find((one) => one.route === route && one.currency === currency);
    const unfinished = [own?.underWayMinor ?? 0n, own?.queuedMinor ?? 0n];
    await tx.query(COUNTED, [route, currency, ...unfinished, counted.finalUntil]);
  }
  if (answer.kind === 'reported') {
    const isCounted = counted !== undefined;
    await tx.query(REPORTED, [route, currency, answer.operatorMinor, isCounted]);
  }
  if (answer.kind === 'failed') {
    await tx.query(FAILED, [route, currency, answer.error.slice(0, ERROR_LENGTH_MAX)]);
  }
}

/** True if the level is another one than before. */
export async function changeLevel(
  directory: Queryable,
  { route, currency, level }: Readonly<{ route: string; currency: Currency; level: FloatLevel }>,
): Promise<boolean> {
  const changed = await directory.query(LEVEL, [route, currency, level]);
  return changed.length > 0;
}

const STORE_HOURS: Statement = {
  name: 'store-route-hours',
  text: `
    insert into route_hours as h (route, currency, hour, paid_minor)
    select * from unnest($1::text[], $2::text[], $3::timestamptz[], $4::bigint[])
    on conflict (route, currency, hour) do update set paid_minor = excluded.paid_minor
    where h.paid_minor <> excluded.paid_minor`,
};

const COUNTED: Statement = {
  name: 'store-route-count',
  text: `
    update route_floats
    set under_way_minor = $3, queued_minor = $4, counted_at = clock_timestamp(),
        final_until = greatest(final_until, $5)
    where route = $1 and currency = $2`,
};

/** What route `f`, and the routes that pay from the same account, have paid since the hour of a time. */
export const paidSinceHour = (time: string) => `
  coalesce((
    select sum(h.paid_minor)
    from route_floats g
    join route_hours h on h.route = g.route and h.currency = g.currency and h.hour >= ${hourOf(time)}
    where g.currency = f.currency and (g.route = f.route or g.account = f.account)
  ), 0)::bigint`;

// With another account our own figure begins anew.
const ACCOUNT: Statement = {
  name: 'store-route-account',
  text: `
    update route_floats
    set account = $3, opening_minor = null, opened_at = null, opening_paid_minor = null
    where route = $1 and currency = $2 and account is distinct from $3`,
};

// Our own figure begins with the first one that the operator reports, once what was paid is counted.
const REPORTED: Statement = {
  name: 'store-route-balance',
  text: `
    update route_floats f
    set operator_minor = $3::bigint, read_at = clock_timestamp(), error = null, failing_since = null,
        opening_minor = coalesce(f.opening_minor, case when $4::boolean then $3::bigint end),
        opened_at = coalesce(f.opened_at, case when $4 then clock_timestamp() end),
        opening_paid_minor =
          coalesce(f.opening_paid_minor, case when $4 then ${paidSinceHour('clock_timestamp()')} end)
    where f.route = $1 and f.currency = $2`,
};

const FAILED: Statement = {
  name: 'store-route-error',
  text: `
    update route_floats
    set error = $3, failing_since = coalesce(failing_since, clock_timestamp())
    where route = $1 and currency = $2`,
};

const LEVEL: Statement = {
  name: 'store-route-level',
  text: `
    update route_floats set level = $3 where route = $1 and currency = $2 and level <> $3
    returning route`,
};
