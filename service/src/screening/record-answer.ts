import type { Approver } from '../approvals/approval.ts';
import { judgeApprovals } from '../approvals/judge-approvals.ts';
import { lockApprovers, readApprovers } from '../approvals/read-approvers.ts';
import { lockWaiting } from '../approvals/transfers/find-waiting.ts';
import { requestApprovalCheck } from '../approvals/transfers/flag-impossible.ts';
import { endWaiting, leaveWaiting } from '../approvals/transfers/leave-waiting.ts';
import { actorCode } from '../domain/actor.ts';
import { findListed } from '../lists/read-numbers.ts';
import type { Routes } from '../operators/routes/route.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';
import { type Move, moveTransfers } from '../transfers/move/move-transfers.ts';
import type { ClaimedScreening } from './claim-screenings.ts';
import type { ScreenerAnswer, ScreeningResult } from './read-decision.ts';

export type RecordScreeningDeps = Readonly<{
  database: Database;
  directory: Queryable;
  routes: Routes;
  leaseOwner: string;
  now: () => Date;
}>;

/** One question that was asked, or that could not be. */
export type SentScreening = Readonly<{
  claimed: ClaimedScreening;
  at: Date;
  elapsedMs: number;
  answer: ScreenerAnswer;
  result: ScreeningResult;
}>;

/** leaseLost: another process has the question by now, and nothing was recorded. */
export type RecordedScreening = ScreeningResult['decision'] | 'leaseLost';

/**
 * Records an answer and moves its transfer, in one transaction: an answer that a process dies with was never given, and
 * the question is asked again. Only the process that has the question records one, so two processes may ask, and there is
 * one outcome. Locks are taken in the one order: roles, wallet, transfer, question.
 */
export async function recordAnswer(
  deps: RecordScreeningDeps,
  asked: SentScreening,
): Promise<RecordedScreening> {
  if (asked.result.decision === 'refuse') {
    return deps.database.transaction((tx) => recordRefusal(tx, deps, asked));
  }
  try {
    return await deps.database.transaction((tx) => recordOther(tx, deps, asked, undefined));
  } catch (error) {
    if (!(error instanceof ApprovalsCount)) throw error;
    const { bookId, merchantId } = asked.claimed;
    const inDirectory = await readApprovers(deps.directory, { id: bookId, merchantId });
    return deps.database.transaction((tx) => recordOther(tx, deps, asked, inDirectory));
  }
}

/** The answer would send what people approved. Only then the directory is asked whether these people count. */
class ApprovalsCount extends Error {}

async function recordRefusal(
  tx: Queryable,
  deps: RecordScreeningDeps,
  asked: SentScreening,
): Promise<RecordedScreening> {
  const { bookId, transferId, rule, transfer: seen } = asked.claimed;
  await tx.query(LOCK_WALLET, [bookId, seen.walletId]);
  const found = await lockWaiting(tx, { id: bookId, mode: seen.mode }, transferId);
  if (!(await keep(tx, deps, asked, asked.result))) return 'leaseLost';
  if (found?.transfer.state !== 'awaiting_approval') return 'refuse';
  const detail = [rule, asked.result.reason].filter((part) => part !== null).join(': ');
  await move(
    tx,
    deps,
    endWaiting(found.transfer, { as: 'SCREENING_REFUSED', actor: ACTOR, detail }),
  );
  await tx.query(DROP_REST, [bookId, transferId]);
  return 'refuse';
}

