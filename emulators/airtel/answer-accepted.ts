import type { PlainAnswer } from '../kernel/answer.ts';
import { actualOutcome } from '../kernel/answer-inquiry.ts';
import type { Payout } from '../kernel/behaviour.ts';
import { writeDecimalAmount } from '../kernel/decimal-amount.ts';
import type { EmulatorContext } from '../kernel/emulator-context.ts';
import { refusalCode } from '../kernel/refusal-words.ts';
import { answerCode } from './airtel-answers.ts';
import { codeFacts, REFUSAL_CODES } from './airtel-codes.ts';
import type { AirtelState } from './airtel-state.ts';
import { nationalNumber } from './check-caller.ts';

/** The answer to the submission of a payout that the operator accepted. */
export function answerAccepted(
  { settings }: AirtelState,
  { backend }: EmulatorContext,
  payout: Payout,
): PlainAnswer {
  const { refusal } = payout.behaviour;
  const status = backend.statusOf(payout);
  const isOpen = status === 'pending' || status === 'unknown';
  const code = refusal === null ? null : refusalCode(refusal, REFUSAL_CODES);
  // A code of kind `open` is sent at once. Any other code is sent only when the payout has ended.
  if (code !== null && (!isOpen || codeFacts(code).kind === 'open')) {
    return answerWithCode(settings, payout, code);
  }
  if (isOpen) {
    const open = settings.pendingAs === 'TIP' ? 'DP00900001006' : 'DP00900001000';
    return answerWithCode(settings, payout, open);
  }
  return actualOutcome(payout.behaviour) === 'paid'
    ? answerPaid(settings, { backend }, payout)
    : answerWithCode(settings, payout, 'DP00900001005');
}

function answerWithCode(
  settings: AirtelState['settings'],
  { ourReference }: Payout,
  code: string,
): PlainAnswer {
  const { kind, transactionStatus, message } = codeFacts(code);
  const status = transactionStatus ?? (kind === 'failed' ? 'TF' : kind === 'paid' ? 'TS' : null);
  if (status === null) return answerCode(settings, code);
  const data = { transaction: { id: ourReference, status, message } };
  return answerCode(settings, code, { data });
}

function answerPaid(
  settings: AirtelState['settings'],
  { backend }: Pick<EmulatorContext, 'backend'>,
  payout: Payout,
): PlainAnswer {
  const { amountMinor, msisdn } = backend.reportOf(payout);
  const { ourReference, currency, operatorTransactionId } = payout;
  const name = backend.accountName(msisdn);
  const to = `${nationalNumber(msisdn)}, ${`${name?.given ?? ''} ${name?.family ?? ''}`.trim()}`;
  const left = writeDecimalAmount(backend.balanceMinor(currency));
  const message =
    `Trans.ID : ${operatorTransactionId}. You have sent ${currency} ` +
    `${writeDecimalAmount(amountMinor)} to ${to.toUpperCase()}. ` +
    `Your available balance is ${currency} ${left}.`;
  const transaction = {
    reference_id: operatorTransactionId,
    airtel_money_id: `partner-${ourReference}`,
    id: ourReference,
    status: 'TS',
    message,
  };
  return answerCode(settings, 'DP00900001001', { data: { transaction }, message });
}
