import { withoutPutOff } from '../cells/move/moving-work.ts';
import { SERVED_HERE } from '../cells/served-here.ts';
import type { DoubtKind } from '../domain/doubt-kind.ts';
import { heldBackReasonOf } from '../domain/held-back.ts';
import type { Currency } from '../domain/money.ts';
import type { Country, Operator } from '../domain/operator.ts';
import type { Mode } from '../domain/transfer.ts';
import type { TransferState } from '../domain/transfer-state.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { isPaidElsewhere } from '../transfers/move/paid-elsewhere.ts';
import { DOUBT_KIND } from '../transfers/read/doubt-kind-column.ts';
import type { TroubleFilter } from '../transfers/read/trouble-filter.ts';
import { FILE_STOP, type FileStop } from './file-stop.ts';
import type { StopEffect } from './stop-routes.ts';
import { type StuckFacts, type StuckReason, stuckReasonOf } from './stuck-reason.ts';

const STUCK_LISTED_MAX = 500;
/** A queued transfer normally leaves the queue within a second, and a scheduled one its schedule. */
const QUEUED_LATE_SECONDS = 60;
/** Slow operators answer within minutes. */
const SUBMITTED_LATE_SECONDS = 3_600;
const RECIPIENT_LATE_SECONDS = 3_600;

export type Stuck = StuckFacts & Readonly<{ reason: StuckReason }>;
export type StuckList = Readonly<{ stuck: readonly Stuck[]; more: boolean }>;

/** What is stuck, oldest first; `more` says that the list is not complete. */
export async function listStuck(database: Queryable, filter: TroubleFilter): Promise<StuckList> {
  const stuck = [
    ...(await listTransfers(database, filter)),
    ...(await listRecipients(database, filter)),
  ];
  stuck.sort((a, b) => a.since.getTime() - b.since.getTime());
  return { stuck: stuck.slice(0, STUCK_LISTED_MAX), more: stuck.length > STUCK_LISTED_MAX };
}

async function listTransfers(
  database: Queryable,
  { mode, merchantId, operator }: TroubleFilter,
): Promise<readonly Stuck[]> {
  const rows = await database.query<TransferRow>(TRANSFERS, [
    QUEUED_LATE_SECONDS,
    SUBMITTED_LATE_SECONDS,
    STUCK_LISTED_MAX + 1,
    mode,
    merchantId,
    operator,
  ]);
  return rows.map((row) => {
    const stuck = {
      kind: 'transfer',
      id: row.id,
      reference: row.reference,
      merchant: row.merchant,
      mode: row.mode,
      amountMinor: row.amount_minor,
      currency: row.currency,
      operator: row.operator,
      country: row.country,
      state: row.state,
      operatorReference: row.operator_reference,
      since: row.since,
      checks: row.checks,
      nextActionAt: withoutPutOff(row.next_action_at),
      flagged: row.flagged,
      doubtKind: row.doubt_kind,
      routeStop: row.route_stop,
      merchantIsSuspended: row.merchant_is_suspended,
      heldBack: heldBackReasonOf(row.waits_by),
      isPaidElsewhere: row.is_paid_elsewhere,
      fileStop: row.file_stop,
    } as const;
    return { ...stuck, reason: stuckReasonOf(stuck) };
  });
}

async function listRecipients(
  database: Queryable,
  { mode, merchantId, operator }: TroubleFilter,
): Promise<readonly Stuck[]> {
  const values = [RECIPIENT_LATE_SECONDS, STUCK_LISTED_MAX + 1, mode, merchantId, operator];
  const rows = await database.query<RecipientRow>(RECIPIENTS, values);
  return rows.map((row) => {
    const stuck = {
      kind: 'recipient',
      id: row.id,
      reference: null,
      merchant: row.merchant,
      mode: row.mode,
      amountMinor: null,
      currency: null,
      operator: row.operator,
      country: row.country,
      state: 'pending',
      operatorReference: null,
      since: row.created_at,
      checks: row.resolve_attempts,
      nextActionAt: withoutPutOff(row.next_resolve_at),
      flagged: false,
      doubtKind: null,
      routeStop: null,
      merchantIsSuspended: false,
      heldBack: null,
      isPaidElsewhere: false,
      fileStop: null,
    } as const;
    return { ...stuck, reason: stuckReasonOf(stuck) };
  });
}

