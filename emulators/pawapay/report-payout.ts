import type { Payout } from '../kernel/behaviour.ts';
import type { EmulatorContext } from '../kernel/emulator-context.ts';
import type { EnqueuedPayout } from './enqueued-payouts.ts';
import { failureReason, readRefusal } from './failure-codes.ts';
import { type PayoutReport, type PayoutStatusWord, readDetails } from './payout-details.ts';

const ACCEPTED_MS_MAX = 1_000;
const PROCESSING_MS_MAX = 60_000;
const ACCEPTED_PART = 1 / 4;
const PROCESSING_PART = 3 / 4;

/** True when it was refused in the answer to its submission, so that queries never find it. */
export function wasRejectedOnArrival({ behaviour }: Payout): boolean {
  const { execute, refusal } = behaviour;
  return execute === 'never' && refusal !== null && readRefusal(refusal).at === 'arrival';
}

/** A pending payout is ACCEPTED first, then PROCESSING, and IN_RECONCILIATION when it takes long. */
export function pendingWord({ ageMs, pendingMs }: Readonly<{ ageMs: number; pendingMs: number }>) {
  if (ageMs < Math.min(ACCEPTED_MS_MAX, pendingMs * ACCEPTED_PART)) return 'ACCEPTED';
  if (ageMs < Math.min(PROCESSING_MS_MAX, pendingMs * PROCESSING_PART)) return 'PROCESSING';
  return 'IN_RECONCILIATION';
}

export type ReportedState = 'pending' | 'paid' | 'failed';

/** Renders the payout with the given status, which may be false. */
export function reportAs(
  context: EmulatorContext,
  payout: Payout,
  said: ReportedState,
): PayoutReport {
  const { backend } = context;
  const { amountMinor, msisdn } = backend.reportOf(payout);
  return {
    payoutId: payout.ourReference,
    status: statusWord(context, payout, said),
    phoneNumber: msisdn,
    amountMinor,
    currency: payout.currency,
    details: readDetails(payout),
    providerTransactionId: said === 'paid' ? payout.operatorTransactionId : null,
    failureReason: said === 'failed' ? reasonOf(backend.refusalOf(payout)) : null,
  };
}

function statusWord(
  context: EmulatorContext,
  payout: Payout,
  said: ReportedState,
): PayoutStatusWord {
  if (said === 'paid') return 'COMPLETED';
  if (said === 'failed') return 'FAILED';
  const ageMs = (context.now() - payout.receivedAtMs) / context.timeScale;
  return pendingWord({ ageMs, pendingMs: payout.pendingMs });
}

function reasonOf(refusal: string) {
  return failureReason(readRefusal(refusal).code);
}

export function reportEnqueued(payout: EnqueuedPayout): PayoutReport {
  return { ...payout, status: 'ENQUEUED', providerTransactionId: null, failureReason: null };
}
