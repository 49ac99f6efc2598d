import { causeOf } from '../../domain/cause.ts';
import type { FailureCode } from '../../domain/outcome.ts';
import type { NextStep } from '../../domain/standing.ts';
import type { Transfer } from '../../domain/transfer.ts';
import type { Routes } from '../../operators/routes/route.ts';
import { chooseDueRoute } from '../../transfers/accept/choose-due-route.ts';
import type { Move } from '../../transfers/move/move-transfers.ts';
import type { WaitingTransfer } from './find-waiting.ts';

/**
 * The move of a transfer that waits for nothing any more: to its time, or to the queue by the route of today. A time that
 * passed while it waited has come, by the database's clock: a process whose clock is ahead must send nothing early.
 */
export function leaveWaiting(
  routes: Routes,
  { transfer, isDue }: Pick<WaitingTransfer, 'transfer' | 'isDue'>,
  { actor, isApproved }: Readonly<{ actor: string; isApproved: boolean }>,
): Move {
  const event = isApproved ? ({ event: 'transfer.approved' } as const) : {};
  const cause = causeOf(isApproved ? 'APPROVED_BY_PEOPLE' : 'SCREENED');
  const { sendAt, phone, createdAt } = transfer;
  if (!isDue) {
    const step: NextStep = { ...STEP, to: 'scheduled', cause, nextActionInMs: null };
    return { ...moveOf(transfer, step, actor), ...event };
  }
  const route = chooseDueRoute(routes, transfer);
  const closedForMs = route?.closedForMs({ phone, createdAt: sendAt ?? createdAt }) ?? 0;
  const step: NextStep = {
    ...STEP,
    to: 'queued',
    cause,
    nextActionInMs: Math.ceil(closedForMs),
  };
  return {
    ...moveOf(transfer, step, actor),
    ...event,
    // Without a route it waits in the queue until there is one: reassignRemovedRoutes gives it that.
    ...(route === undefined ? {} : { route: route.name }),
  };
}

/** Why a transfer that waited is never sent. */
type EndOfWaiting =
  | 'APPROVAL_REJECTED'
  | 'APPROVAL_EXPIRED'
  | 'APPROVAL_RECALLED'
  | 'SCREENING_REFUSED';

/** The move of a transfer that is not approved. Its hold is released. */
export function endWaiting(
  transfer: Transfer,
  { as, actor, detail }: Readonly<{ as: EndOfWaiting; actor: string; detail?: string | null }>,
): Move {
  const failure: FailureCode = as;
  const cause = causeOf(as, detail ?? '');
  const step: NextStep = { ...STEP, to: 'cancelled', cause, failure, nextActionInMs: null };
  return { ...moveOf(transfer, step, actor), anyRoute: true };
}

function moveOf(transfer: Transfer, step: NextStep, actor: string): Move {
  return { transfer, step, actor, needsLease: false, leaseFor: null };
}

const STEP: Omit<NextStep, 'to' | 'cause' | 'nextActionInMs'> = {
  failure: null,
  operatorTransactionId: null,
  checks: 0,
  notFoundAnswers: 0,
  needsPerson: false,
};
