import { SERVED_HERE } from '../../cells/served-here.ts';
import type { DoubtKind } from '../../domain/doubt-kind.ts';
import type { Operator } from '../../domain/operator.ts';
import type { Mode } from '../../domain/transfer.ts';
import type { TransferState } from '../../domain/transfer-state.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';
import { DOUBT_KIND, NEEDS_PERSON } from './doubt-kind-column.ts';

type UnfinishedRow = {
  mode: Mode;
  state: TransferState;
  kind: DoubtKind | null;
  operator: Operator | null;
  needs_person: boolean;
  count: number;
  age_seconds: number;
};

export type UnfinishedTransfers = Readonly<{
  states: readonly Readonly<{
    mode: Mode;
    state: TransferState;
    count: number;
    ageSeconds: number;
  }>[];
  doubts: readonly Readonly<{
    mode: Mode;
    kind: DoubtKind;
    operator: Operator;
    needsPerson: boolean;
    count: number;
  }>[];
}>;

/**
 * How many transfers are unfinished, how old the oldest is, and why those in doubt are in doubt. Never reads a finished
 * one.
 */
export async function countUnfinished(database: Queryable): Promise<UnfinishedTransfers> {
  const rows = await database.query<UnfinishedRow>(COUNT_UNFINISHED);
  const states = new Map<string, UnfinishedTransfers['states'][number]>();
  for (const { mode, state, count, age_seconds: ageSeconds } of rows) {
    const name = `${mode} ${state}`;
    const other = states.get(name) ?? { count: 0, ageSeconds: 0 };
    states.set(name, {
      mode,
      state,
      count: count + other.count,
      ageSeconds: Math.max(ageSeconds, other.ageSeconds),
    });
  }
  const doubts = rows.flatMap(({ mode, kind, operator, needs_person: needsPerson, count }) =>
    kind === null || operator === null ? [] : [{ mode, kind, operator, needsPerson, count }],
  );
  return { states: [...states.values()], doubts };
}

const COLUMNS = `
  book_id, id, state, created_at, send_at, approvals_needed, operator, contradictions, doubt_kind, not_found_answers, flagged_at, checks,
  first_pending_at, next_action_at`;

// Not the time at which its state began: a closed route queues a payout again and again, and it would always look new.
const APPROVED_AT = `
  case when t.approvals_needed is not null then (
    select max(e.created_at) from events e
    where e.book_id = t.book_id and e.subject_id = t.id
      and e.from_state = 'awaiting_approval' and e.to_state <> 'awaiting_approval'
  ) end`;

// Each part implies the condition of a partial index. What has ended is read by none of them.
const COUNT_UNFINISHED: Statement = {
  name: 'take-unfinished',
  text: `
    select b.mode, t.state, ${DOUBT_KIND} as kind,
           case when t.state = 'in_doubt' then t.operator end as operator,
           t.state = 'in_doubt' and ${NEEDS_PERSON} as needs_person,
           count(*)::integer as count,
           -- What was ordered weeks before its time, or waited for people, is not old.
           greatest(0, extract(epoch from now()
             - min(greatest(coalesce(t.send_at, t.created_at), ${APPROVED_AT}))))::float8 as age_seconds
    from (
      select ${COLUMNS} from transfers
      where state = 'queued' and next_action_at is not null
      union all
      select ${COLUMNS} from transfers
      where state in ('scheduled', 'awaiting_approval', 'submitting', 'submitted', 'in_doubt')
        and next_action_at is not null
      union all
      select ${COLUMNS} from transfers
      where flagged_at is not null and next_action_at is null
        and state not in ('succeeded', 'failed', 'cancelled', 'reversed')
    ) t
    join books b on b.id = t.book_id
    -- What a merchant that moved left here is counted where it is now.
    join merchants m on m.id = b.merchant_id and ${SERVED_HERE}
    group by 1, 2, 3, 4, 5`,
};
