import { actorCode } from '../../domain/actor.ts';
import { causeOf } from '../../domain/cause.ts';
import type { Mode } from '../../domain/transfer.ts';
import { recordEvents } from '../../events/record-events.ts';
import type { Database, Queryable, Statement } from '../../postgres/database.ts';
import type { Approver, SubjectKind } from '../approval.ts';
import type { BookOfSubjects, TellingSource } from '../approval-source.ts';
import { judgeApprovals } from '../judge-approvals.ts';
import { readApprovers } from '../read-approvers.ts';
import { listWaiting } from './find-waiting.ts';

/** How many transfers one transaction looks at: people who approve wait for no longer than that takes. */
const LOOKED_AT_MAX = 500;

export type FlagDeps = Readonly<{
  database: Database;
  now: () => Date;
  /** What else waits beside transfers. */
  otherSources: readonly TellingSource[];
}>;

/** What a look at one part of a book found; null: no book waits for a look. */
export type ApprovalCheck = Readonly<{
  book: BookOfSubjects;
  flagged: number;
  /** What has all its approvals. The look goes on only when each of these was tried. */
  approved: readonly Approved[];
  isDone: boolean;
}> | null;

type Approved = Readonly<{ kind: SubjectKind; id: string }>;

/**
 * Looks at a part of what waits in one book whose people changed, and flags what the people who are left cannot approve:
 * once, with an event. What can be approved again is no longer flagged. A process that dies leaves the book to the next.
 *
 * `tried`: ids that the caller tried to release, also if they could not be.
 */
export async function flagImpossible(
  { database, now, otherSources }: FlagDeps,
  tried: ReadonlySet<string>,
): Promise<ApprovalCheck> {
  return database.transaction(async (tx) => {
    await tx.query(ADD_MISSING);
    const [check] = await tx.query<CheckRow>(TAKE);
    if (check === undefined) return null;
    const book = { id: check.book_id, merchantId: check.merchant_id, mode: check.mode };
    const approvers = await readApprovers(tx, book);
    const page = { after: check.after, limit: LOOKED_AT_MAX };
    const waiting = await listWaiting(tx, book, page);
    const judged = waiting.map(({ subject: { kind, id, round }, subject }) => {
      const { impossible, isEnough } = judgeApprovals(subject, approvers);
      return { kind, id, round, impossible, isEnough };
    });
    const impossible = judged.filter((one) => one.impossible);
    const flagged = await flag(tx, { bookId: book.id, impossible, at: now() });
    const possible = judged.filter((one) => !one.impossible).map(({ id }) => id);
    await tx.query(UNFLAG, [book.id, possible]);
    const enough: Approved[] = judged.filter(({ isEnough }) => isEnough);
    const isLast = waiting.length < LOOKED_AT_MAX;
    if (isLast) {
      for (const source of otherSources)
        enough.push(...(await flagOthers(tx, source, { book, approvers, at: now() })));
      await tx.query(UNFLAG_OTHERS, [book.id]);
    }
    const approved = enough
      .filter(({ id }) => !tried.has(id))
      .map(({ kind, id }) => ({ kind, id }));
    if (approved.length > 0) return { book, flagged, approved, isDone: false };
    if (isLast) await tx.query(END_CHECK, [book.id, check.number]);
    else await tx.query(GO_ON, [book.id, check.number, waiting.at(-1)?.subject.id]);
    return { book, flagged, approved, isDone: isLast };
  });
}

async function flag(
  tx: Queryable,
  {
    bookId,
    impossible,
    at,
  }: Readonly<{
    bookId: string;
    impossible: readonly Readonly<{ id: string; round: number }>[];
    at: Date;
  }>,
): Promise<number> {
  if (impossible.length === 0) return 0;
  const rows = await tx.query(FLAG, [
    bookId,
    impossible.map(({ id }) => id),
    impossible.map(({ round }) => round),
    at,
    causeOf('APPROVAL_IMPOSSIBLE'),
    actorCode({ kind: 'system', part: 'approvals' }),
  ]);
  return rows.length;
}

/** More of them than wait in any book: a file has thousands of payouts. */
const OTHERS_MAX = 1_000;

