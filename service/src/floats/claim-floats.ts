import type { Currency } from '../domain/money.ts';
import type { FloatRule } from '../operators/contract/float-rule.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

/** A route whose float is kept. */
export type FloatRoute = Readonly<{
  route: string;
  currency: Currency;
  reportsBalance: boolean;
  rule: FloatRule;
  /** Between two requests for the balance, in the route's time. */
  intervalMs: number;
}>;

export type ClaimedFloat = Readonly<{
  route: FloatRoute;
  /** How old the last figure is; null: there is none. */
  ageMs: number | null;
}>;

/** How long until the first of these is due. 0: now. Reads only, since most looks find nothing. */
export async function nextFloatInMs(
  directory: Queryable,
  routes: readonly FloatRoute[],
): Promise<number> {
  const [row] = await directory.query<{ wait_ms: number | null }>(NEXT, [
    routes.map(({ route }) => route),
    routes.map(({ currency }) => currency),
  ]);
  return Math.max(0, row?.wait_ms ?? 0);
}

/** Takes the routes that are due, and moves their next time on: no other process asks for them until then. */
export async function claimFloats(
  directory: Queryable,
  routes: readonly FloatRoute[],
): Promise<readonly ClaimedFloat[]> {
  const rows = await directory.query<ClaimedRow>(CLAIM, [
    routes.map(({ route }) => route),
    routes.map(({ currency }) => currency),
    routes.map(({ reportsBalance }) => reportsBalance),
    routes.map(({ rule }) => rule.low.belowMinor),
    routes.map(({ rule }) => rule.low.hours),
    routes.map(({ intervalMs }) => intervalMs),
  ]);
  return rows.flatMap(({ route: name, currency, age_ms: ageMs }) => {
    const route = routes.find((one) => one.route === name && one.currency === currency);
    return route === undefined ? [] : [{ route, ageMs }];
  });
}

/** A balance that was not fetched because payouts came first is fetched sooner than after a whole interval. */
export async function postponeFloat(
  directory: Queryable,
  { route, currency }: Pick<FloatRoute, 'route' | 'currency'>,
  waitMs: number,
): Promise<void> {
  await directory.query(POSTPONE, [route, currency, waitMs]);
}

type ClaimedRow = { route: string; currency: Currency; age_ms: number | null };

const NEXT: Statement = {
  name: 'next-float',
  text: `
    select min(coalesce(1000 * extract(epoch from f.next_at - clock_timestamp()), 0))::float8 as wait_ms
    from unnest($1::text[], $2::text[]) r(route, currency)
    left join route_floats f on f.route = r.route and f.currency = r.currency`,
};

const CLAIM: Statement = {
  name: 'claim-floats',
  text: `
    insert into route_floats as f (route, currency, reports_balance, low_below_minor, low_hours, next_at)
    select r.route, r.currency, r.reports, r.low_below, r.low_hours,
           clock_timestamp() + r.interval_ms * interval '1 millisecond'
    from unnest($1::text[], $2::text[], $3::boolean[], $4::bigint[], $5::float8[], $6::float8[])
      r(route, currency, reports, low_below, low_hours, interval_ms)
    order by r.route, r.currency
    on conflict (route, currency) do update
    set next_at = excluded.next_at, reports_balance = excluded.reports_balance,
        low_below_minor = excluded.low_below_minor, low_hours = excluded.low_hours
    where f.next_at <= clock_timestamp()
    returning f.route, f.currency,
              (1000 * extract(epoch from clock_timestamp() - f.read_at))::float8 as age_ms`,
};

const POSTPONE: Statement = {
  name: 'postpone-float',
  text: `
    update route_floats set next_at = clock_timestamp() + $3::float8 * interval '1 millisecond'
    where route = $1 and currency = $2`,
};
