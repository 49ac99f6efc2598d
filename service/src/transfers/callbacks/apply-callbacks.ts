import type { IncidentKind } from '../../domain/incident.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';
import { HOUR_OF_END, hourOf } from '../read/hour-of-end.ts';
import {
  TAKING,
  type TakenCallback,
  type TakenCallbackRow,
  type Taker,
  takingValues,
  toTaken,
} from './take-as-answer.ts';

export const CALLBACKS_AT_ONCE_MAX = 500;
/**
 * How long after the end of a transfer its callbacks are still matched: 30 days. Each hour costs one probe of an index,
 * so a callback that concerns no transfer costs 720 probes, about 2 ms; one about a transfer that has just ended costs
 * two or three.
 */
export const LATE_HOURS_MAX = 720;

/** What a callback was handled as, where it is an incident, and of which kind. */
const INCIDENT_OF = {
  CONTRADICTS_END: 'mismatch_after_success',
  PAID_BEFORE_SENT: 'paid_before_sent',
  PAID_AFTER_CANCELLATION: 'paid_after_failure',
  PAID_AFTER_FAILURE: 'paid_after_failure',
  PAID_BY_OTHER_OPERATOR: 'paid_by_other_operator',
} as const satisfies Readonly<Record<string, IncidentKind>>;

/**
 * Acts on stored callbacks: each brings the next inquiry about its transfer forward, and the answer to that inquiry
 * decides. Where a callback contradicts what was sent, the contradiction is kept with the transfer; after a success it
 * is an incident. A callback about a transfer that is being submitted or inquired about right now waits for the next
 * round, so that none is lost because it is early. A finished transfer gets another inquiry only when the callback
 * contradicts its recorded end.
 *
 * "Paid" about a transfer that was never sent is an incident: the database may have been restored, and the operator may
 * have paid before that, by any route. "Paid" by another operator than the one that it was sent to is an incident in
 * every state, since no inquiry can find out: a reference is derived from its order, so that operator has the same one.
 *
 * `families` maps each route to its connector's name: several routes may share an account at an operator, which has one
 * address for callbacks. A callback that says "paid" for a reference that no transfer has is recorded for a person,
 * because the database may have lost the transfer.
 *
 * `taker` names the routes whose signed callbacks are final. A complete one brings no inquiry forward: it is returned with
 * its transfer, leased, and the caller records it as the answer to an inquiry.
 */
export async function applyCallbacks(
  database: Queryable,
  {
    at,
    families,
    taker,
  }: Readonly<{ at: Date; families: ReadonlyMap<string, string>; taker?: Taker }>,
): Promise<AppliedCallbacks> {
  const values = [
    CALLBACKS_AT_ONCE_MAX,
    at,
    [...families.keys()],
    [...families.values()],
    LATE_HOURS_MAX,
    Object.keys(INCIDENT_OF),
    Object.values(INCIDENT_OF),
  ];
  if (taker === undefined || taker.routes.size === 0) {
    const [row] = await database.query<{ handled: number }>(APPLY, values);
    return { handled: row?.handled ?? 0, taken: [] };
  }
  const rows = await database.query<TakenCallbackRow & { handled: number }>(APPLY_AND_TAKE, [
    ...values,
    ...takingValues(taker),
  ]);
  return { handled: rows[0]?.handled ?? 0, taken: rows.flatMap((row) => toTaken(row, taker)) };
}

/** How many callbacks were handled, and those of them that were taken. */
type AppliedCallbacks = Readonly<{ handled: number; taken: readonly TakenCallback[] }>;

/**
 * Callbacks about a merchant that is being moved wait. They are recognised by its transfers that have not ended, or ended
 * within these hours. A callback about an older one is read again in each round; there are few.
 */
const RECENT_HOURS = 3;

