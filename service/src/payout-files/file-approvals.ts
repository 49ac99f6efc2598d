import type { ActDeps } from '../acts/act.ts';
import { recordAct } from '../acts/record-act.ts';
import { ONE_PERSON } from '../approvals/approval.ts';
import type { Awaiting, BookOfSubjects, TellingSource } from '../approvals/approval-source.ts';
import { judgeApprovals } from '../approvals/judge-approvals.ts';
import { lockApprovers, readApprovers } from '../approvals/read-approvers.ts';
import { decisionsKey, readDecisions } from '../approvals/read-decisions.ts';
import {
  type DecisionOutcome,
  type DecisionRequest,
  recordDecision,
} from '../approvals/record-decision.ts';
import type { Actor } from '../domain/actor.ts';
import type { Book } from '../domain/book.ts';
import { formatMinor } from '../domain/money.ts';
import type { ApprovalRequirement } from '../domain/policy/assign-approvals.ts';
import { refuse } from '../domain/refusal.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';
import { failpoint } from '../telemetry/failpoint.ts';
import {
  FILE_FACTS,
  type FileFactsRow,
  renderFileFacts,
  toFileFacts,
} from '../views/show-files.ts';
import { endWaitingRows } from './end-waiting-rows.ts';
import { AT_ONCE, moveFile } from './move-file.ts';
import { recordFilesImpossible } from './record-files-impossible.ts';

export type FileApprovalDeps = ActDeps &
  Readonly<{
    database: Database;
    directory: Queryable;
    /** Has files that were decided looked at now. */
    wake: () => void;
  }>;

/** What a decision is about: the rows that are neither paid nor refused. Null: the file no longer waits. */
export type FileLeft = Readonly<{ rowsLeft: number | null; amountLeft: string | null }>;

type AwaitingFile = Awaiting & Readonly<{ shown: ReturnType<typeof renderFileFacts> & FileLeft }>;

/** Payout files that wait for approval: a decision is about all rows at once. */
export function createFileSource(deps: FileApprovalDeps): TellingSource {
  return {
    kind: 'file',
    list: (database, book, { after, limit }) => read(database, book, LIST, [after, limit]),
    find: findAwaitingFiles,
    decide: ({ book, id }, request) => decideFile(deps, { book, id, request }),
    tellImpossible: recordFilesImpossible,
    releaseApproved: (subject) => releaseApproved(deps, subject),
  };
}

/** Submitted files, waiting or not, with what people decided about each. */
export function findAwaitingFiles(
  database: Queryable,
  book: BookOfSubjects,
  ids: readonly string[],
): Promise<readonly AwaitingFile[]> {
  return read(database, book, FIND, [ids]);
}

type FileDecision = Readonly<{ book: Book; id: string; request: DecisionRequest }>;

/** Approves or rejects a file: the decision, the act and what follows of it are one transaction. */
export async function decideFile(deps: FileApprovalDeps, decision: FileDecision): Promise<void> {
  const { book, id, request } = decision;
  const inDirectory = await readApprovers(deps.directory, book);
  const outcome = await deps.database.transaction(async (tx) => {
    const approvers = await lockApprovers(tx, book, inDirectory);
    const { file, isExpired } = await lock(tx, book, id);
    if (file === undefined) throw refuse('PAYOUT_FILE_NOT_FOUND');
    if (!file.isAwaiting || isExpired) throw refuse('ALREADY_DECIDED');
    const at = deps.now();
    const made = await recordDecision(tx, { bookId: book.id, subject: file, approvers, request });
    await record(tx, deps, { ...decision, file, outcome: made });
    await moveDecided(tx, { ...decision, outcome: made, at });
    return made;
  });
  failpoint('decision-committed');
  if (outcome !== 'waiting') deps.wake();
}

