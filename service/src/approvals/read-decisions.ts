import type { Queryable, Statement } from '../postgres/database.ts';
import type { ApprovalDecision, ApprovingRole, MadeDecision, SubjectKind } from './approval.ts';

/** By the id of their subject and `round`; a subject without a decision is missing. */
export type DecisionsBySubject = ReadonlyMap<string, readonly MadeDecision[]>;

export function decisionsKey({ id, round }: Readonly<{ id: string; round: number }>): string {
  return `${id} ${round}`;
}

/** What people decided about these subjects, each list in the order of time. */
export async function readDecisions(
  database: Queryable,
  { bookId, kind, ids }: Readonly<{ bookId: string; kind: SubjectKind; ids: readonly string[] }>,
): Promise<DecisionsBySubject> {
  if (ids.length === 0) return new Map();
  const rows = await database.query<DecisionRow>(READ, [bookId, kind, ids]);
  const found = new Map<string, MadeDecision[]>();
  for (const row of rows) {
    const key = decisionsKey({ id: row.subject_id, round: row.round });
    const known = found.get(key) ?? [];
    known.push(toDecision(row));
    found.set(key, known);
  }
  return found;
}

/** Every decision about one subject, in all rounds, in the order of time. */
export async function listDecisions(
  database: Queryable,
  { bookId, kind, id }: Readonly<{ bookId: string; kind: SubjectKind; id: string }>,
): Promise<readonly MadeDecision[]> {
  const rows = await database.query<DecisionRow>(READ, [bookId, kind, [id]]);
  return rows.map(toDecision);
}

type DecisionRow = {
  subject_id: string;
  round: number;
  person_id: string;
  person_name: string;
  decision: ApprovalDecision;
  role: ApprovingRole;
  reason: string | null;
  decided_at: Date;
};

function toDecision(row: DecisionRow): MadeDecision {
  return {
    person: { id: row.person_id, name: row.person_name },
    decision: row.decision,
    role: row.role,
    reason: row.reason,
    at: row.decided_at,
  };
}

const READ: Statement = {
  name: 'read-decisions',
  text: `
    select a.subject_id, a.round, a.person_id, a.person_name, a.decision, a.role, a.reason, a.decided_at
    from approvals a
    where a.book_id = $1 and a.subject_kind = $2 and a.subject_id = any ($3::uuid[])
    order by a.decided_at, a.person_id`,
};
