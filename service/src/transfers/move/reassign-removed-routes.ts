import type { Country, Operator } from '../../domain/operator.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';
import { TO_INQUIRE, TO_SUBMIT } from '../read/due-states.ts';

export type StrandedTransfers = Readonly<{ route: string; count: number }>;

/** An operator and country, and the route for their queued transfers when the old one was removed. */
export type ReplacementRoute = Readonly<{ operator: Operator; country: Country; route: string }>;

/**
 * Finds unfinished transfers whose route no longer exists. Queued ones were never sent, so they move to the first route
 * of their operator and country. Inquiries about all others can only go by their own route, so they are counted, and a
 * person must bring the route back.
 *
 * A transfer on a held route waits for a person: the route may have paid it before the database was restored. A leased
 * transfer may be on its way by its old route, sent by a process that still has it: it is left until the lease ends,
 * and found by a later search.
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
      -- Rows that others are changing are skipped, so that this waits for nothing and blocks nothing.
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
