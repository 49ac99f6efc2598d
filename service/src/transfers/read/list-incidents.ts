import { SERVED_HERE } from '../../cells/served-here.ts';
import { describeIncident } from '../../domain/incident.ts';
import type { Mode } from '../../domain/transfer.ts';
import type { TransferState } from '../../domain/transfer-state.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';

const INCIDENTS_LISTED_MAX = 500;

/** Something that contradicts what is recorded about a transfer. */
export type Incident = Readonly<{
  id: string;
  transferId: string;
  merchantId: string;
  merchant: string;
  mode: Mode;
  reference: string;
  state: TransferState;
  kind: string;
  detail: string;
  openedAt: Date;
  closed: Readonly<{ at: Date; by: string; note: string }> | null;
}>;

export type IncidentList = Readonly<{ incidents: readonly Incident[]; more: boolean }>;

/** Open incidents first, the oldest on top; then closed ones, the last closed on top. */
export async function listIncidents(
  database: Queryable,
  { max = INCIDENTS_LISTED_MAX }: Readonly<{ max?: number }> = {},
): Promise<IncidentList> {
  const rows = await database.query<IncidentRow>(LIST, [max + 1]);
  return { incidents: rows.slice(0, max).map(toIncident), more: rows.length > max };
}

/** A payment without a transfer is of no book, and counts as live: the sandbox sends no callbacks. */
export async function countOpenIncidents(
  database: Queryable,
  { mode = null }: Readonly<{ mode?: 'live' | null }> = {},
): Promise<number> {
  const [row] = await database.query<{ count: number }>(COUNT_OPEN, [mode]);
  return row?.count ?? 0;
}

type IncidentRow = {
  id: string;
  transfer_id: string;
  merchant_id: string;
  merchant: string;
  mode: Mode;
  reference: string;
  state: TransferState;
  kind: string;
  detail: string | null;
  opened_at: Date;
  closed_at: Date | null;
  closed_by: string | null;
  note: string | null;
};

function toIncident(row: IncidentRow): Incident {
  const { closed_at: at, closed_by: by, note } = row;
  return {
    id: row.id,
    transferId: row.transfer_id,
    merchantId: row.merchant_id,
    merchant: row.merchant,
    mode: row.mode,
    reference: row.reference,
    state: row.state,
    kind: row.kind,
    detail: describeIncident(row.kind, row.detail),
    openedAt: row.opened_at,
    closed: at === null || by === null || note === null ? null : { at, by, note },
  };
}

const LIST: Statement = {
  name: '',
  text: `
    select i.id, i.transfer_id, b.merchant_id, m.name as merchant, b.mode, t.reference, t.state, i.kind, i.detail,
           i.opened_at, i.closed_at, i.closed_by, i.note
    from incidents i
    join transfers t on t.book_id = i.book_id and t.id = i.transfer_id
    join books b on b.id = i.book_id
    join merchants m on m.id = b.merchant_id and ${SERVED_HERE}
    order by i.closed_at is not null, i.closed_at desc, i.opened_at, i.id
    limit $1`,
};

const COUNT_OPEN: Statement = {
  name: 'count-open-incidents',
  text: `
    select (
      (
        select count(*) from incidents i
        join books b on b.id = i.book_id
        join merchants m on m.id = b.merchant_id and ${SERVED_HERE}
        where i.closed_at is null and ($1::text is null or b.mode = $1)
      ) + (select count(*) from unmatched_payments where closed_at is null)
    )::integer as count`,
};
