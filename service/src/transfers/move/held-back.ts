import type { HeldBackReason } from '../../domain/held-back.ts';
import { APPROVAL_EXPIRES_AFTER_DEFAULT_MS } from '../../domain/policy/policy.ts';
import { SEND_LATE_WITHIN_DEFAULT_MS } from '../../domain/send-at.ts';
import { deniedRecipientSql } from '../../lists/read-numbers.ts';
import type { Queryable } from '../../postgres/database.ts';
import { findMayBePaid } from '../read/find-may-be-paid.ts';
import type { Claimed, ClaimRow } from './claim-walk.ts';

export type HeldBack = Readonly<{
  why: HeldBackReason;
  /** How long it waits for a person. */
  expiresAfterMs: number;
}>;

export type JudgedRow = ClaimRow & {
  is_denied: boolean;
  is_late: boolean | null;
  approval_expires_after_ms: bigint | null;
};

/**
 * Why a person must review what was claimed before it is sent, by transfer id. A transfer that pays an earlier one again
 * was checked when it was accepted. The operator may have reported the earlier one as paid since, while this one waited
 * for approval, for a screener, for its time or in the queue, so it is checked again here. A claim of ordinary transfers
 * does not run that statement.
 */
export async function findHeldBack(
  database: Queryable,
  claimed: readonly Claimed<JudgedRow>[],
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

function heldBackOf(row: JudgedRow, isPaidAgain: boolean): HeldBack | undefined {
  const { is_denied: isDenied, is_late: isLate, approval_expires_after_ms: ms } = row;
  const expiresAfterMs = Number(ms ?? APPROVAL_EXPIRES_AFTER_DEFAULT_MS);
  if (isDenied) return { why: 'RECIPIENT_DENIED', expiresAfterMs };
  if (isPaidAgain) return { why: 'EARLIER_MAY_BE_PAID', expiresAfterMs };
  return isLate === true ? { why: 'SEND_TIME_MISSED', expiresAfterMs } : undefined;
}

/** What `JUDGED` reads of `transfers t`. */
export const JUDGED_COLUMNS = ', t.phone, t.send_at';

/** Columns of `JUDGED`, as what was claimed returns them. */
export const JUDGEMENT = ', d.is_denied, d.is_late, d.approval_expires_after_ms';

/** The CTE `judged`: what is due, and what a person would have to know before it is sent. */
export const JUDGED = `
    judged as materialized (
      select c.*, b.approval_expires_after_ms, ${isDenied()} as is_denied, ${isLate()} as is_late
      from due c
      join books b on b.id = c.book_id
    ),`;

/** A book without controls has no list, and nothing is looked up for it. */
function isDenied(): string {
  return `b.controls_version is not null and ${deniedRecipientSql('c')}`;
}

/**
 * Late by the database's clock, whether it waited for its time or in the queue. What a person approved since is not late,
 * or it would wait for approval again without end. Such an approval holds for a day at least, because a queue may be
 * longer than a short `sendLateWithin`. Approvals are looked up only for what is late.
 */
function isLate(): string {
  const withinMs = `coalesce(b.send_late_within_ms, ${SEND_LATE_WITHIN_DEFAULT_MS})`;
  const ago = (ms: string) => `now() - (${ms})::double precision * interval '1 ms'`;
  return `c.send_at < ${ago(withinMs)} and (
        select a.round from approvals a
        where a.book_id = c.book_id and a.subject_kind = 'transfer' and a.subject_id = c.id
          and a.decision = 'approve' and a.decided_at > c.send_at
          and a.decided_at >= ${ago(`greatest(${withinMs}, ${SEND_LATE_WITHIN_DEFAULT_MS})`)}
        limit 1
      ) is null`;
}
