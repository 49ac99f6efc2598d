import { randomUUID } from 'node:crypto';
import type { Answer, OperatorRequest, PlainAnswer } from '../kernel/answer.ts';
import { actualOutcome } from '../kernel/answer-inquiry.ts';
import type { Payout } from '../kernel/behaviour.ts';
import { chooseOnArrival } from '../kernel/choose-on-arrival.ts';
import type { EmulatorContext } from '../kernel/emulator-context.ts';
import { readJsonObject } from '../kernel/read-json-object.ts';
import { refusalCode } from '../kernel/refusal-words.ts';
import { checkSession } from './check-caller.ts';
import { checkOurs, readAmount, readFields } from './input-fields.ts';
import { codeFacts, REFUSAL_CODES } from './ins-codes.ts';
import { conversationIdOf } from './payout-index.ts';
import { listenForEnd } from './post-result.ts';
import { answerCode, answerWithoutCode, refuse, sessionRefused } from './vodacom-answers.ts';
import type { VodacomState } from './vodacom-state.ts';

const FIELDS = [
  'input_Amount',
  'input_Country',
  'input_Currency',
  'input_CustomerMSISDN',
  'input_ServiceProviderCode',
  'input_ThirdPartyConversationID',
  'input_TransactionReference',
  'input_PaymentItemsDesc',
] as const;

/** `POST b2cPayment/`. Payouts are deduplicated by their ThirdPartyConversationID. */
export async function payCustomer(
  state: VodacomState,
  request: OperatorRequest,
  context: EmulatorContext,
): Promise<Answer> {
  checkSession(state, request);
  const { backend, chooser } = context;
  const { extra, ...submission } = readOrder(state, request);
  const { ourReference } = submission;
  if (state.reversals.has(ourReference)) throw refuse('INS-10');
  if (backend.find(ourReference) !== undefined) {
    // The backend waits until the first submission is on disk. Otherwise a crash could lose a payout whose
    // repetition was already answered as a duplicate.
    await backend.submit(submission);
    throw refuse('INS-10');
  }
  const { chosen, rejectedWith } = chooseOnArrival(
    { backend, chooser },
    submission,
    (refusal) => codeFacts(refusalCode(refusal, REFUSAL_CODES)).kind === 'rejected',
  );
  const { payout } = await backend.submit({
    ...submission,
    extra: { ...extra, rejectedWith },
    pendingMsMin: state.settings.flow === 'async' ? state.settings.asyncPendingMs : 0,
    steered: chosen,
  });
  if (rejectedWith === null) state.index.add(payout);
  await listenForEnd(state, context, payout);
  const answer =
    rejectedWith === null ? answerAccepted(state, context, payout) : answerCode(rejectedWith);
  return { ...answer, submission: { payout, ...wireFaults(state, payout) } };
}

function readOrder(state: VodacomState, { body }: OperatorRequest) {
  const order = readJsonObject(body);
  if (order === null) throw refuse('INS-21');
  const field = readFields((name) => order[name], FIELDS);
  checkOurs(state, field);
  const { currency } = state.settings.market;
  if (field('input_Currency') !== currency) throw refuse('INS-26');
  return {
    ourReference: field('input_ThirdPartyConversationID'),
    msisdn: field('input_CustomerMSISDN'),
    amountMinor: readAmount(field('input_Amount')),
    currency,
    extra: {
      conversationId: randomUUID().replaceAll('-', ''),
      transactionReference: field('input_TransactionReference'),
      description: field('input_PaymentItemsDesc'),
    },
  };
}

/**
 * None of these answers says what became of the payout, not even the documented `INS-1`. Numbers that end in an
 * odd digit get a 400 without a code.
 */
function wireFaults({ settings }: VodacomState, { msisdn }: Payout) {
  const isOdd = Number(msisdn.slice(-1)) % 2 === 1;
  return {
    http500: answerWithoutCode(500, 'Internal Server Error'),
    http400: isOdd ? answerWithoutCode(400, 'Bad Request') : answerCode('INS-1'),
    tokenExpired: sessionRefused(settings, 'Session expired'),
  };
}

function answerAccepted(
  { settings }: VodacomState,
  { backend }: EmulatorContext,
  payout: Payout,
): PlainAnswer {
  const { refusal } = payout.behaviour;
  const code = refusal === null ? null : refusalCode(refusal, REFUSAL_CODES);
  const ids = {
    output_ConversationID: conversationIdOf(payout),
    output_ThirdPartyConversationID: payout.ourReference,
  };
  if (code !== null && codeFacts(code).kind === 'open') return answerCode(code, { output: ids });
  if (settings.flow === 'async') return answerCode('INS-0', { output: ids });
  const status = backend.statusOf(payout);
  // The synchronous flow has no code for "pending", so it answers with a timeout.
  if (status === 'pending' || status === 'unknown') return answerCode('INS-9', { output: ids });
  if (code !== null) return answerCode(code, { output: ids });
  if (actualOutcome(payout.behaviour) === 'failed') return answerCode('INS-6', { output: ids });
  const output = { output_TransactionID: payout.operatorTransactionId, ...ids };
  return answerCode('INS-0', { output });
}
