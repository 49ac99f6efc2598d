import type { Book } from '../domain/book.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { Approver, SubjectKind } from './approval.ts';
import type { ApprovalSource, Awaiting } from './approval-source.ts';
import {
  type ApprovalStanding,
  canReject,
  countApprovals,
  findObstacle,
  judgeApprovals,
} from './judge-approvals.ts';
import { readApprovers } from './read-approvers.ts';

export const APPROVAL_VIEWS = ['mine', 'others', 'all', 'decided'] as const;
/** `mine`: what this person can approve; `others`: what waits for other people; `decided`: what no longer waits. */
export type ApprovalView = (typeof APPROVAL_VIEWS)[number];

/** How much of what waits one page looks through for what is this person's. */
const LOOKED_THROUGH_MAX = 1_000;

export type ApprovalDeps = Readonly<{ database: Queryable; sources: readonly ApprovalSource[] }>;

/** Something that waits, and what a person may do about it. */
export type ListedApproval = Readonly<{
  awaiting: Awaiting;
  standing: ApprovalStanding;
  iCan: boolean;
  /** Also where they cannot approve it. */
  iCanReject: boolean;
  /** Why this person cannot approve it, in a sentence. */
  whyNot: string | null;
}>;

type ApprovalPage = Readonly<{ items: readonly ListedApproval[]; next: string | null }>;
type ListRequest = Readonly<{
  book: Book;
  personId: string;
  page: Readonly<{ after: string | null; limit: number }>;
}>;

/** What waits for approval in a book, the oldest first. Pages go by id, which is in the order of time. */
export async function listAwaiting(
  { database, sources }: ApprovalDeps,
  {
    book,
    personId,
    page,
    view,
  }: ListRequest & Readonly<{ view: Exclude<ApprovalView, 'decided'> }>,
): Promise<ApprovalPage> {
  const approvers = await readApprovers(database, book);
  const items: ListedApproval[] = [];
  let { after } = page;
  for (let looked = 0; looked < LOOKED_THROUGH_MAX; looked += page.limit) {
    const lists = await Promise.all(
      sources.map((source) => source.list(database, book, { after, limit: page.limit })),
    );
    const oldest = lists
      .flat()
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, page.limit);
    for (const awaiting of oldest) {
      after = awaiting.id;
      const listed = judgeFor(awaiting, { approvers, personId });
      if (view === 'all' || listed.iCan === (view === 'mine')) items.push(listed);
      if (items.length === page.limit) return { items, next: after };
    }
    if (oldest.length < page.limit) return { items, next: null };
  }
  return { items, next: after };
}

/** Where the next page of decided subjects continues. */
export type DecidedPosition = Readonly<{ at: Date; id: string }>;

/** What people decided about and waits no more, the last decision first. */
export async function listDecided(
  { database, sources }: ApprovalDeps,
  {
    book,
    personId,
    page,
  }: Omit<ListRequest, 'page'> &
    Readonly<{ page: Readonly<{ before: DecidedPosition | null; limit: number }> }>,
): Promise<Readonly<{ items: readonly ListedApproval[]; next: DecidedPosition | null }>> {
  const { before, limit } = page;
  const values = [book.id, before?.at ?? null, before?.id ?? null, limit];
  const rows = await database.query<DecidedRow>(DECIDED, values);
  const approvers = await readApprovers(database, book);
  const found = new Map<string, Awaiting>();
  for (const source of sources) {
    const ids = rows.filter((row) => row.subject_kind === source.kind).map((row) => row.subject_id);
    for (const one of await source.find(database, book, ids)) found.set(one.id, one);
  }
  const items = rows
    .flatMap(({ subject_id }) => found.get(subject_id) ?? [])
    .filter(({ isAwaiting }) => !isAwaiting)
    .map((one) => judgeFor(one, { approvers, personId }));
  const last = rows.at(-1);
  const isLast = rows.length < limit || last === undefined;
  return { items, next: isLast ? null : { at: last.decided_at, id: last.subject_id } };
}

/** What one person may do about something that waits, or did. */
function judgeFor(
  awaiting: Awaiting,
  { approvers, personId }: Readonly<{ approvers: readonly Approver[]; personId: string }>,
): ListedApproval {
  const standing = judgeApprovals(awaiting, approvers);
  if (!awaiting.isAwaiting) {
    return {
      awaiting,
      standing: { ...standing, given: countApprovals(awaiting), canApprove: [], impossible: false },
      iCan: false,
      iCanReject: false,
      whyNot: null,
    };
  }
  const obstacle = findObstacle(awaiting, { approvers, personId, decision: 'approve' });
  return {
    awaiting,
    standing,
    iCan: obstacle === undefined,
    iCanReject: canReject(awaiting, { approvers, personId }),
    whyNot: obstacle?.message ?? null,
  };
}

type DecidedRow = { subject_kind: SubjectKind; subject_id: string; decided_at: Date };

// Times are stored with the milliseconds of a process's clock, so a position reads back as it was.
const DECIDED: Statement = {
  name: '',
  text: `
    select a.subject_kind, a.subject_id, a.decided_at
    from approvals a
    where a.book_id = $1
      and ($2::timestamptz is null or (a.decided_at, a.subject_id) < ($2, $3::uuid))
      and not exists (
        select from approvals later
        where later.book_id = a.book_id and later.subject_kind = a.subject_kind
          and later.subject_id = a.subject_id
          and (later.decided_at, later.person_id) > (a.decided_at, a.person_id)
      )
    order by a.decided_at desc, a.subject_id desc
    limit $4`,
};