// Callbacks that wait for a move must not fill a round, or those of other merchants are not read in it. The condition is
// evaluated row by row, in their order, until there are enough, and only while a merchant is being moved.
const IS_OF_CLOSED = `
  exists (
    select from closed
    where closed.book_id = coalesce(
      (
        select t.book_id from transfers t
        where t.operator_reference = c.operator_reference and t.completed_at is null
        limit 1
      ),
      (
        select t.book_id
        from generate_series(-1, ${RECENT_HOURS}) as ago (hours)
        cross join lateral (
          select t.book_id from transfers t
          where ${HOUR_OF_END} = ${hourOf('$2::timestamptz')} - ago.hours * interval '1 hour'
            and t.operator_reference = c.operator_reference and t.completed_at is not null
          limit 1
        ) t
        limit 1
      )
    )
  )`;

// Transfers that are locked by another statement are skipped: waiting for them could deadlock with the statement that
// moves them.
//
// Finished transfers are searched hour by hour, the latest first, which is the order of their index. The search starts
// an hour ahead, because the clock of the process that ended the transfer may be ahead.
function applyStatement(name: string, parts: Readonly<Record<keyof typeof TAKING, string>>) {
  const text = `
    with families as materialized (
      select * from unnest($3::text[], $4::text[]) as f (route, family)
    ),
    -- Merchants that move to another cell: their callbacks wait, and go with them.
    closed as materialized (
      select b.id as book_id from merchants m join books b on b.merchant_id = m.id
      where m.state <> 'open'
    ),
    unread as materialized (
      select c.* from (
        select c.id, c.route, c.operator_reference, c.claims, c.reading,
               c.reported_amount_minor, c.reported_currency, c.reported_phone${parts.ofCallback}
        from callbacks c
        where c.handled_at is null
        order by c.received_at
        for update skip locked
      ) c
      where not exists (select from closed) or not ${IS_OF_CLOSED}
      limit $1
    ),
    waiting as materialized (
      select u.*, coalesce(f.family, u.route) as family
      from unread u left join families f on f.route = u.route
    ),
    meant as (
      select distinct w.operator_reference from waiting w where w.reading = 'read'
    ),
    unfinished as materialized (
      select m.operator_reference, t.book_id, t.id
      from meant m
      left join lateral (
        select t.book_id, t.id
        from transfers t
        where t.operator_reference = m.operator_reference and t.completed_at is null
        limit 1
      ) t on true
    ),
    known as materialized (
      select u.book_id, u.id, u.operator_reference from unfinished u where u.id is not null
      union all
      select f.book_id, f.id, u.operator_reference
      from unfinished u
      cross join lateral (
        select t.book_id, t.id
        from generate_series(-1, $5::integer) as ago (hours)
        cross join lateral (
          select t.book_id, t.id
          from transfers t
          where ${HOUR_OF_END} = ${hourOf('$2::timestamptz')} - ago.hours * interval '1 hour'
            and t.operator_reference = u.operator_reference and t.completed_at is not null
          limit 1
        ) t
        limit 1
      ) f
      where u.id is null
    ),
    locked as materialized (
      select t.book_id, t.id, t.operator_reference, t.route, t.state, t.lease_owner,
             t.amount_minor, t.currency, t.phone${parts.ofTransfer}
      from known k
      join transfers t on t.book_id = k.book_id and t.id = k.id
      where k.book_id not in (select c.book_id from closed c)
      for update of t skip locked
    ),
    concerned as materialized (
      select l.*, coalesce(f.family, l.route) as family, f.route is not null as has_route
      from locked l left join families f on f.route = l.route
    ),
    ${parts.taken}
    judged as materialized (
      select w.id, t.book_id, t.id as transfer_id, reported.contradicted,
             case
               when w.reading <> 'read' then w.reading
               when t.id is null and exists (
                 select from known k where k.operator_reference = w.operator_reference
               ) then null
               when t.id is null then 'UNMATCHED'
               when w.claims = 'paid' and t.state in ('queued', 'scheduled', 'awaiting_approval')
               then 'PAID_BEFORE_SENT'
               when w.family is distinct from t.family then
                 case
                   when w.claims is distinct from 'paid' then 'OF_OTHER_OPERATOR'
                   when t.state = 'cancelled' then 'PAID_AFTER_CANCELLATION'
                   when t.state = 'failed' then 'PAID_AFTER_FAILURE'
                   -- The route may have got another name: then this is its own operator.
                   when not t.has_route then 'OF_OTHER_OPERATOR'
                   else 'PAID_BY_OTHER_OPERATOR'
                 end
               when t.state = 'submitting' or t.lease_owner is not null then null
               ${parts.judged}
               when t.state in ('submitted', 'in_doubt') then 'INQUIRED'
               when t.state in ('failed', 'cancelled') and w.claims = 'paid' then 'INQUIRED'
               when t.state = 'succeeded' and w.claims = 'failed' then 'INQUIRED'
               when t.state = 'succeeded' and reported.contradicted <> '{}' then 'CONTRADICTS_END'
               when t.state in ('queued', 'scheduled', 'awaiting_approval') then 'NOT_SENT_YET'
               else 'NOTHING_NEW'
             end as handled_as
      from waiting w
      left join concerned t on t.operator_reference = w.operator_reference
      ${parts.join}
      cross join lateral (
        select array_remove(
          array[
            case when w.claims = 'paid' and w.reported_amount_minor <> t.amount_minor then 'amount' end,
            case when w.claims = 'paid' and w.reported_currency <> t.currency then 'currency' end,
            case when w.claims = 'paid' and w.reported_phone <> t.phone then 'number' end
          ],
          null
        ) as contradicted
      ) reported
    ),
    ${parts.claimed}
    hurried as (
      update transfers t
      set next_action_at = least(t.next_action_at, now()),
          -- After the end the schedule of inquiries begins anew: that of the doubt before may be used up.
          checks = case when t.completed_at is null then t.checks else 0 end,
          contradictions = array(
            select distinct unnest(t.contradictions || j.contradicted) order by 1
          )
      from (
        select j.book_id, j.transfer_id,
               array_remove(array_agg(distinct reported.subject), null) as contradicted
        from judged j
        left join lateral unnest(j.contradicted) as reported (subject) on true
        where j.handled_as = 'INQUIRED'
        group by j.book_id, j.transfer_id
      ) j
      where t.book_id = j.book_id and t.id = j.transfer_id
        and (
          t.next_action_at is null or t.next_action_at > now()
          or not t.contradictions @> j.contradicted
        )
    ),
    contradicted as (
      insert into incidents (book_id, id, transfer_id, kind, opened_at)
      select distinct on (j.book_id, j.transfer_id)
             j.book_id, gen_random_uuid(), j.transfer_id, k.kind, $2::timestamptz
      from judged j
      join unnest($6::text[], $7::text[]) as k (handled_as, kind)
        on k.handled_as = j.handled_as
      on conflict (book_id, transfer_id, kind) where closed_at is null do nothing
    ),
    unmatched as (
      insert into unmatched_payments (operator_reference, id, route, opened_at)
      select distinct on (w.operator_reference) w.operator_reference, w.id, w.route, $2
      from judged j
      join waiting w on w.id = j.id
      where j.handled_as = 'UNMATCHED' and w.claims = 'paid'
      order by w.operator_reference, w.id
      on conflict do nothing
    ),
    handled as (
      update callbacks c set handled_at = $2, handled_as = j.handled_as
      from judged j
      where c.id = j.id and j.handled_as is not null
      returning 1
    )
    ${parts.selected}`;
  return { name, text } satisfies Statement;
}

/** The statement of a process without such routes, which pays nothing for them. */
const APPLY = applyStatement('apply-callbacks', {
  ofCallback: '',
  ofTransfer: '',
  taken: '',
  join: '',
  judged: '',
  claimed: '',
  selected: 'select count(*)::integer as handled from handled',
});
const APPLY_AND_TAKE = applyStatement('apply-and-take-callbacks', TAKING);