type TransferRow = {
  id: string;
  reference: string;
  merchant: string;
  mode: Mode;
  amount_minor: bigint;
  currency: Currency;
  operator: Operator;
  country: Country;
  state: TransferState;
  operator_reference: string;
  since: Date;
  checks: number;
  next_action_at: Date | null;
  flagged: boolean;
  doubt_kind: DoubtKind | null;
  route_stop: StopEffect | null;
  merchant_is_suspended: boolean;
  waits_by: string | null;
  is_paid_elsewhere: boolean;
  file_stop: FileStop | null;
};

type RecipientRow = {
  id: string;
  merchant: string;
  mode: Mode;
  operator: Operator;
  country: Country;
  created_at: Date;
  resolve_attempts: number;
  next_resolve_at: Date;
};

// Every try puts off the next action of a transfer whose amount no route takes, but not the time since it is queued.
const QUEUED_SINCE = 'least(t.next_action_at, t.updated_at)';

// The event by which it last came to wait. What is told while it waits has an event too, which is not that one.
const WAITS_BY = `
           case when t.state = 'awaiting_approval' then (
             select e.cause from events e
             where e.book_id = t.book_id and e.subject_id = t.id and e.to_state = 'awaiting_approval'
               and e.from_state is distinct from 'awaiting_approval'
             order by e.seq desc
             limit 1
           ) end`;

// In the database's time, which all processes share and which leases use. A transfer without a next action is as stuck
// as one whose time has passed, so all unfinished ones are read, not only those in the index.
const TRANSFERS: Statement = {
  name: '',
  text: `
    select t.id, t.reference, m.name as merchant, b.mode, t.amount_minor, t.currency, t.operator,
           t.country, t.state, t.operator_reference, t.checks, t.next_action_at,
           t.flagged_at is not null as flagged, ${DOUBT_KIND} as doubt_kind,
           (select h.effect from route_holds h where h.route = t.route) as route_stop,
           b.suspended_at is not null as merchant_is_suspended,
           ${WAITS_BY} as waits_by,
           t.state = 'queued' and ${isPaidElsewhere('t.route')} as is_paid_elsewhere,
           case when t.state = 'queued' then ${FILE_STOP} end as file_stop,
           case t.state
             when 'in_doubt' then t.in_doubt_since
             when 'submitted' then t.updated_at
             when 'awaiting_approval' then t.updated_at
             when 'scheduled' then coalesce(t.send_at, t.next_action_at, t.updated_at)
             when 'queued' then ${QUEUED_SINCE}
             else coalesce(t.next_action_at, t.updated_at)
           end as since
    from transfers t
    join books b on b.id = t.book_id
    join merchants m on m.id = b.merchant_id and ${SERVED_HERE}
    where (
        t.state = 'in_doubt'
        -- What people approve in time is not stuck; what is late, or cannot be approved, is.
        or (
          t.state = 'awaiting_approval'
          and (t.flagged_at is not null or exists (
            select from impossible_approvals f
            where f.book_id = t.book_id and f.subject_kind = 'transfer' and f.subject_id = t.id
          ))
        )
        or (t.state = 'submitting' and coalesce(t.next_action_at, t.updated_at) < now())
        or (
          -- A claim puts off the next action of a scheduled transfer, but never its time.
          t.state = 'scheduled'
          and coalesce(t.send_at, t.next_action_at, t.updated_at)
            < now() - $1::integer * interval '1 second'
        )
        or (t.state = 'queued' and ${QUEUED_SINCE} < now() - $1::integer * interval '1 second')
        or (t.state = 'submitted' and t.updated_at < now() - $2::integer * interval '1 second')
      )
      and ($4::text is null or b.mode = $4)
      and ($5::uuid is null or b.merchant_id = $5)
      and ($6::text is null or t.operator = $6)
    order by since, t.id
    limit $3`,
};

// A recipient without a next lookup has a final answer: the operator has no name for it.
const RECIPIENTS: Statement = {
  name: '',
  text: `
    select r.id, m.name as merchant, b.mode, r.operator, r.country, r.created_at,
           r.resolve_attempts, r.next_resolve_at
    from recipients r
    join books b on b.id = r.book_id
    join merchants m on m.id = b.merchant_id and ${SERVED_HERE}
    where r.next_resolve_at is not null
      and r.created_at < now() - $1::integer * interval '1 second'
      and ($3::text is null or b.mode = $3)
      and ($4::uuid is null or b.merchant_id = $4)
      and ($5::text is null or r.operator = $5)
    order by r.created_at, r.id
    limit $2`,
};