/** `inDirectory`: the people whom the directory names; undefined: it was not asked yet. */
async function recordOther(
  tx: Queryable,
  deps: RecordScreeningDeps,
  asked: SentScreening,
  inDirectory: readonly Approver[] | undefined,
): Promise<RecordedScreening> {
  const { bookId, transferId, merchantId, transfer: seen } = asked.claimed;
  const book = { id: bookId, merchantId, mode: seen.mode };
  const approvers = await lockApprovers(tx, book, inDirectory);
  const found = await lockWaiting(tx, book, transferId);
  const result = await heldIfDenied(tx, asked);
  if (!(await keep(tx, deps, asked, result))) return 'leaseLost';
  if (found?.transfer.state !== 'awaiting_approval' || found.isExpired) return result.decision;
  if (result.decision === 'hold') {
    // One person more is asked for than when the order came: perhaps there is none.
    await requestApprovalCheck(tx, bookId);
    return 'hold';
  }
  const isScreened = (await tx.query(OPEN, [bookId, transferId])).length > 0;
  const { needed, isEnough } = judgeApprovals({ ...found.subject, isScreened }, approvers);
  if (!isEnough) return 'allow';
  if (needed > 0 && inDirectory === undefined) throw new ApprovalsCount();
  const leaving = { actor: ACTOR, isApproved: needed > 0 };
  await move(tx, deps, leaveWaiting(deps.routes, found, leaving));
  return 'allow';
}

/** A number that was denied after the order came is not paid because a screener allows it: a person looks first. */
async function heldIfDenied(tx: Queryable, asked: SentScreening): Promise<ScreeningResult> {
  const { claimed, result } = asked;
  if (result.decision !== 'allow') return result;
  const { bookId, transfer } = claimed;
  const { denied } = await findListed(tx, { bookId, phones: [transfer.phone] });
  if (!denied.has(transfer.phone)) return result;
  return { decision: 'hold', reason: 'the number was put on a deny list after it was ordered' };
}

async function keep(
  tx: Queryable,
  deps: RecordScreeningDeps,
  { claimed, at, elapsedMs, answer }: SentScreening,
  { decision, reason }: ScreeningResult,
): Promise<boolean> {
  const { bookId, transferId, rule, asked } = claimed;
  const rows = await tx.query(KEEP, [
    bookId,
    transferId,
    rule,
    deps.leaseOwner,
    decision,
    reason,
    deps.now(),
    asked?.id ?? null,
    at,
    Math.round(elapsedMs),
    answer.kind === 'answered' ? answer.status : null,
    answer.kind === 'unanswered' ? answer.error : null,
    answer.kind === 'answered' ? answer.answer : null,
  ]);
  return rows.length === 1;
}

async function move(tx: Queryable, deps: RecordScreeningDeps, one: Move): Promise<void> {
  const [isMoved] = await moveTransfers(tx, {
    moves: [one],
    mover: deps.leaseOwner,
    at: deps.now(),
  });
  // It is locked and was read under the lock.
  if (isMoved !== true) throw new Error('a locked transfer could not be moved');
}

/** Ends questions about a transfer that no longer waits: they are not asked. */
export async function dropScreenings(
  database: Queryable,
  { bookId, transferId }: Pick<ClaimedScreening, 'bookId' | 'transferId'>,
): Promise<void> {
  await database.query(DROP_REST, [bookId, transferId]);
}

const ACTOR = actorCode({ kind: 'system', part: 'screening' });

const OPEN: Statement = {
  name: 'find-open-screening',
  text: `
    select q.rule from screenings q
    where q.book_id = $1 and q.transfer_id = $2 and q.decision is null
    limit 1`,
};

const LOCK_WALLET: Statement = {
  name: 'lock-wallet-of-screening',
  text: 'select from wallets where book_id = $1 and id = $2 for update',
};

const KEEP: Statement = {
  name: 'keep-screening',
  text: `
    with kept as (
      update screenings q
      set decision = $5, reason = $6, decided_at = $7, lease_owner = null, next_attempt_at = null
      where q.book_id = $1 and q.transfer_id = $2 and q.rule = $3
        and q.decision is null and q.lease_owner = $4
      returning q.book_id, q.transfer_id, q.rule, q.attempts, q.decision
    )
    insert into screening_attempts (
      book_id, transfer_id, rule, attempt, screener_id, at, elapsed_ms, status, error, answer, decision
    )
    select k.book_id, k.transfer_id, k.rule, k.attempts, $8, $9, $10, $11, $12, $13, k.decision
    from kept k
    returning attempt`,
};

const DROP_REST: Statement = {
  name: 'drop-screenings',
  text: `
    update screenings q set next_attempt_at = null, lease_owner = null
    where q.book_id = $1 and q.transfer_id = $2 and q.decision is null`,
};
