import type { Mode, Transfer } from '../../domain/transfer.ts';
import type { Routes } from '../../operators/routes/route.ts';
import { bareArray, quotedArray } from '../../postgres/array-text.ts';
import { LEASE_MS } from '../move/lease.ts';
import { TRANSFER_COLUMNS, type TransferRow, toTransfer } from '../read/transfer-row.ts';

/** The process that stores callbacks, and how many inquiries it may begin now on each of its routes. */
export type Inquirer = Readonly<{ leaseOwner: string; inquiriesFree: ReadonlyMap<string, number> }>;

/**
 * The routes on which a callback leads to an inquiry at once. Where signed callbacks are final they may be answers, so
 * apply-callbacks.ts acts on them, and so it does where no inquiry may begin now.
 */
export function inquiriesFree(routes: Pick<Routes, 'all'>): Inquirer['inquiriesFree'] {
  const inquiring = routes
    .all()
    .filter(
      ({ connector: { abilities } }) => abilities.inquires && !abilities.signedCallbacksAreFinal,
    )
    .map(({ name, limiter }) => [name, limiter.inquiriesFree()] as const);
  return new Map(inquiring.filter(([, free]) => free > 0));
}

/** The parameters of TAKING, from the seventeenth on. */
export function inquirerValues({ leaseOwner, inquiriesFree }: Inquirer): readonly unknown[] {
  return [
    quotedArray([...inquiriesFree.keys()]),
    bareArray([...inquiriesFree.values()]),
    leaseOwner,
    LEASE_MS,
  ];
}

/**
 * Parts of the statement of store-callbacks.ts that take the lease of a transfer for the inquiry that its callback brings
 * forward. Only a callback that needs nothing else is taken: it came by the route of its transfer, which was sent and
 * is not being worked on, and it contradicts nothing that was sent. All others are left to apply-callbacks.ts: early
 * ones, those about finished transfers, and those about merchants that are being moved. So is one that comes beside or
 * after another that nothing was done about yet: that one may contradict what was sent, and an answer without an amount
 * must not end the transfer before this is kept.
 *
 * As after every claim, a process that dies before it has inquired delays the inquiry by the rest of the lease.
 */
export const TAKING = {
  taken: `
    inquirer as materialized (
      select * from unnest($17::text[], $18::integer[]) as i (route, free)
    ),
    hints as materialized (
      select h.*
      from (
        select g.id, g.route, g.operator_reference, g.claims, g.reported_amount_minor,
               g.reported_currency, g.reported_phone, i.free,
               count(*) over (partition by g.operator_reference) as about_it,
               row_number() over (partition by g.route order by g.position) as nth_of_route
        from admitted g
        join inquirer i on i.route = g.route
        where g.reading = 'read'
      ) h
      where h.about_it = 1 and h.nth_of_route <= h.free
        and (
          select c.id from callbacks c
          where c.operator_reference = h.operator_reference and c.handled_at is null
          limit 1
        ) is null
    ),
    waiting as materialized (
      select h.id as callback_id, t.book_id, t.id, b.mode
      from hints h
      cross join lateral (
        select t.book_id, t.id
        from transfers t
        where t.operator_reference = h.operator_reference and t.completed_at is null
          and t.route = h.route and t.state in ('submitted', 'in_doubt')
          and t.lease_owner is null
          and (
            h.claims is distinct from 'paid'
            or (
              coalesce(h.reported_amount_minor, t.amount_minor) = t.amount_minor
              and coalesce(h.reported_currency, t.currency) = t.currency
              and coalesce(h.reported_phone, t.phone) = t.phone
            )
          )
        limit 1
        for update skip locked
      ) t
      join books b on b.id = t.book_id
      join merchants m on m.id = b.merchant_id and m.state = 'open'
    ),
    taken as (
      update transfers t
      set lease_owner = $19::uuid, next_action_at = now() + $20::integer * interval '1 ms'
      from waiting w
      where t.book_id = w.book_id and t.id = w.id
      returning w.callback_id, w.mode, ${TRANSFER_COLUMNS}
    ),`,
  columns: ', handled_at, handled_as',
  values: `,
             case when k.callback_id is not null then g.received_at end,
             case when k.callback_id is not null then 'INQUIRED' end`,
  join: 'left join taken k on k.callback_id = g.id',
  selected: `, k.*
    from stored s left join taken k on k.callback_id = s.id`,
} as const;

type Taken = TransferRow & { callback_id: string; mode: Mode };
type NotTaken = { [Column in keyof Taken]: null };
export type TakenRow = { stored_id: string } & (Taken | NotTaken);

export function toTakenTransfer(row: TakenRow): Transfer | undefined {
  return row.callback_id === null ? undefined : toTransfer(row, row.mode);
}
