import type { Queryable, Statement } from '../postgres/database.ts';

/** Approvals that one look names. More come at once only where many are approved with one click. */
const APPROVALS_MAX = 100;

/** What a person decided about. The decision that moves a subject is an event too; the ones before it are none. */
export type NewApproval = Readonly<{
  bookId: string;
  kind: 'transfer' | 'file';
  id: string;
  state: string;
  /** Of a transfer. */
  reference: string | null;
  at: Date;
}>;

/** What people of these books decided about after a time. */
export async function listNewApprovals(
  database: Queryable,
  { bookIds, since }: Readonly<{ bookIds: readonly string[]; since: Date }>,
): Promise<readonly NewApproval[]> {
  const rows = await database.query<NewApprovalRow>(LIST, [bookIds, since]);
  return rows.map((row) => ({
    bookId: row.book_id,
    kind: row.subject_kind,
    id: row.subject_id,
    state: row.state,
    reference: row.reference,
    at: row.decided_at,
  }));
}

type NewApprovalRow = {
  book_id: string;
  subject_kind: 'transfer' | 'file';
  subject_id: string;
  state: string;
  reference: string | null;
  decided_at: Date;
};

const LIST: Statement = {
  name: 'list-new-approvals',
  text: `
    select a.book_id, a.subject_kind, a.subject_id, coalesce(t.state, f.state) as state, t.reference, a.decided_at
    from unnest($1::uuid[]) as b (id)
    join approvals a on a.book_id = b.id and a.decided_at > $2
    left join transfers t on a.subject_kind = 'transfer' and t.book_id = a.book_id and t.id = a.subject_id
    left join payout_files f on a.subject_kind = 'file' and f.book_id = a.book_id and f.id = a.subject_id
    order by a.decided_at desc
    limit ${APPROVALS_MAX}`,
};
