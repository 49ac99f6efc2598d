import type { HeldBackReason } from '../../domain/held-back.ts';
import { APPROVAL_EXPIRES_AFTER_DEFAULT_MS } from '../../domain/policy/policy.ts';
import { SEND_LATE_WITHIN_DEFAULT_MS } from '../../domain/send-at.ts';
import { type Mode, NO_ROUTE, type Transfer } from '../../domain/transfer.ts';
import { deniedRecipientSql } from '../../lists/read-numbers.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';
import { TO_INQUIRE, TO_QUEUE, TO_SUBMIT } from '../read/due-states.ts';
import { findMayBePaid } from '../read/find-may-be-paid.ts';
import { TRANSFER_COLUMNS, type TransferRow, toTransfer } from '../read/transfer-row.ts';
import { IS_HELD_WITH_FILE } from './held-with-file.ts';
import { LEASE_MS } from './lease.ts';
import { isPaidElsewhere } from './paid-elsewhere.ts';

/**
 * How many books one claim reads, and how many transfers of one book it takes. Larger claims work off a backlog
 * somewhat faster, but other books wait longer behind each.
 */
const BOOKS_PER_CLAIM_MAX = 200;
const PER_BOOK_MAX = 100;
/** A payroll is due at one moment. To queue is cheap, and the queue itself is fair. */
const SCHEDULED_PER_BOOK_MAX = 500;
const FIRST_BOOK = '00000000-0000-0000-0000-000000000000';

export type Claim = Readonly<{
  transfers: readonly Transfer[];
  /** By transfer id: why a person must look at it before it is sent. Only of submissions. */
  heldBack: ReadonlyMap<string, HeldBack>;
  /** Where the next claim resumes; FIRST_BOOK after the last book, so that books take turns. */
  nextBook: string;
}>;

export type HeldBack = Readonly<{
  why: HeldBackReason;
  /** How long it waits for a person. */
  expiresAfterMs: number;
}>;

export function firstBook(): string {
  return FIRST_BOOK;
}

/** What a transfer of a route waits for: its submission or an inquiry. */
export type Due = 'submission' | 'inquiry';

/**
 * Takes the lease of one route's transfers whose next action is due: queued ones, or ones due for an inquiry and ones
 * whose process let its lease end. It takes few at a time, book by book, so that one book's backlog does not delay
 * another book. Rows that another process is claiming are skipped.
 */
export async function claimDue(
  database: Queryable,
  claim: Readonly<{
    route: string;
    due: Due;
    leaseOwner: string;
    afterBook: string;
    max: number;
    /** The route that sends what is claimed. It is another one while this one is shut. */
    sentBy?: string;
  }>,
): Promise<Claim> {
  const { route, due, sentBy = route } = claim;
  const rows = await database.query<ClaimRow>(CLAIMS[due], [
    claim.leaseOwner,
    claim.afterBook,
    BOOKS_PER_CLAIM_MAX,
    Math.min(PER_BOOK_MAX, claim.max),
    claim.max,
    LEASE_MS,
    route,
    ...(due === 'submission' ? [sentBy, SEND_LATE_WITHIN_DEFAULT_MS] : []),
  ]);
  const claimed = toClaimed(rows);
  const transfers = claimed.map(({ transfer }) => transfer);
  const heldBack = due === 'submission' ? await findHeldBack(database, claimed) : NOT_HELD_BACK;
  return { transfers, heldBack, nextBook: whereToGoOn(rows[0], transfers, claim.max) };
}

export type ScheduledClaim = Readonly<{
  /** Why it waits for a person; undefined: it is queued. */
  due: readonly Readonly<{ transfer: Transfer; heldBack: HeldBack | undefined }>[];
  nextBook: string;
}>;

