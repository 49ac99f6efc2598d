import type { Outcome, ReportedField } from '../../domain/outcome.ts';
import type { NameAnswer, Payout } from '../contract/connector.ts';
import { textAt } from '../wire/exact-json.ts';
import { isThrottled, isUnserved, throttled, unanswered } from '../wire/no-answer.ts';
import type { WireAnswer } from '../wire/operator-wire.ts';
import { isVodacomCode, VODACOM_STATUSES, vodacomMeaning } from './codes.ts';
import { toConversationId } from './references.ts';

type Answered = WireAnswer & { kind: 'answered' };

/** Also the form in which it is shown: letters and digits, as the status query accepts it. */
const TRANSACTION_ID = /^[0-9A-Za-z]{1,64}$/;

/** The operator already has a payout under our conversation id. */
const DUPLICATE_CODE = 'INS-10';

const PENDING_ASK_MIN_MS = 5_000;
const PENDING_ASK_MAX_MS = 30 * 60_000;

/** The next inquiry follows after half its age: soon at first, later less often. */
function pendingSince(ageMs: number): Outcome {
  const inquireInMs = Math.min(Math.max(ageMs / 2, PENDING_ASK_MIN_MS), PENDING_ASK_MAX_MS);
  return { kind: 'pending', inquireInMs };
}

/** Interprets the answer to a payout. */
export function readSubmission(
  answer: Answered,
  asked: Readonly<{
    payout: Payout;
    flow: 'sync' | 'async';
    ageMs: number;
    /** It was sent before, under a session that was refused. */
    again: boolean;
    trustsDuplicates: boolean;
  }>,
): Outcome {
  const code = textAt(answer.json, 'output_ResponseCode');
  const meaning = vodacomMeaning(code);
  const named = textAt(answer.json, 'output_ThirdPartyConversationID');
  const isOurs = named === toConversationId(asked.payout.operatorReference);
  if (meaning.kind === 'processed' && answer.status === 201) {
    if (named === undefined) return mismatch('output_ThirdPartyConversationID');
    if (!isOurs) return ANOTHER_REFERENCE;
    const transactionId = textAt(answer.json, 'output_TransactionID');
    // In the async flow INS-0 only says that the payout was accepted.
    return asked.flow === 'sync' &&
      transactionId !== undefined &&
      TRANSACTION_ID.test(transactionId)
      ? { kind: 'paid', operatorTransactionId: transactionId, confirmed: ['reference'] }
      : pendingSince(asked.ageMs);
  }
  if (meaning.kind === 'refused' && meaning.httpStatuses.includes(answer.status)) {
    if (named !== undefined && !isOurs) return mismatch('output_ThirdPartyConversationID');
    return { kind: 'rejected', failure: meaning.failure, cause: describe(answer) };
  }
  if (isThrottled(answer)) return throttled(answer, describe(answer));
  const isDuplicate = answer.status === 409 && code === DUPLICATE_CODE;
  if (isDuplicate && asked.trustsDuplicates) return pendingSince(asked.ageMs);
  // A duplicate of what we have just sent ourselves is no news.
  const isOlder = isDuplicate && !asked.again;
  return { kind: 'unknown', cause: describe(answer), ...(isOlder ? { isDuplicate } : {}) };
}

/** Interprets the answer to an inquiry. Its codes describe the inquiry, never the payout. */
export function readStatus(
  answer: Answered,
  asked: Readonly<{ payout: Payout; conversationId: string; ageMs: number }>,
): Outcome {
  const code = textAt(answer.json, 'output_ResponseCode');
  if (answer.status === 400 && code === 'INS-23') return { kind: 'notFound' };
  // A bad session is answered with 400 without a code.
  const isRefused = answer.status === 400 && code === undefined;
  if (isRefused || isUnserved(answer)) return unanswered(describe(answer), answer);
  if (answer.status !== 200 || code !== 'INS-0')
    return { kind: 'unknown', cause: describe(answer) };
  const named = textAt(answer.json, 'output_ThirdPartyConversationID');
  const isOurs = named === toConversationId(asked.payout.operatorReference);
  // Some answers contain the conversation id of the inquiry itself, which neither confirms nor contradicts.
  if (!isOurs && named !== asked.conversationId) {
    const isReported = named !== undefined;
    return isReported && isCompleted(answer)
      ? ANOTHER_REFERENCE
      : mismatch('output_ThirdPartyConversationID');
  }
  return readFoundStatus(answer, { ageMs: asked.ageMs, confirmed: isOurs ? ['reference'] : [] });
}

