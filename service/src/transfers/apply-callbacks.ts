import type { Queryable, Statement } from '../postgres/database.ts';

export const CALLBACKS_AT_ONCE_MAX = 500;

/**
 * Acts on stored callbacks: each brings the next question about its transfer forward, and nothing more;
 * the answer to that question decides. One about a transfer that is being sent or asked about right
 * now waits for the next round, so that none is lost for being early. A finished transfer is asked
 * about again only when the callback says otherwise than what is recorded.
 *
 * `families` says which routes have the same sort of operator behind them: several routes may share an
 * account there, which has one address for callbacks. Returns how many were dealt with.
 */
export async function applyCallbacks(
  database: Queryable,
  { at, families }: Readonly<{ at: Date; families: ReadonlyMap<string, string> }>,
): Promise<number> {
  const [row] = await database.query<{ handled: number }>(APPLY, [
    CALLBACKS_AT_ONCE_MAX,
    at,
    [...families.keys()],
    [...families.values()],
  ]);
  return row?.handled ?? 0;
}

// Rows of transfers that somebody is changing at this moment are passed over, not waited for: so this
// cannot get into a deadlock with the statement that moves them.
const APPLY: Statement = {
  name: 'apply-callbacks',
  text: `
    with families as materialized (
      select * from unnest($3::text[], $4::text[]) as f (route, family)
    ),
    unread as materialized (
      select c.id, c.route, c.operator_reference, c.claims, c.reading
      from callbacks c
      where c.handled_at is null
      order by c.received_at
      limit $1
      for update skip locked
    ),
    waiting as materialized (
      select u.*, coalesce(f.family, u.route) as family
      from unread u left join families f on f.route = u.route
    ),
    locked as materialized (
      select t.book_id, t.id, t.operator_reference, t.route, t.state, t.lease_owner
      from transfers t
      where t.operator_reference in (
        select w.operator_reference from waiting w where w.reading = 'read'
      )
      for update skip locked
    ),
    concerned as materialized (
      select l.*, coalesce(f.family, l.route) as family
      from locked l left join families f on f.route = l.route
    ),
    judged as materialized (
      select w.id, t.book_id, t.id as transfer_id,
             case
               when w.reading <> 'read' then w.reading
               when t.id is null and exists (
                 select from transfers b where b.operator_reference = w.operator_reference
               ) then null
               when t.id is null then 'concerns nobody'
               when w.family is distinct from t.family then 'of another operator'
               when t.state = 'submitting' or t.lease_owner is not null then null
               when t.state in ('submitted', 'in_doubt') then 'asked now'
               when t.state in ('failed', 'cancelled') and w.claims = 'paid' then 'asked now'
               when t.state = 'succeeded' and w.claims = 'failed' then 'asked now'
               when t.state in ('queued', 'scheduled', 'awaiting_approval') then 'not sent yet'
               else 'says nothing new'
             end as handled_as
      from waiting w
      left join concerned t on t.operator_reference = w.operator_reference
    ),
    hurried as (
      update transfers t set next_action_at = now()
      from (
        select distinct book_id, transfer_id from judged where handled_as = 'asked now'
      ) j
      where t.book_id = j.book_id and t.id = j.transfer_id
        and (t.next_action_at is null or t.next_action_at > now())
    ),
    handled as (
      update callbacks c set handled_at = $2, handled_as = j.handled_as
      from judged j
      where c.id = j.id and j.handled_as is not null
      returning 1
    )
    select count(*)::integer as handled from handled`,
};
