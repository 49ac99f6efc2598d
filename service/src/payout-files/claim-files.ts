import { ofOpenMerchant } from '../cells/move/moving-merchant.ts';
import { APPROVAL_EXPIRES_AFTER_DEFAULT_MS } from '../domain/policy/policy.ts';
import { FILE_PAUSE_MAX_MS, SEND_LATE_WITHIN_DEFAULT_MS } from '../domain/send-at.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import {
  SUBMITTED_COLUMNS,
  type SubmittedFile,
  type SubmittedFileRow,
  toSubmittedFile,
} from './submitted-file.ts';

/**
 * A process that dies delays a file by this much. A lease only saves two processes the same work: a row's reference
 * follows from file and row, so that both together still make one transfer of it.
 */
const FILE_LEASE_MS = 10_000;

export type ClaimedFile = Readonly<{
  file: SubmittedFile;
  /**
   * Its time passed longer ago than the policy of its book allows, by the database's clock; of one that was being
   * paid: no rows were taken for longer than that.
   */
  isLate: boolean;
  /** How long it then waits for a person. */
  expiresAfterMs: number;
  /** Time since rows of it were last taken, or paying began. */
  sinceBatchMs: number;
  /** Time since it was done or cancelled; 0 if it is neither. */
  sinceEndMs: number;
}>;

/** Leases submitted files for which something is due, the longest wait first. */
export async function claimFiles(
  database: Queryable,
  claim: Readonly<{ leaseOwner: string; max: number }>,
): Promise<readonly ClaimedFile[]> {
  const rows = await database.query<ClaimRow>(CLAIM, [
    claim.leaseOwner,
    claim.max,
    FILE_LEASE_MS,
    SEND_LATE_WITHIN_DEFAULT_MS,
    APPROVAL_EXPIRES_AFTER_DEFAULT_MS,
    FILE_PAUSE_MAX_MS,
  ]);
  return rows.map((row) => ({
    file: toSubmittedFile(row),
    isLate: row.is_late,
    expiresAfterMs: row.expires_after_ms,
    sinceBatchMs: row.since_batch_ms,
    sinceEndMs: row.since_end_ms,
  }));
}

type ClaimRow = SubmittedFileRow & {
  is_late: boolean;
  expires_after_ms: number;
  since_batch_ms: number;
  since_end_ms: number;
};

/** Ends the lease and says when the file is due again; null: never. Does nothing if another process has it since. */
export async function releaseFile(
  database: Queryable,
  release: Readonly<{ file: SubmittedFile; leaseOwner: string; dueInMs: number | null }>,
): Promise<void> {
  const { file, leaseOwner, dueInMs } = release;
  await database.query(RELEASE, [file.book.id, file.id, leaseOwner, dueInMs]);
}

const LATE_WITHIN = `coalesce(b.send_late_within_ms, $4::bigint)::double precision * interval '1 ms'`;

// What a suspended merchant would pay waits, and so does what has a time, whenever it is looked at.
const CLAIM: Statement = {
  name: 'claim-files',
  text: `
    with due as (
      select f.book_id, f.id
      from payout_files f
      join books b on b.id = f.book_id
      where f.next_action_at <= now()
        and (f.state in ('awaiting_approval', 'done', 'cancelled')
          or (b.suspended_at is null and (f.state = 'paying' or (f.state = 'scheduled' and f.pay_at <= now()))))
        and f.submitted_at is not null and ${ofOpenMerchant('f.book_id')}
      order by f.next_action_at
      limit $2
      for update of f skip locked
    )
    update payout_files f
    set lease_owner = $1, next_action_at = now() + $3::integer * interval '1 ms'
    from due d join books b on b.id = d.book_id
    where f.book_id = d.book_id and f.id = d.id
    returning ${SUBMITTED_COLUMNS},
      coalesce(case
        when f.state = 'scheduled' then now() - f.pay_at > ${LATE_WITHIN}
        when f.state in ('paying', 'cancelled')
          then now() - f.taken_at > greatest(${LATE_WITHIN}, $6::integer * interval '1 ms')
      end, false) as is_late,
      coalesce(b.approval_expires_after_ms, $5::bigint)::double precision as expires_after_ms,
      coalesce(1000 * extract(epoch from now() - f.taken_at), 0)::double precision as since_batch_ms,
      coalesce(1000 * extract(epoch from now() - f.ended_at), 0)::double precision as since_end_ms`,
};

const RELEASE: Statement = {
  name: 'release-file',
  text: `
    update payout_files
    set lease_owner = null, next_action_at = now() + $4::integer * interval '1 ms'
    where book_id = $1 and id = $2 and lease_owner = $3`,
};

/** Ends the leases of processes that died. Call it only when no other process is running. */
export async function expireFileLeases(database: Queryable): Promise<void> {
  await database.query(EXPIRE);
}

const EXPIRE: Statement = {
  name: '',
  text: `
    update payout_files set next_action_at = now(), lease_owner = null
    where next_action_at > now() and lease_owner is not null and ${ofOpenMerchant('book_id')}`,
};
