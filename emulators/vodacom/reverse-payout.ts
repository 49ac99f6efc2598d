import { randomUUID } from 'node:crypto';
import type { OperatorRequest, PlainAnswer } from '../kernel/answer.ts';
import type { EmulatorContext } from '../kernel/emulator-context.ts';
import { readJsonObject } from '../kernel/read-json-object.ts';
import { findPayout } from './answer-queries.ts';
import { checkSession } from './check-caller.ts';
import { checkOurs, readAmount, readFields } from './input-fields.ts';
import { answerCode, refuse } from './vodacom-answers.ts';
import type { VodacomState } from './vodacom-state.ts';

const FIELDS = [
  'input_Country',
  'input_ServiceProviderCode',
  'input_ThirdPartyConversationID',
  'input_TransactionID',
] as const;

/** `PUT reversal/`: without an amount, the whole remainder of the payout is reversed. */
export async function reversePayout(
  state: VodacomState,
  request: OperatorRequest,
  { backend, now }: EmulatorContext,
): Promise<PlainAnswer> {
  checkSession(state, request);
  const fields = readJsonObject(request.body);
  if (fields === null) throw refuse('INS-21');
  const field = readFields((name) => fields[name], FIELDS);
  checkOurs(state, field);
  const forced = state.forcedCodes.get('reversal');
  if (forced !== undefined) return answerCode(forced);

  const reversalId = field('input_ThirdPartyConversationID');
  const { reversals } = state;
  if (reversals.has(reversalId) || backend.find(reversalId) !== undefined) throw refuse('INS-10');
  const payout = findPayout(state, backend, field('input_TransactionID'));
  if (payout === undefined) throw refuse('INS-18');
  const leftMinor = payout.amountMinor - reversals.reversedMinor(payout.ourReference);
  if (backend.statusOf(payout) !== 'paid' || leftMinor === 0n) throw refuse('INS-6');
  const amountMinor = reversalAmount(fields['input_ReversalAmount'], leftMinor);

  const operatorTransactionId = reversals.nextTransactionId();
  const at = new Date(now()).toISOString();
  const { ourReference, msisdn, currency } = payout;
  await reversals.add(reversalId, {
    ourReference,
    msisdn,
    amountMinor: String(amountMinor),
    currency,
    receivedAt: at,
    executedAt: at,
    operatorTransactionId,
    behaviour: 'reversal',
  });
  return answerCode('INS-0', {
    output: {
      output_TransactionID: operatorTransactionId,
      output_ConversationID: randomUUID().replaceAll('-', ''),
      output_ThirdPartyConversationID: reversalId,
    },
  });
}

function reversalAmount(requested: unknown, leftMinor: bigint): bigint {
  if (requested === undefined) return leftMinor;
  const field = readFields(() => requested, ['input_ReversalAmount']);
  const amountMinor = readAmount(field('input_ReversalAmount'));
  if (amountMinor > leftMinor) throw refuse('INS-15');
  return amountMinor;
}