/** Takes the lease of scheduled transfers whose time has come, book by book. */
export async function claimScheduled(
  database: Queryable,
  claim: Readonly<{ leaseOwner: string; leaseMs: number; afterBook: string; max: number }>,
): Promise<ScheduledClaim> {
  const rows = await database.query<ClaimRow>(CLAIM_SCHEDULED, [
    claim.leaseOwner,
    claim.afterBook,
    BOOKS_PER_CLAIM_MAX,
    SCHEDULED_PER_BOOK_MAX,
    claim.max,
    claim.leaseMs,
    NO_ROUTE,
    SEND_LATE_WITHIN_DEFAULT_MS,
  ]);
  const claimed = toClaimed(rows);
  const heldBack = await findHeldBack(database, claimed);
  const transfers = claimed.map(({ transfer }) => transfer);
  const due = transfers.map((transfer) => ({ transfer, heldBack: heldBack.get(transfer.id) }));
  return { due, nextBook: whereToGoOn(rows[0], transfers, claim.max) };
}

function whereToGoOn(
  walk: ClaimRow | undefined,
  transfers: readonly Transfer[],
  max: number,
): string {
  if (transfers.length >= max) {
    // The claim was full before all books were read: resume at the last book that got anything.
    return transfers.map(({ bookId }) => bookId).reduce((a, b) => (a > b ? a : b), FIRST_BOOK);
  }
  const complete = walk === undefined || walk.books_seen < BOOKS_PER_CLAIM_MAX;
  return complete ? FIRST_BOOK : (walk.last_book ?? FIRST_BOOK);
}

type ClaimRow = TransferRow & {
  id: string | null;
  mode: Mode;
  books_seen: number;
  last_book: string | null;
  is_denied?: boolean;
  is_late?: boolean | null;
  approval_expires_after_ms?: bigint | null;
};

const NOT_HELD_BACK: ReadonlyMap<string, HeldBack> = new Map();

type Claimed = Readonly<{ row: ClaimRow; transfer: Transfer }>;

function toClaimed(rows: readonly ClaimRow[]): readonly Claimed[] {
  return rows.flatMap((row) =>
    row.id === null ? [] : [{ row, transfer: toTransfer(row, row.mode) }],
  );
}

/**
 * Why a person must review what was claimed before it is sent, by transfer id. A transfer that pays an earlier one again
 * was checked when it was accepted. The operator may have reported the earlier one as paid since, while this one waited
 * for approval, for a screener, for its time or in the queue, so it is checked again here. A claim of ordinary transfers
 * does not run that statement.
 */
async function findHeldBack(
  database: Queryable,
  claimed: readonly Claimed[],
): Promise<ReadonlyMap<string, HeldBack>> {
  const transfers = claimed.map(({ transfer }) => transfer);
  const paidAgain = await findMayBePaid(database, transfers);
  return new Map(
    claimed.flatMap(({ row, transfer }) => {
      const held = heldBackOf(row, paidAgain.has(transfer));
      return held === undefined ? [] : [[transfer.id, held]];
    }),
  );
}

function heldBackOf(row: ClaimRow, isPaidAgain: boolean): HeldBack | undefined {
  const { is_denied: isDenied, is_late: isLate, approval_expires_after_ms: ms } = row;
  const expiresAfterMs = Number(ms ?? APPROVAL_EXPIRES_AFTER_DEFAULT_MS);
  if (isDenied === true) return { why: 'RECIPIENT_DENIED', expiresAfterMs };
  if (isPaidAgain) return { why: 'EARLIER_MAY_BE_PAID', expiresAfterMs };
  return isLate === true ? { why: 'SEND_TIME_MISSED', expiresAfterMs } : undefined;
}

/** Ends the leases of processes that died. Call it only when no other process is running. */
export async function expireLeases(database: Queryable): Promise<void> {
  await database.query(EXPIRE);
}

const IS_NOT_SUSPENDED =
  'exists (select from books k where k.id = b.book_id and k.suspended_at is null)';

/** A book without controls has no list, and nothing is looked up for it. */
const IS_DENIED = `b.controls_version is not null and ${deniedRecipientSql('c')}`;

/**
 * Late by the database's clock, whether it waited for its time or in the queue. What a person approved since is not late,
 * or it would wait for approval again without end. Such an approval holds for a day at least, because a queue may be
 * longer than a short `sendLateWithin`. Approvals are looked up only for what is late.
 */
