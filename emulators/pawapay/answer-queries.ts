import { answerJson, type PlainAnswer } from '../kernel/answer.ts';
import type { Payout } from '../kernel/behaviour.ts';
import type { EmulatorContext } from '../kernel/emulator-context.ts';
import { Rejection } from './failure-codes.ts';
import type { MerchantAccount } from './merchant-account.ts';
import { describePayout, readDetails } from './payout-details.ts';
import { cancelWaiting } from './payout-queue.ts';
import { reportAs, reportEnqueued, wasRejectedOnArrival } from './report-payout.ts';
import { sendEnd } from './send-payout-callbacks.ts';

/** Undefined for payouts that queries do not find: never accepted, or not visible yet. */
function findVisible(
  account: MerchantAccount,
  { backend, now, timeScale }: EmulatorContext,
  payoutId: string,
): Payout | undefined {
  const payout = backend.find(payoutId);
  if (payout === undefined || wasRejectedOnArrival(payout)) return undefined;
  if (backend.statusOf(payout) === 'unknown') return undefined;
  const { createdAtMs } = readDetails(payout);
  return now() < createdAtMs + account.notFoundMs * timeScale ? undefined : payout;
}

/** `GET /v2/payouts/{payoutId}` */
export function answerStatus(
  account: MerchantAccount,
  context: EmulatorContext,
  payoutId: string,
): PlainAnswer {
  const waiting = account.enqueued.find(payoutId);
  if (waiting !== undefined) return found(describePayout(reportEnqueued(waiting)));
  const payout = findVisible(account, context, payoutId);
  const inquiry = payout && context.backend.inquire(payout);
  if (payout === undefined || inquiry === undefined || inquiry.kind === 'unknown') {
    return answerJson(200, { status: 'NOT_FOUND' });
  }
  if (inquiry.kind === 'down') throw new Rejection('UNKNOWN_ERROR');
  return found(describePayout(reportAs(context, payout, inquiry.status)));
}

function found(data: unknown): PlainAnswer {
  return answerJson(200, { status: 'FOUND', data });
}

/** `POST /v2/payouts/resend-callback/{payoutId}`: sends the final callback again. */
export async function resendCallback(
  account: MerchantAccount,
  context: EmulatorContext,
  payoutId: string,
): Promise<PlainAnswer> {
  if (account.enqueued.find(payoutId)) throw new Rejection('INVALID_STATE');
  const payout = findVisible(account, context, payoutId);
  if (payout === undefined) throw new Rejection('NOT_FOUND');
  const status = context.backend.statusOf(payout);
  if (status !== 'paid' && status !== 'failed') throw new Rejection('INVALID_STATE');
  // After the answer, like all callbacks of pawaPay.
  context.setTimer(() => void sendEnd(account, context, payout, status), 0);
  return answerJson(200, { payoutId, status: 'ACCEPTED' });
}

/** `POST /v2/payouts/fail-enqueued/{payoutId}`: only an enqueued payout can be cancelled. */
export async function failEnqueued(
  account: MerchantAccount,
  context: EmulatorContext,
  payoutId: string,
): Promise<PlainAnswer> {
  const waiting = account.enqueued.find(payoutId);
  if (waiting !== undefined) {
    await cancelWaiting(account, context, waiting);
    return answerJson(200, { payoutId, status: 'ACCEPTED' });
  }
  const payout = findVisible(account, context, payoutId);
  throw new Rejection(payout === undefined ? 'NOT_FOUND' : 'INVALID_STATE');
}
