import { SERVED_HERE } from '../cells/served-here.ts';
import { type DoubtOutlook, describeDoubt, type RouteRules } from '../domain/describe-doubt.ts';
import type { DoubtKind } from '../domain/doubt-kind.ts';
import type { Mode, Transfer } from '../domain/transfer.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { DOUBT_KIND, NEEDS_PERSON } from '../transfers/read/doubt-kind-column.ts';
import { TRANSFER_COLUMNS, type TransferRow, toTransfer } from '../transfers/read/transfer-row.ts';
import type { TroubleFilter } from '../transfers/read/trouble-filter.ts';
import { describeResolution, type ResolutionDecision } from './proposal.ts';
import { CAN_BE_CONFIRMED } from './why-stale.ts';

const DOUBTS_LISTED_MAX = 500;

/** A transfer of which it is not known whether money moved. */
export type Doubt = Readonly<{
  transfer: Transfer;
  merchantId: string;
  merchant: string;
  since: Date;
  outlook: DoubtOutlook;
  asked: Asked;
  /** What one administrator has proposed and no other has confirmed yet. */
  proposal: OpenProposal | null;
}>;

type OpenProposal = Readonly<{
  by: string;
  byId: string;
  says: string;
  decision: ResolutionDecision;
  receipt: string | null;
  evidence: string;
  at: Date;
  expiresAt: Date;
}>;

/** What the operator was asked so far. */
type Asked = Readonly<{
  times: number;
  lastAt: Date | null;
  /** What the last exchange was taken to mean; null: none was kept, as in a test book. */
  lastAnswer: string | null;
}>;

export type DoubtList = Readonly<{ doubts: readonly Doubt[]; more: boolean }>;

export type DoubtFilter = TroubleFilter &
  Readonly<{ kind: DoubtKind | null; needsPerson: boolean }>;

/** Lists transfers in doubt, oldest first. */
export async function listInDoubt(
  database: Queryable,
  options: Readonly<{
    now: Date;
    filter: DoubtFilter;
    /** Null: the route is not known here. */
    rulesOf: (route: string) => RouteRules | null;
    max?: number;
  }>,
): Promise<DoubtList> {
  const { now, filter, rulesOf, max = DOUBTS_LISTED_MAX } = options;
  const { kind, needsPerson, mode, merchantId, operator } = filter;
  const values = [max + 1, now, kind, needsPerson, mode, merchantId, operator];
  const rows = await database.query<DoubtRow>(LIST, values);
  return {
    doubts: rows.slice(0, max).map((row) => toDoubt(row, { now, rules: rulesOf(row.route) })),
    more: rows.length > max,
  };
}

type DoubtRow = TransferRow & {
  merchant_id: string;
  merchant: string;
  mode: Mode;
  in_doubt_since: Date;
  doubt_kind: DoubtKind;
  flagged: boolean;
  times_asked: number;
  last_answer: string | null;
  decision: ResolutionDecision | null;
  receipt: string | null;
  proposer: string | null;
  proposed_by: string | null;
  evidence: string | null;
  proposed_at: Date | null;
  expires_at: Date | null;
};

function toDoubt(
  row: DoubtRow,
  { now, rules }: Readonly<{ now: Date; rules: RouteRules | null }>,
): Doubt {
  const transfer = toTransfer(row, row.mode);
  const facts = { transfer, kind: row.doubt_kind, isFlagged: row.flagged, now };
  return {
    transfer,
    merchantId: row.merchant_id,
    merchant: row.merchant,
    since: row.in_doubt_since,
    outlook: describeDoubt(facts, rules),
    asked: { times: row.times_asked, lastAt: row.last_checked_at, lastAnswer: row.last_answer },
    proposal: toOpenProposal(row),
  };
}

function toOpenProposal(row: DoubtRow): OpenProposal | null {
  const { decision, receipt, proposer, proposed_by, evidence, proposed_at, expires_at } = row;
  if (decision === null || proposer === null || proposed_by === null) return null;
  if (evidence === null || proposed_at === null || expires_at === null) return null;
  const says = describeResolution({ decision, receipt });
  return {
    by: proposer,
    byId: proposed_by,
    says,
    decision,
    receipt,
    evidence,
    at: proposed_at,
    expiresAt: expires_at,
  };
}

// A resubmission begins the schedule anew, so its place in it is not how often was asked.
const LIST: Statement = {
  name: '',
  text: `
    select ${TRANSFER_COLUMNS}, b.merchant_id, m.name as merchant, b.mode, t.flagged_at is not null as flagged,
           greatest(t.checks, asked.times) as times_asked, last.outcome as last_answer,
           p.decision, p.receipt, p.evidence, p.proposed_by, p.proposed_at, p.expires_at,
           a.name as proposer
    from transfers t
    join books b on b.id = t.book_id
    join merchants m on m.id = b.merchant_id and ${SERVED_HERE}
    cross join lateral (
      select count(*)::integer as times from attempts e
      where e.book_id = t.book_id and e.transfer_id = t.id and e.purpose = 'inquire'
    ) asked
    left join lateral (
      select e.outcome from attempts e
      where e.book_id = t.book_id and e.transfer_id = t.id and e.purpose <> 'recall'
      order by e.ended_at desc, e.id desc
      limit 1
    ) last on true
    left join proposals p
      on p.book_id = t.book_id and p.transfer_id = t.id and p.ended_at is null
      and p.expires_at > $2 and ${CAN_BE_CONFIRMED}
    left join people a on a.id = p.proposed_by
    where t.state = 'in_doubt'
      and ($3::text is null or ${DOUBT_KIND} = $3)
      and (not $4::boolean or ${NEEDS_PERSON})
      and ($5::text is null or b.mode = $5)
      and ($6::uuid is null or b.merchant_id = $6)
      and ($7::text is null or t.operator = $7)
    order by t.in_doubt_since, t.id
    limit $1`,
};
