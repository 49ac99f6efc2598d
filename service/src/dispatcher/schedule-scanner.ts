import { requestApprovalCheck } from '../approvals/transfers/flag-impossible.ts';
import {
  type BackgroundLoop,
  createBackgroundLoop,
  UNTIL_WOKEN_MS,
} from '../background/background-loop.ts';
import { actorCode } from '../domain/actor.ts';
import { causeOf } from '../domain/cause.ts';
import type { HeldBackReason } from '../domain/held-back.ts';
import type { NextStep } from '../domain/standing.ts';
import type { Transfer } from '../domain/transfer.ts';
import type { Routes } from '../operators/routes/route.ts';
import type { CommitQueue } from '../postgres/commit-queue.ts';
import type { Database } from '../postgres/database.ts';
import { failpoint } from '../telemetry/failpoint.ts';
import type { Logger } from '../telemetry/logger.ts';
import { chooseDueRoute } from '../transfers/accept/choose-due-route.ts';
import { claimScheduled, type ScheduledClaim } from '../transfers/move/claim-due.ts';
import type { Move } from '../transfers/move/move-transfers.ts';
import { BookRotation } from './book-rotation.ts';
import { waitForPerson } from './wait-for-person.ts';

const RETRY_INTERVAL_MS = 500;
/**
 * A process that dies between its claim and its move delays a transfer by this much. It may be short, because the lease
 * only saves two processes the same work: a move is made only on the state and event number that were read.
 */
const SCHEDULE_LEASE_MS = 3_000;
const CLAIM_MAX = 1_000;

export type ScheduleScannerDeps = Readonly<{
  database: Database;
  moves: CommitQueue<Move, boolean>;
  routes: Routes;
  leaseOwner: string;
  logger: Logger;
}>;

/**
 * Queues scheduled transfers when their time has come, by the database's clock, and chooses their route then: the route
 * of the day on which they were ordered may be gone. A transfer that is later than the policy of its
 * book allows, by default 24 hours, waits for a person instead; so does one that is held back for another reason.
 */
export function createScheduleScanner(deps: ScheduleScannerDeps): BackgroundLoop {
  const books = new BookRotation();

  /** False when the round is complete. */
  async function claimOnce(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    const claim = await claimScheduled(deps.database, {
      leaseOwner: deps.leaseOwner,
      leaseMs: SCHEDULE_LEASE_MS,
      afterBook: books.position,
      max: CLAIM_MAX,
    });
    if (claim.due.length > 0) failpoint('claimed');
    await Promise.all(claim.due.map((due) => leaveSchedule(deps, due)));
    return !books.advance(claim.nextBook, claim.due.length > 0);
  }

  return createBackgroundLoop({
    async round(signal) {
      books.begin();
      while (await claimOnce(signal));
      return UNTIL_WOKEN_MS;
    },
    what: 'looking for scheduled transfers whose time has come',
    logger: deps.logger,
    retryInMs: RETRY_INTERVAL_MS,
  });
}

type Due = ScheduledClaim['due'][number];

const HELD_BACK_NOTES: Readonly<Record<HeldBackReason, string>> = {
  RECIPIENT_DENIED: 'the number of a scheduled transfer is denied: it waits for a person',
  EARLIER_MAY_BE_PAID:
    'the operator may have paid what a scheduled transfer pays again: it waits for a person',
  SEND_TIME_MISSED: 'a scheduled transfer is later than its policy allows and waits for a person',
};

/** Never rejects: after an error the lease ends and the transfer is found again, unless it was cancelled meanwhile. */
async function leaveSchedule(deps: ScheduleScannerDeps, due: Due): Promise<void> {
  const { transfer, heldBack } = due;
  try {
    const moved = await deps.moves.submit(
      heldBack === undefined
        ? queue(deps, transfer)
        : waitForPerson(transfer, { ...heldBack, actor: ACTOR }),
    );
    if (moved && heldBack !== undefined) {
      // It came to wait without a look at whether the people of the book can approve it.
      await requestApprovalCheck(deps.database, transfer.bookId);
      deps.logger.warn({ transferId: transfer.id }, HELD_BACK_NOTES[heldBack.why]);
    }
  } catch (error) {
    deps.logger.warn(
      { transferId: transfer.id, err: error },
      'queueing a scheduled transfer failed, retried when its lease ends',
    );
  }
}

function queue({ routes }: ScheduleScannerDeps, transfer: Transfer): Move {
  const route = chooseDueRoute(routes, transfer);
  const { phone, createdAt, sendAt } = transfer;
  const closedForMs = route?.closedForMs({ phone, createdAt: sendAt ?? createdAt }) ?? 0;
  const step = { ...STEP, to: 'queued', cause: causeOf('SEND_TIME_CAME') } as const;
  return {
    ...moveOf(transfer, { ...step, nextActionInMs: Math.ceil(closedForMs) }),
    // Without a route it waits in the queue until there is one: reassignRemovedRoutes gives it that.
    ...(route === undefined ? {} : { route: route.name }),
  };
}

function moveOf(transfer: Transfer, step: NextStep): Move {
  return { transfer, step, actor: ACTOR, needsLease: false, leaseFor: null };
}

const ACTOR = actorCode({ kind: 'system', part: 'schedule' });

const STEP: Omit<NextStep, 'to' | 'cause' | 'nextActionInMs'> = {
  failure: null,
  operatorTransactionId: null,
  checks: 0,
  notFoundAnswers: 0,
  needsPerson: false,
};
