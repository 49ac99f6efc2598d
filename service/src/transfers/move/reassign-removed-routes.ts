import type { Country, Operator } from '../../domain/operator.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';
import { TO_INQUIRE, TO_SUBMIT } from '../read/due-states.ts';

export type StrandedTransfers = Readonly<{ route: string; count: number }>;

/** A pair, and the route that its queued transfers go to when theirs is gone. */
export type ReplacementRoute = Readonly<{ operator: Operator; country: Country; route: string }>;

/**
 * Finds unfinished transfers whose route is in no list any more. Queued ones were never sent, so they go
 * to the first route of their pair; all others can be asked about by their own route only, so they are
 * counted for a person to bring it back.
 *
 * One whose route is held waits for a person: the route may have paid it before the database was restored.
 * One that is leased may be on its way out by its old route, through a process that still knows it: it is
 * left alone until the lease ends, and found by a later look.
 */
export async function reassignRemovedRoutes(
  database: Queryable,
  known: Readonly<{ routes: readonly string[]; replacements: readonly ReplacementRoute[] }>,
): Promise<readonly StrandedTransfers[]> {
  const { routes, replacements } = known;
  await database.query(ADOPT, [
    routes,
    replacements.map(({ operator }) => operator),
    replacements.map(({ country }) => country),
    replacements.map(({ route }) => route),
  ]);
  return database.query<{ route: string; count: number }>(COUNT, [routes]);
}

const ADOPT: Statement = {
  name: '',
  text: `
    with stranded as materialized (
      select t.book_id, t.id, a.route
      from transfers t
      join unnest($2::text[], $3::text[], $4::text[]) as a (operator, country, route)
        on a.operator = t.operator and a.country = t.country
      join books b on b.id = t.book_id and b.mode = 'live'
      where ${TO_SUBMIT} and t.route <> all ($1::text[])
        and (t.lease_owner is null or t.next_action_at <= now())
        and not exists (
          select from route_holds h where h.route = t.route and h.effect = 'held'
        )
      -- What others are changing is passed over, so that this waits for nothing and blocks nothing.
      for update of t skip locked
    )
    update transfers t set route = o.route, lease_owner = null
    from stranded o
    where t.book_id = o.book_id and t.id = o.id`,
};

const COUNT: Statement = {
  name: '',
  text: `
    select t.route, count(*)::integer as count
    from (
      select t.route from transfers t where ${TO_SUBMIT}
      union all
      select t.route from transfers t where ${TO_INQUIRE}
    ) t
    where t.route <> all ($1::text[])
    group by t.route
    order by t.route`,
};
