import type { OperatorRequest, PlainAnswer } from '../kernel/answer.ts';
import type { EmulatorContext } from '../kernel/emulator-context.ts';
import { refusalCode } from '../kernel/refusal-words.ts';
import { AirtelRefusal, answerCode } from './airtel-answers.ts';
import { codeFacts, REFUSAL_CODES } from './airtel-codes.ts';
import type { AirtelState, AirtelVersion } from './airtel-state.ts';
import { checkCaller } from './check-caller.ts';

/** `GET /standard/{version}/disbursements/{id}`. */
export function enquire(
  state: AirtelState,
  enquiry: Readonly<{ request: OperatorRequest; version: AirtelVersion; id: string }>,
  { backend }: EmulatorContext,
): PlainAnswer {
  const { settings } = state;
  checkCaller(state, enquiry.request, 'disbursement');
  const type = requestedType(enquiry);
  const forced = state.forcedCodes.get('enquiry');
  if (forced !== undefined) return answerCode(settings, forced);
  const payout = backend.find(enquiry.id);
  if (payout === undefined || (type !== null && payout.extra['type'] !== type)) {
    throw new AirtelRefusal('DP00900001015');
  }
  const inquiry = backend.inquire(payout);
  if (inquiry.kind === 'down') return answerCode(settings, 'ESB000014');
  if (inquiry.kind === 'unknown') throw new AirtelRefusal('DP00900001015');
  const { id } = enquiry;
  if (inquiry.status === 'pending') {
    const { pendingAs } = settings;
    const code = pendingAs === 'TIP' ? 'DP00900001006' : 'DP00900001000';
    const transaction = { id, message: codeFacts(code).message, status: pendingAs };
    return answerCode(settings, code, { data: { transaction } });
  }
  if (inquiry.status === 'failed') {
    const code = endCode(inquiry.refusal);
    const transaction = { id, message: codeFacts(code).message, status: 'TF' };
    return answerCode(settings, code, { data: { transaction } });
  }
  const message = 'Transaction is successful';
  const airtelMoneyId = payout.operatorTransactionId;
  const transaction = { id, message, status: 'TS', airtel_money_id: airtelMoneyId };
  return answerCode(settings, 'DP00900001001', { data: { transaction } });
}

/** The parameter is optional, because only two integrations are known to send it; without it any type matches. */
function requestedType({
  request,
  version,
}: Readonly<{ request: OperatorRequest; version: AirtelVersion }>): string | null {
  const type = version === 'v1' ? null : request.query.get('transactionType');
  if (type !== null && type !== 'B2C' && type !== 'B2B') {
    throw new AirtelRefusal('ROUTER003', { why: 'transactionType is not B2C or B2B' });
  }
  return type;
}

/** A code of kind `open` cannot be the end, so a failed payout gets another code. */
function endCode(refusal: string | null): string {
  const code = refusalCode(refusal ?? 'declined', REFUSAL_CODES);
  return codeFacts(code).kind === 'failed' ? code : REFUSAL_CODES.declined;
}