/** Read only once it is locked. Whether its time is over is judged by the database's clock. */
async function lock(tx: Queryable, book: BookOfSubjects, id: string) {
  const [row] = await tx.query<{ is_expired: boolean }>(LOCK, [book.id, id]);
  const [file] = await findAwaitingFiles(tx, book, [id]);
  return { file, isExpired: row?.is_expired === true };
}

/** Lets a file go that has all its approvals and waits all the same: a person who approved it has a role again. */
async function releaseApproved(
  deps: FileApprovalDeps,
  { book, id }: Readonly<{ book: BookOfSubjects; id: string }>,
): Promise<boolean> {
  const inDirectory = await readApprovers(deps.directory, book);
  const isReleased = await deps.database.transaction(async (tx) => {
    const approvers = await lockApprovers(tx, book, inDirectory);
    const { file, isExpired } = await lock(tx, book, id);
    if (file === undefined || !file.isAwaiting || isExpired) return false;
    if (!judgeApprovals(file, approvers).isEnough) return false;
    const actor = { kind: 'system', part: 'approvals' } as const;
    await moveApproved(tx, { book, id, actor, at: deps.now() });
    return true;
  });
  if (isReleased) deps.wake();
  return isReleased;
}

type Decided = FileDecision & Readonly<{ outcome: DecisionOutcome }>;

async function moveDecided(
  tx: Queryable,
  { book, id, request, outcome, at }: Decided & Readonly<{ at: Date }>,
): Promise<void> {
  if (outcome === 'waiting') return;
  const { actor } = request;
  if (outcome === 'approved') return moveApproved(tx, { book, id, actor, at });
  const key = { bookId: book.id, id };
  const endedAs = 'APPROVAL_REJECTED';
  // Transfers of rows that were paid before it came to wait may still be queued.
  const ending = { to: 'cancelled', cause: endedAs, due: AT_ONCE, endedAs } as const;
  await moveFile(tx, { ...key, from: ['awaiting_approval'], actor, at, ...ending });
  await endWaitingRows(tx, { ...key, code: endedAs });
}

async function moveApproved(
  tx: Queryable,
  { book, id, actor, at }: Readonly<{ book: BookOfSubjects; id: string; actor: Actor; at: Date }>,
): Promise<void> {
  const [row] = await tx.query<{ pay_at: Date | null; is_due: boolean }>(APPROVE, [book.id, id]);
  if (row === undefined) throw new Error('the file that was approved is not there');
  await moveFile(tx, {
    bookId: book.id,
    id,
    from: ['awaiting_approval'],
    actor,
    at,
    to: row.is_due ? 'paying' : 'scheduled',
    cause: 'APPROVED_BY_PEOPLE',
    due: row.is_due ? AT_ONCE : row.pay_at,
  });
}

async function record(
  tx: Queryable,
  deps: FileApprovalDeps,
  { book, id, request, outcome, file }: Decided & Readonly<{ file: Awaiting }>,
): Promise<void> {
  const { actor, decision, reason } = request;
  await recordAct(tx, deps, {
    actor,
    kind: decision === 'approve' ? 'PAYOUT_FILE_APPROVED' : 'PAYOUT_FILE_REJECTED',
    subject: id,
    merchantId: book.merchantId,
    bookId: book.id,
    reason,
    before: { state: 'awaiting_approval' },
    after: { contentHash: file.contentHash, outcome },
  });
}

async function read(
  database: Queryable,
  book: BookOfSubjects,
  statement: Statement,
  values: readonly unknown[],
): Promise<readonly AwaitingFile[]> {
  const rows = await database.query<AwaitingRow>(statement, [book.id, ...values]);
  const ids = rows.map(({ id }) => id);
  const decisions = await readDecisions(database, { bookId: book.id, kind: 'file', ids });
  return rows.map((row): AwaitingFile => {
    const subject = { id: row.id, round: row.round };
    return {
      kind: 'file',
      ...subject,
      contentHash: row.content_hash,
      requirements: row.approvals_needed ?? ONE_PERSON,
      makerIds: row.maker_ids,
      isScreened: false,
      decisions: decisions.get(decisionsKey(subject)) ?? [],
      isAwaiting: row.state === 'awaiting_approval',
      expiresAt: row.approval_expires_at,
      createdAt: row.submitted_at,
      policyVersion: row.policy_version,
      maker: makerOf(row),
      shown: { ...renderFileFacts(toFileFacts(row), row.state), ...leftOf(row) },
    };
  });
}

