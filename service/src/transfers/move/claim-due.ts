import { NO_ROUTE, type Transfer } from '../../domain/transfer.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';
import { TO_INQUIRE, TO_QUEUE, TO_SUBMIT } from '../read/due-states.ts';
import {
  type ClaimOfRoute,
  type ClaimRow,
  claimStatement,
  toClaimed,
  walkValues,
  whereToGoOn,
} from './claim-walk.ts';
import {
  findHeldBack,
  type HeldBack,
  JUDGED,
  JUDGED_COLUMNS,
  JUDGEMENT,
  type JudgedRow,
} from './held-back.ts';
import { LEASE_MS } from './lease.ts';

/** A payroll is due at one moment. To queue is cheap, and the queue itself is fair. */
const SCHEDULED_PER_BOOK_MAX = 500;

export type InquiryClaim = Readonly<{
  transfers: readonly Transfer[];
  /** Where the next claim resumes, so that books take turns. */
  nextBook: string;
}>;

/**
 * Takes the lease of one route's transfers that are due for an inquiry, and of those whose process let its lease end. It
 * takes few at a time, book by book, so that one book's backlog does not delay another book.
 */
export async function claimInquiries(
  database: Queryable,
  claim: ClaimOfRoute,
): Promise<InquiryClaim> {
  const values = walkValues(claim, { leaseMs: LEASE_MS });
  const rows = await database.query<ClaimRow>(CLAIM_INQUIRIES, values);
  const transfers = toClaimed(rows).map(({ transfer }) => transfer);
  return { transfers, nextBook: whereToGoOn(rows, claim.max) };
}

export type ScheduledClaim = Readonly<{
  /** Why it waits for a person; undefined: it is queued. */
  due: readonly Readonly<{ transfer: Transfer; heldBack: HeldBack | undefined }>[];
  nextBook: string;
}>;

/** Takes the lease of scheduled transfers whose time has come, book by book. */
export async function claimScheduled(
  database: Queryable,
  { leaseMs, ...claim }: Omit<ClaimOfRoute, 'route'> & Readonly<{ leaseMs: number }>,
): Promise<ScheduledClaim> {
  const lease = { leaseMs, perBookMax: SCHEDULED_PER_BOOK_MAX };
  const values = walkValues({ ...claim, route: NO_ROUTE }, lease);
  const rows = await database.query<JudgedRow>(CLAIM_SCHEDULED, values);
  const claimed = toClaimed(rows);
  const heldBack = await findHeldBack(database, claimed);
  const due = claimed.map(({ transfer }) => {
    return { transfer, heldBack: heldBack.get(transfer.id) };
  });
  return { due, nextBook: whereToGoOn(rows, claim.max) };
}

/** Ends the leases of processes that died. Call it only when no other process is running. */
export async function expireLeases(database: Queryable): Promise<void> {
  await database.query(EXPIRE);
}

/** Queued and scheduled transfers of a suspended merchant wait. */
export const IS_NOT_SUSPENDED =
  'exists (select from books k where k.id = b.book_id and k.suspended_at is null)';

const CLAIM_INQUIRIES = claimStatement('claim-due-inquiries', { condition: TO_INQUIRE });

const CLAIM_SCHEDULED = claimStatement('claim-scheduled', {
  condition: TO_QUEUE,
  isOpen: IS_NOT_SUSPENDED,
  judging: { columns: JUDGED_COLUMNS, ctes: JUDGED, from: 'judged', returning: JUDGEMENT },
});

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