const ANOTHER_REFERENCE: Outcome = {
  kind: 'mismatched',
  contradicted: ['reference'],
  cause: 'processed with another output_ThirdPartyConversationID',
};

function isCompleted({ json }: Answered): boolean {
  return VODACOM_STATUSES.get(textAt(json, 'output_ResponseTransactionStatus') ?? '') === 'paid';
}

function readFoundStatus(
  answer: Answered,
  { ageMs, confirmed }: Readonly<{ ageMs: number; confirmed: readonly ReportedField[] }>,
): Outcome {
  const word = textAt(answer.json, 'output_ResponseTransactionStatus') ?? '';
  const reversed = textAt(answer.json, 'output_Reversed')?.toLowerCase();
  const transactionId = textAt(answer.json, 'output_OriginalTransactionID') ?? '';
  const status = VODACOM_STATUSES.get(word);
  if (status === undefined) return mismatch('output_ResponseTransactionStatus');
  if (status === 'pending') return pendingSince(ageMs);
  if (status === 'failed') {
    if (reversed === 'true') return mismatch('output_Reversed');
    const cause = `the status is ${word}`;
    return { kind: 'rejected', failure: 'OPERATOR_REJECTED', cause };
  }
  if (reversed === 'true') return { kind: 'returned', cause: 'the operator reversed it' };
  if (reversed !== 'false') return mismatch('output_Reversed');
  if (!TRANSACTION_ID.test(transactionId)) return mismatch('output_OriginalTransactionID');
  return { kind: 'paid', operatorTransactionId: transactionId, confirmed };
}

/** Interprets the answer to a reversal. Never `rejected` or `paid`: only an inquiry may decide that. */
export function readReversal(answer: Answered): Outcome {
  const code = textAt(answer.json, 'output_ResponseCode');
  if (answer.status === 201 && code === 'INS-0') return pendingSince(0);
  return { kind: 'unknown', cause: `the reversal was not taken: ${describe(answer)}` };
}

/** Codes that mean "no account", with the statuses of a refusal. */
const NO_ACCOUNT_CODES = ['INS-2002', 'INS-2051'];

export function readNameAnswer(answer: Answered, conversationId: string): NameAnswer {
  const code = textAt(answer.json, 'output_ResponseCode') ?? '';
  const meaning = vodacomMeaning(code);
  if (NO_ACCOUNT_CODES.includes(code) && meaning.kind === 'refused') {
    const isDocumented = meaning.httpStatuses.includes(answer.status);
    return isDocumented ? { kind: 'noAccount' } : { kind: 'unreachable', cause: describe(answer) };
  }
  if (answer.status !== 200 || code !== 'INS-0') {
    return { kind: 'unreachable', cause: describe(answer) };
  }
  if (textAt(answer.json, 'output_ThirdPartyConversationID') !== conversationId) {
    return { kind: 'unreachable', cause: differs('output_ThirdPartyConversationID') };
  }
  const first = textAt(answer.json, 'output_CustomerFirstName') ?? '';
  const last = textAt(answer.json, 'output_CustomerLastName') ?? '';
  const accountName = `${first.trim()} ${last.trim()}`.trim();
  return accountName === ''
    ? { kind: 'unreachable', cause: 'the answer has no name' }
    : { kind: 'resolved', accountName };
}

function mismatch(field: string): Outcome {
  return { kind: 'unknown', cause: differs(field) };
}

function differs(field: string): string {
  return `the answer's ${field} is not what it must be`;
}

function describe(answer: Answered): string {
  const code = textAt(answer.json, 'output_ResponseCode');
  return isVodacomCode(code) ? `HTTP ${answer.status} ${code}` : `HTTP ${answer.status}`;
}