function leftOf({ rows_left, left_minor }: AwaitingRow): FileLeft {
  return { rowsLeft: rows_left, amountLeft: left_minor === null ? null : formatMinor(left_minor) };
}

function makerOf(row: AwaitingRow): Awaiting['maker'] {
  const name = row.submitted_by_name;
  if (row.submitted_by !== null) return { kind: 'person', id: row.submitted_by, name };
  if (row.submitted_by_key !== null) return { kind: 'key', id: row.submitted_by_key, name };
  return { kind: 'system', id: null, name };
}

type AwaitingRow = FileFactsRow & {
  state: string;
  /** The number of the event by which it came to wait: a file that waits once more is decided about anew. */
  round: number;
  approvals_needed: readonly ApprovalRequirement[] | null;
  approval_expires_at: Date | null;
  policy_version: number | null;
  submitted_by: string | null;
  submitted_by_key: string | null;
  submitted_by_name: string;
  maker_ids: readonly string[];
  rows_left: number | null;
  left_minor: bigint | null;
};

const SELECT = `
  select ${FILE_FACTS}, f.state, coalesce(w.round, f.event_seq) as round, f.approvals_needed, f.approval_expires_at, f.policy_version,
         f.submitted_by, f.submitted_by_key, f.submitted_by_name,
         people_behind(f.book_id, f.makers) as maker_ids,
         case when f.state = 'awaiting_approval' then
           case when f.paying_up_to = 0 then f.rows_total - f.rows_dropped else l.rows end
         end as rows_left,
         case when f.state = 'awaiting_approval' then
           case when f.paying_up_to = 0 then f.sum_minor else l.sum_minor end
         end as left_minor
  from payout_files f
  left join lateral (
    select max(e.seq) as round from events e
    where e.book_id = f.book_id and e.subject_id = f.id and e.to_state = 'awaiting_approval'
      and e.from_state is distinct from 'awaiting_approval'
  ) w on true
  -- Counted only where some were taken: most files wait before any is. What is queued waits with its file.
  left join lateral (
    select count(*)::integer as rows, coalesce(sum(r.amount_minor), 0)::bigint as sum_minor
    from payout_file_rows r
    left join transfers t
      on r.state = 'created' and r.ended_at is null and t.book_id = r.book_id and t.id = r.transfer_id
    where f.state = 'awaiting_approval' and f.paying_up_to > 0
      and r.book_id = f.book_id and r.file_id = f.id and (r.state = 'waiting' or t.state = 'queued')
  ) l on true
  where f.book_id = $1 and f.submitted_at is not null`;

const LIST: Statement = {
  name: 'list-awaiting-files',
  text: `
    ${SELECT} and f.state = 'awaiting_approval' and ($2::uuid is null or f.id > $2)
    order by f.id
    limit $3`,
};

const FIND: Statement = {
  name: 'find-awaiting-files',
  text: `${SELECT} and f.id = any ($2::uuid[])`,
};

const LOCK: Statement = {
  name: '',
  text: `
    select coalesce(approval_expires_at <= now(), false) as is_expired from payout_files
    where book_id = $1 and id = $2
    for no key update`,
};

const APPROVE: Statement = {
  name: '',
  // By the database's clock: a process whose clock is ahead must pay nothing early.
  text: `
    update payout_files set is_approved = true where book_id = $1 and id = $2
    returning pay_at, coalesce(pay_at <= now(), true) as is_due`,
};
