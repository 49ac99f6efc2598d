import { type Answer, answerJson, type PlainAnswer } from '../kernel/answer.ts';
import type { Payout } from '../kernel/behaviour.ts';
import {
  failureReason,
  INITIATION_CODES,
  type InitiationCode,
  Rejection,
} from './failure-codes.ts';
import type { MerchantAccount } from './merchant-account.ts';

const OK = 200;
const SERVER_ERROR = 500;

function statusOfCode(account: MerchantAccount, code: InitiationCode): number {
  if (code === 'AUTHENTICATION_ERROR') return account.authenticationErrorStatus;
  if (code === 'HTTP_SIGNATURE_ERROR') return account.signatureErrorStatus;
  return INITIATION_CODES[code];
}

/** A refusal names its payout only with HTTP 200. A 500 does not even have the status REJECTED. */
export function answerRejection(
  account: MerchantAccount,
  { code, message }: Rejection,
  payoutId?: string,
): PlainAnswer {
  const status = statusOfCode(account, code);
  const reason = failureReason(code, message);
  if (status === SERVER_ERROR) return answerJson(status, { failureReason: reason });
  const named = status === OK && payoutId !== undefined ? { payoutId } : {};
  return answerJson(status, { ...named, status: 'REJECTED', failureReason: reason });
}

/** The faulty answers that a behaviour may send instead of the real one. */
export function spoiledAnswers(
  account: MerchantAccount,
  payout: Payout,
): NonNullable<Answer['submission']> {
  return {
    payout,
    http500: answerRejection(account, new Rejection('UNKNOWN_ERROR')),
    // The shape of a gateway: with a code of pawaPay it would be a valid refusal, but the payout was not refused.
    http400: answerJson(400, { status: 400, error: 'Bad Request', path: '/v2/payouts' }),
    tokenExpired: answerRejection(account, new Rejection('AUTHENTICATION_ERROR')),
  };
}
