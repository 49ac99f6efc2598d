import type { Mode, Transfer } from '../../domain/transfer.ts';
import type { RawCallback } from '../../operators/contract/connector.ts';
import type { Routes } from '../../operators/routes/route.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';
import { LEASE_MS } from '../move/lease.ts';
import { TRANSFER_COLUMNS, type TransferRow, toTransfer } from '../read/transfer-row.ts';

/** A callback that is taken as the answer to an inquiry, and its transfer, leased to this process. */
export type TakenCallback = Pick<RawCallback, 'method' | 'body'> &
  Readonly<{ id: string; transfer: Transfer; leaseOwner: string }>;

/** The process that takes callbacks, and the routes on which it does, each with its account. */
export type Taker = Readonly<{
  leaseOwner: string;
  routes: ReadonlyMap<string, string | null>;
}>;

/** The routes of this process whose connectors declare that signed callbacks are final. */
export function finalRoutes(routes: Pick<Routes, 'all'>): Taker['routes'] {
  const final = routes.all().filter(({ connector }) => connector.abilities.signedCallbacksAreFinal);
  return new Map(final.map(({ name, account }) => [name, account]));
}

/** The parameters of TAKING, from the eighth on. */
export function takingValues({ routes, leaseOwner }: Taker): readonly unknown[] {
  return [[...routes.keys()], [...routes.values()], leaseOwner, LEASE_MS];
}

/**
 * Whether a callback may take the place of an inquiry. It must be verified, come by the transfer's own route, and report
 * amount, currency and number as they were sent. A failure does not settle a contradiction that is kept with the
 * transfer, or a success that was reported before, and it may be about the submission before a resubmission. There the
 * inquiry decides.
 */
const IS_ANSWER = `
  coalesce(
    w.verified and w.route = t.route and f.route is not null
    and coalesce(t.route_account, f.account) is not distinct from f.account
    and w.reported_amount_minor = t.amount_minor
    and w.reported_currency = t.currency
    and w.reported_phone = t.phone
    and (
      w.claims = 'paid'
      or (t.contradictions = '{}' and t.unconfirmed_successes = 0 and t.resubmissions = 0)
    ),
    false
  )`;

/**
 * Parts of the statement of apply-callbacks.ts. `taken` has one callback for each transfer, and its lease is taken like
 * for an inquiry: a process that dies before it records the answer delays the inquiry by the rest of the lease. Callbacks
 * that contradict each other are not taken.
 */
export const TAKING = {
  ofCallback: ', c.received_at, c.verified',
  ofTransfer: ', t.route_account, t.contradictions, t.unconfirmed_successes, t.resubmissions',
  taken: `
    final_routes as materialized (
      select * from unnest($8::text[], $9::text[]) as f (route, account)
    ),
    taken as materialized (
      select e.book_id, e.transfer_id, (array_agg(e.id order by e.received_at, e.id))[1] as id
      from (
        select w.id, w.received_at, w.claims, t.book_id, t.id as transfer_id,
               ${IS_ANSWER} as is_answer
        from waiting w
        join concerned t on t.operator_reference = w.operator_reference and t.family = w.family
        left join final_routes f on f.route = t.route
        where w.reading = 'read' and w.claims in ('paid', 'failed')
          and t.state in ('submitted', 'in_doubt') and t.lease_owner is null
      ) e
      group by e.book_id, e.transfer_id
      having bool_and(e.is_answer) and min(e.claims) = max(e.claims)
    ),`,
  join: 'left join taken k on k.book_id = t.book_id and k.transfer_id = t.id',
  // Others about the same transfer wait for the next round, when the answer is recorded.
  judged: `
               when k.id = w.id then 'TAKEN_AS_ANSWER'
               when k.id is not null then null`,
  claimed: `
    claimed as (
      update transfers t
      set lease_owner = $10::uuid, next_action_at = now() + $11::integer * interval '1 ms'
      from taken k
      where t.book_id = k.book_id and t.id = k.transfer_id
      returning k.id as callback_id, ${TRANSFER_COLUMNS}
    ),`,
  selected: `
    select s.handled, c.*, b.mode, r.method, r.body
    from (select count(*)::integer as handled from handled) s
    left join claimed c on true
    left join callbacks r on r.id = c.callback_id
    left join books b on b.id = c.book_id`,
} as const;

export type TakenCallbackRow = TransferRow & {
  callback_id: string | null;
  mode: Mode;
  method: string;
  body: Buffer;
};

export function toTaken(row: TakenCallbackRow, { leaseOwner }: Taker): readonly TakenCallback[] {
  const { callback_id: id, mode, method, body } = row;
  return id === null ? [] : [{ id, method, body, transfer: toTransfer(row, mode), leaseOwner }];
}

/** Gives the lease back for a callback that is no answer after all, so that an inquiry is made at once. */
export async function giveBack(
  database: Queryable,
  { id, transfer, leaseOwner }: Omit<TakenCallback, 'method' | 'body'>,
): Promise<void> {
  await database.query(GIVE_BACK, [transfer.bookId, transfer.id, leaseOwner, id]);
}

const GIVE_BACK: Statement = {
  name: 'give-back-callback',
  text: `
    with given_back as (
      update transfers t set lease_owner = null, next_action_at = now()
      where t.book_id = $1 and t.id = $2 and t.lease_owner = $3
        and t.state in ('submitted', 'in_doubt')
    )
    update callbacks c set handled_as = 'INQUIRED' where c.id = $4`,
};
