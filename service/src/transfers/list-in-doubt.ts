import type { Currency } from '../domain/money.ts';
import type { Country, Operator } from '../domain/operator.ts';
import type { Mode } from '../domain/transfer.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { type Decision, describeDecision } from './proposal.ts';

const DOUBTS_LISTED_MAX = 500;

/** A transfer of which nobody can say yet whether money moved. */
export type Doubt = Readonly<{
  id: string;
  merchant: string;
  mode: Mode;
  reference: string;
  amountMinor: bigint;
  currency: Currency;
  operator: Operator;
  country: Country;
  route: string;
  /** What the operator knows it by. */
  operatorReference: string;
  since: Date;
  /** How often the operator was asked since. */
  timesAsked: number;
  /** Null: no further question is planned. */
  nextCheckAt: Date | null;
  needsPerson: boolean;
  /** What one administrator has proposed and nobody has confirmed yet. */
  proposal: Readonly<{ by: string; says: string }> | null;
}>;

export type DoubtList = Readonly<{ doubts: readonly Doubt[]; more: boolean }>;

/** All that is in doubt, the oldest first. */
export async function listInDoubt(
  database: Queryable,
  { now }: Readonly<{ now: Date }>,
): Promise<DoubtList> {
  const rows = await database.query<DoubtRow>(LIST, [DOUBTS_LISTED_MAX + 1, now]);
  return {
    doubts: rows.slice(0, DOUBTS_LISTED_MAX).map(toDoubt),
    more: rows.length > DOUBTS_LISTED_MAX,
  };
}

type DoubtRow = {
  id: string;
  merchant: string;
  mode: Mode;
  reference: string;
  amount_minor: bigint;
  currency: Currency;
  operator: Operator;
  country: Country;
  route: string;
  operator_reference: string;
  in_doubt_since: Date;
  checks: number;
  next_action_at: Date | null;
  flagged: boolean;
  decision: Decision | null;
  receipt: string | null;
  proposer: string | null;
};

function toDoubt(row: DoubtRow): Doubt {
  const { decision, receipt, proposer } = row;
  return {
    id: row.id,
    merchant: row.merchant,
    mode: row.mode,
    reference: row.reference,
    amountMinor: row.amount_minor,
    currency: row.currency,
    operator: row.operator,
    country: row.country,
    route: row.route,
    operatorReference: row.operator_reference,
    since: row.in_doubt_since,
    timesAsked: row.checks,
    nextCheckAt: row.next_action_at,
    // Without a next question it waits for a person, whether or not that was noted.
    needsPerson: row.flagged || row.next_action_at === null,
    proposal:
      decision === null || proposer === null
        ? null
        : { by: proposer, says: describeDecision({ decision, receipt }) },
  };
}

const LIST: Statement = {
  name: '',
  text: `
    select t.id, m.name as merchant, b.mode, t.reference, t.amount_minor, t.currency, t.operator,
           t.country, t.route, t.operator_reference, t.in_doubt_since, t.checks, t.next_action_at,
           t.flagged_at is not null as flagged, p.decision, p.receipt, a.name as proposer
    from transfers t
    join books b on b.id = t.book_id
    join merchants m on m.id = b.merchant_id
    left join proposals p
      on p.book_id = t.book_id and p.transfer_id = t.id and p.ended_at is null
      and p.expires_at > $2 and p.event_seq = t.event_seq
    left join administrators a on a.id = p.proposed_by
    where t.state = 'in_doubt'
    order by t.in_doubt_since, t.id
    limit $1`,
};
