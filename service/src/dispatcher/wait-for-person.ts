import type { CauseCode } from '../domain/cause.ts';
import { causeOf } from '../domain/cause.ts';
import { NO_ROUTE, type Transfer } from '../domain/transfer.ts';
import type { Move } from '../transfers/move/move-transfers.ts';

/** The move of a transfer that was to be sent now, and that a person has to look at first, before that time is over. */
export function waitForPerson(
  transfer: Transfer,
  {
    why,
    actor,
    expiresAfterMs,
  }: Readonly<{ why: CauseCode; actor: string; expiresAfterMs: number }>,
): Move {
  return {
    transfer,
    step: {
      to: 'awaiting_approval',
      cause: causeOf(why),
      failure: null,
      operatorTransactionId: null,
      nextActionInMs: expiresAfterMs,
      checks: 0,
      notFoundAnswers: 0,
      needsPerson: true,
    },
    actor,
    needsLease: false,
    leaseFor: null,
    // Its route is chosen anew when it may be sent.
    route: NO_ROUTE,
  };
}