function isLate(defaultMs: string): string {
  const withinMs = `coalesce(b.send_late_within_ms, ${defaultMs}::bigint)`;
  const ago = (ms: string) => `now() - (${ms})::double precision * interval '1 ms'`;
  return `c.send_at < ${ago(withinMs)} and (
        select a.round from approvals a
        where a.book_id = c.book_id and a.subject_kind = 'transfer' and a.subject_id = c.id
          and a.decision = 'approve' and a.decided_at > c.send_at
          and a.decided_at >= ${ago(`greatest(${withinMs}, ${defaultMs}::bigint)`)}
        limit 1
      ) is null`;
}

function heldBackColumns(lateWithinDefaultMs: string): string {
  return `, b.approval_expires_after_ms,
      ${IS_DENIED} as is_denied,
      ${isLate(lateWithinDefaultMs)} as is_late`;
}

const CLAIMS: Readonly<Record<Due, Statement>> = {
  // Queued transfers of a suspended merchant wait.
  submission: claimStatement('claim-due-submissions', {
    condition: TO_SUBMIT,
    isOpen: IS_NOT_SUSPENDED,
    isHeldBack: `(${isPaidElsewhere('$8')} or ${IS_HELD_WITH_FILE})`,
    also: heldBackColumns('$9'),
  }),
  inquiry: claimStatement('claim-due-inquiries', {
    condition: TO_INQUIRE,
    isOpen: 'true',
  }),
};

const CLAIM_SCHEDULED = claimStatement('claim-scheduled', {
  condition: TO_QUEUE,
  isOpen: IS_NOT_SUSPENDED,
  also: heldBackColumns('$8'),
});

// `walk` goes through the partial index from book to book, one probe each, however many rows a book has. The probe finds
// the time of the book's next action too: a book whose time has not come costs nothing more.
function claimStatement(
  name: string,
  {
    condition,
    isOpen,
    isHeldBack = 'false',
    also = '',
  }: Readonly<{ condition: string; isOpen: string; isHeldBack?: string; also?: string }>,
): Statement {
  const due = `t.route = $7 and ${condition}`;
  return {
    name,
    text: `
    with recursive walk as (
      (
        select t.book_id, t.next_action_at from transfers t
        where ${due} and t.book_id > $2::uuid
        order by t.book_id, t.next_action_at limit 1
      )
      union all
      select n.book_id, n.next_action_at
      from walk w
      cross join lateral (
        select t.book_id, t.next_action_at from transfers t
        where ${due} and t.book_id > w.book_id
        order by t.book_id, t.next_action_at limit 1
      ) n
    ),
    books_due as materialized (
      select book_id, next_action_at from walk limit $3
    ),
    due as (
      select d.book_id, d.id
      -- In the order of the walk, which the next claim continues: any other order would pass over books for ever.
      from (
        select b.book_id from books_due b
        where b.next_action_at <= now() and ${isOpen}
        order by b.book_id
      ) b
      cross join lateral (
        select t.book_id, t.id
        from transfers t
        where ${due} and t.book_id = b.book_id and t.next_action_at <= now() and not ${isHeldBack}
        order by t.next_action_at
        limit $4
        for update skip locked
      ) d
      limit $5
    ),
    claimed as (
      update transfers t
      set lease_owner = $1, next_action_at = now() + $6::integer * interval '1 ms'
      from due d
      where t.book_id = d.book_id and t.id = d.id
      returning ${TRANSFER_COLUMNS}
    )
    select s.books_seen, s.last_book, c.*, b.mode${also}
    from (
      select count(*)::integer as books_seen, max(book_id::text) as last_book from books_due
    ) s
    left join claimed c on true
    left join books b on b.id = c.book_id`,
  };
}

// Found by the two partial indexes: a start must not read every finished transfer.
const EXPIRE: Statement = {
  name: '',
  text: `
    update transfers t set next_action_at = now()
    from (
      select t.book_id, t.id from transfers t
      where ${TO_SUBMIT} and t.next_action_at > now() and t.lease_owner is not null
      union all
      select t.book_id, t.id from transfers t
      where ${TO_INQUIRE} and t.next_action_at > now() and t.lease_owner is not null
    ) leased
    where t.book_id = leased.book_id and t.id = leased.id
      and t.lease_owner is not null and t.next_action_at > now()`,
};