/** Returns the subjects that have all their approvals. */
async function flagOthers(
  tx: Queryable,
  source: TellingSource,
  {
    book,
    approvers,
    at,
  }: Readonly<{ book: BookOfSubjects; approvers: readonly Approver[]; at: Date }>,
): Promise<readonly Approved[]> {
  const waiting = await source.list(tx, book, { after: null, limit: OTHERS_MAX });
  const impossible = waiting.filter((one) => judgeApprovals(one, approvers).impossible);
  const ids = impossible.map(({ id }) => id);
  const rounds = impossible.map(({ round }) => round);
  await tx.query(UNFLAG_ALL_BUT, [book.id, source.kind, ids]);
  const values = [book.id, source.kind, ids, rounds, at];
  const flagged = await tx.query<{ subject_id: string }>(FLAG_OTHERS, values);
  const told = flagged.map(({ subject_id: id }) => id);
  if (told.length > 0) await source.tellImpossible(tx, { bookId: book.id, ids: told, at });
  return waiting.filter((one) => judgeApprovals(one, approvers).isEnough);
}

/** Requests a check of a book in which something waits that was not checked for whether people can approve it. */
export async function requestApprovalCheck(database: Queryable, bookId: string): Promise<void> {
  await database.query(ASK, [bookId]);
}

type CheckRow = {
  book_id: string;
  merchant_id: string;
  mode: Mode;
  number: bigint;
  after: string | null;
};

// So that there is a row to lock. A merchant that was moved here brings its own.
const ADD_MISSING: Statement = {
  name: 'add-approval-checks',
  text: `
    insert into approval_checks_done (book_id)
    select c.book_id from approval_checks c
    join books b on b.id = c.book_id
    join merchants m on m.id = b.merchant_id and m.state = 'open'
    where not exists (select from approval_checks_done d where d.book_id = c.book_id)
    order by c.book_id
    on conflict do nothing`,
};

// In any order: one whose look fails must not keep others from theirs. What the directory counted, or the cell asked for,
// since a look began has it begin again.
const TAKE: Statement = {
  name: 'take-approval-check',
  text: `
    select d.book_id, b.merchant_id, b.mode, coalesce(c.number, 0) as number,
           case when d.number = coalesce(c.number, 0) and d.asked_at is null then d.after end as after
    from approval_checks_done d
    join books b on b.id = d.book_id
    join merchants m on m.id = b.merchant_id and m.state = 'open'
    left join approval_checks c on c.book_id = d.book_id
    where c.number > d.number or d.after is not null or d.asked_at is not null
    order by random()
    limit 1
    for update of d skip locked`,
};

const FLAG: Statement = {
  name: '',
  text: `
    with numbered as (
      update transfers t set event_seq = t.event_seq + 1
      from unnest($2::uuid[], $3::integer[]) as i (id, round)
      where t.book_id = $1 and t.id = i.id and t.state = 'awaiting_approval'
        and not exists (
          select from impossible_approvals f
          where f.book_id = $1 and f.subject_kind = 'transfer' and f.subject_id = i.id and f.round = i.round
        )
      returning t.book_id, t.id, t.event_seq, i.round
    ),
    flagged as (
      insert into impossible_approvals (book_id, subject_kind, subject_id, round, since)
      select book_id, 'transfer', id, round, $4 from numbered
    ),
    ${recordEvents(`
      select n.book_id, n.id, n.event_seq, 'transfer.approval_impossible', 'awaiting_approval',
             'awaiting_approval', $5, $6, $4, true
      from numbered n`)}
    select id from numbered`,
};

const UNFLAG: Statement = {
  name: '',
  text: `
    delete from impossible_approvals
    where book_id = $1 and subject_kind = 'transfer' and subject_id = any ($2::uuid[])`,
};

const UNFLAG_ALL_BUT: Statement = {
  name: '',
  text: `
    delete from impossible_approvals
    where book_id = $1 and subject_kind = $2 and subject_id <> all ($3::uuid[])`,
};

const FLAG_OTHERS: Statement = {
  name: '',
  text: `
    insert into impossible_approvals (book_id, subject_kind, subject_id, round, since)
    select $1, $2, i.id, i.round, $5 from unnest($3::uuid[], $4::integer[]) as i (id, round)
    on conflict do nothing
    returning subject_id`,
};

/** What no longer waits. */
const UNFLAG_OTHERS: Statement = {
  name: '',
  text: `
    delete from impossible_approvals f
    where f.book_id = $1 and f.subject_kind = 'transfer' and not exists (
      select from transfers t
      where t.book_id = f.book_id and t.id = f.subject_id and t.state = 'awaiting_approval'
    )`,
};

const END_CHECK: Statement = {
  name: '',
  text: `
    update approval_checks_done set number = $2, after = null, asked_at = null
    where book_id = $1`,
};

const GO_ON: Statement = {
  name: '',
  text: `
    update approval_checks_done set number = $2, after = $3, asked_at = null
    where book_id = $1`,
};

const ASK: Statement = {
  name: 'ask-for-approval-check',
  text: `
    insert into approval_checks_done (book_id, asked_at) values ($1, now())
    on conflict (book_id) do update set after = null, asked_at = excluded.asked_at`,
};
