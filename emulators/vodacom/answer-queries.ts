import { randomUUID } from 'node:crypto';
import type { OperatorRequest, PlainAnswer } from '../kernel/answer.ts';
import type { Payout } from '../kernel/behaviour.ts';
import type { EmulatorContext } from '../kernel/emulator-context.ts';
import type { OperatorBackend } from '../kernel/operator-backend.ts';
import { refusalCode } from '../kernel/refusal-words.ts';
import { checkSession } from './check-caller.ts';
import { checkOurs, type Fields, type InputField, readFields } from './input-fields.ts';
import { REFUSAL_CODES } from './ins-codes.ts';
import { answerCode, refuse } from './vodacom-answers.ts';
import type { VodacomState } from './vodacom-state.ts';

const QUERY_FIELDS = [
  'input_QueryReference',
  'input_ServiceProviderCode',
  'input_ThirdPartyConversationID',
  'input_Country',
] as const;
const NAME_FIELDS = [
  'input_CustomerMSISDN',
  'input_Country',
  'input_ServiceProviderCode',
  'input_ThirdPartyConversationID',
  'input_KycQueryType',
] as const;

function readQuery<Field extends InputField>(
  { query }: OperatorRequest,
  fields: readonly Field[],
): Fields<Field> {
  return readFields((field) => query.get(field), fields);
}

/** The ids of a query: a conversation id of its own, and the caller's id for it. */
function idsOf(thirdPartyConversationId: string): Readonly<Record<string, string>> {
  return {
    output_ConversationID: randomUUID().replaceAll('-', ''),
    output_ThirdPartyConversationID: thirdPartyConversationId,
  };
}

/** Finds by our reference, the operator's conversation id or its TransactionID, also that of a second payment. */
export function findPayout(
  { index }: VodacomState,
  backend: OperatorBackend,
  queryReference: string,
): Payout | undefined {
  const payout = backend.find(queryReference);
  if (payout !== undefined) return payout;
  const reference =
    index.referenceOf(queryReference) ??
    backend.book().find(({ operatorTransactionId }) => operatorTransactionId === queryReference)
      ?.ourReference;
  return reference === undefined ? undefined : backend.find(reference);
}

/** `GET queryTransactionStatus/`. */
export function queryStatus(
  state: VodacomState,
  request: OperatorRequest,
  { backend }: EmulatorContext,
): PlainAnswer {
  checkSession(state, request);
  const field = readQuery(request, QUERY_FIELDS);
  checkOurs(state, field);
  const forced = state.forcedCodes.get('query');
  if (forced !== undefined) return answerCode(forced);
  const payout = findPayout(state, backend, field('input_QueryReference'));
  if (payout === undefined) throw refuse('INS-23');
  const inquiry = backend.inquire(payout);
  if (inquiry.kind === 'down') throw refuse('INS-9');
  if (inquiry.kind === 'unknown') throw refuse('INS-23');
  const isPaid = inquiry.status === 'paid';
  const isReversed = state.reversals.reversedMinor(payout.ourReference) > 0n;
  return answerCode('INS-0', {
    httpStatus: 200,
    output: {
      output_ResponseTransactionStatus: wordFor(state, inquiry),
      ...idsOf(field('input_ThirdPartyConversationID')),
      ...(isPaid ? { output_OriginalTransactionID: payout.operatorTransactionId } : {}),
      output_Reversed: isReversed ? 'True' : 'False',
    },
  });
}

function wordFor(
  { settings }: VodacomState,
  { status, refusal }: Readonly<{ status: 'paid' | 'pending' | 'failed'; refusal: string | null }>,
): string {
  if (status === 'paid') return 'Completed';
  if (status === 'pending') return settings.pendingWord;
  const isCancelled = refusal !== null && refusalCode(refusal, REFUSAL_CODES) === 'INS-5';
  return isCancelled ? 'Cancelled' : settings.failedWord;
}

/** `GET queryBeneficiaryName/`. */
export function queryName(
  state: VodacomState,
  request: OperatorRequest,
  { backend }: EmulatorContext,
): PlainAnswer {
  checkSession(state, request);
  const field = readQuery(request, NAME_FIELDS);
  checkOurs(state, field);
  const forced = state.forcedCodes.get('name');
  if (forced !== undefined) return answerCode(forced);
  const name = backend.accountName(field('input_CustomerMSISDN'));
  if (name === null) throw refuse('INS-2051');
  return answerCode('INS-0', {
    httpStatus: 200,
    output: {
      output_CustomerFirstName: name.given,
      output_CustomerLastName: name.family,
      ...idsOf(field('input_ThirdPartyConversationID')),
    },
  });
}
