import { type Outcome, REPORTED_FIELDS, type ReportedField } from '../../domain/outcome.ts';
import type { BalanceAnswer, Payout } from '../contract/connector.ts';
import { readAmountText } from '../wire/amount-text.ts';
import { at, type ExactJson, textAt } from '../wire/exact-json.ts';
import { isThrottled, isUnserved, throttled, unanswered } from '../wire/no-answer.ts';
import type { WireAnswer } from '../wire/operator-wire.ts';
import { readTransactionId } from '../wire/transaction-id.ts';
import type { MtnAnswer } from './call.ts';
import { meaningOfCode, shownCode } from './codes.ts';
import { msisdnOf } from './requests.ts';

const RETRY_UNSENT_MS = 5_000;
/**
 * The statuses whose code may be a refusal. MTN documents permanent errors with 500 too, but a server error never
 * proves that nothing was done: the inquiry decides.
 */
const CODED_STATUSES: readonly number[] = [400, 403];
/** MTN has an order under our reference; only its status shows the result. */
const DUPLICATE_CODE = 'RESOURCE_ALREADY_EXIST';
const NOT_FOUND_CODES: readonly string[] = ['RESOURCE_NOT_FOUND', 'TRANSACTION_NOT_FOUND'];

type Answered = Extract<WireAnswer, { kind: 'answered' }>;

export function submissionOutcome(answer: MtnAnswer, firstCheckMs: number): Outcome {
  if (answer.kind === 'noToken' || answer.kind === 'notSent') {
    return { kind: 'notSent', cause: answer.cause, retryInMs: RETRY_UNSENT_MS };
  }
  if (answer.kind === 'lost') return { kind: 'unknown', cause: answer.cause };
  const code = errorCode(answer);
  if (answer.status === 202 && code === undefined && isEmptyOrJson(answer)) {
    return { kind: 'pending', inquireInMs: firstCheckMs };
  }
  if (answer.status === 409 && code === DUPLICATE_CODE) {
    return { kind: 'unknown', cause: `HTTP 409 ${code}`, isDuplicate: true };
  }
  if (isThrottled(answer)) return throttled(answer, shown(answer));
  const meaning =
    code === undefined || !CODED_STATUSES.includes(answer.status)
      ? 'unknown'
      : meaningOfCode(code, 'refused');
  if (meaning === 'unknown') return unclear(answer);
  return { kind: 'rejected', failure: meaning, cause: `MTN refused it: ${shownCode(code ?? '')}` };
}

export type ExpectedPayout = Readonly<{
  payout: Payout;
  currency: string;
  inquireAgainInMs: number;
}>;

/** Never `notSent`: that would describe the inquiry, and be mistaken for the payout. */
export function inquiryOutcome(answer: MtnAnswer, wanted: ExpectedPayout): Outcome {
  if (answer.kind !== 'answered') return unanswered(answer.cause);
  if (isUnserved(answer)) return unanswered(shown(answer), answer);
  const code = errorCode(answer);
  // A gateway without the path answers 404 too, so MTN's own code is required.
  if (answer.status === 404 && code !== undefined && NOT_FOUND_CODES.includes(code)) {
    return { kind: 'notFound' };
  }
  if (answer.status !== 200) return unclear(answer);
  const status = textAt(answer.json, 'status');
  if (status === 'PENDING') return { kind: 'pending', inquireInMs: wanted.inquireAgainInMs };
  if (status === 'SUCCESSFUL') return paidOutcome(answer.json, wanted);
  if (status === 'FAILED') return failedOutcome(answer.json, wanted);
  const said = status === undefined ? 'no status' : `the status ${shownCode(status)}`;
  return { kind: 'unknown', cause: `HTTP 200 with ${said}` };
}

function paidOutcome(json: ExactJson | undefined, wanted: ExpectedPayout): Outcome {
  const echoes = echoesOf(json, wanted);
  const wrong = echoes.filter(({ holds }) => holds === false);
  if (wrong.length > 0) return mismatched(wrong);
  const missing = echoes.find(({ holds }) => holds === undefined);
  if (missing !== undefined) return unclearField(missing.field);
  return {
    kind: 'paid',
    operatorTransactionId: readTransactionId(textAt(json, 'financialTransactionId')),
    confirmed: REPORTED_FIELDS,
  };
}

function failedOutcome(json: ExactJson | undefined, wanted: ExpectedPayout): Outcome {
  const wrong = echoesOf(json, wanted).find(({ holds }) => holds === false);
  if (wrong !== undefined) return unclearField(wrong.field);
  const reason = at(json, 'reason');
  if (reason === undefined || reason === null) {
    return { kind: 'rejected', failure: 'OPERATOR_REJECTED', cause: 'MTN says it failed' };
  }
  const code = typeof reason === 'string' ? reason : textAt(reason, 'code');
  const meaning = code === undefined ? 'unknown' : meaningOfCode(code, 'failed');
  const shown = shownCode(code ?? '');
  return meaning === 'unknown'
    ? { kind: 'unknown', cause: `FAILED for a reason that is not known: ${shown}` }
    : { kind: 'rejected', failure: meaning, cause: `MTN says it failed: ${shown}` };
}

/** Whether MTN repeats a field as it was sent; undefined if it leaves the field out. */
type Echo = Readonly<{ field: string; subject: ReportedField; holds: boolean | undefined }>;

function echoesOf(
  json: ExactJson | undefined,
  { payout, currency }: ExpectedPayout,
): readonly Echo[] {
  const echo = (subject: ReportedField, field: string, isSent: (text: string) => boolean): Echo => {
    const value = at(json, ...field.split('.'));
    if (value === undefined || value === null) return { field, subject, holds: undefined };
    return { field, subject, holds: typeof value === 'string' && isSent(value) };
  };
  const reference = payout.operatorReference.toLowerCase();
  return [
    echo('reference', 'externalId', (text) => text.toLowerCase() === reference),
    echo('amount', 'amount', (text) => readAmountText(text) === payout.amountMinor),
    echo('currency', 'currency', (text) => text === currency),
    echo('number', 'payee.partyIdType', (text) => text.toUpperCase() === 'MSISDN'),
    echo('number', 'payee.partyId', (text) => text === msisdnOf(payout.phone)),
  ];
}

function mismatched(wrong: readonly Echo[]): Outcome {
  const contradicted = [...new Set(wrong.map(({ subject }) => subject))];
  const fields = wrong.map(({ field }) => field).join(', ');
  return { kind: 'mismatched', contradicted, cause: `SUCCESSFUL with another ${fields}` };
}

function unclearField(field: string): Outcome {
  return { kind: 'unknown', cause: `the answer's ${field} is not what was sent` };
}

export function balanceAnswer(answer: MtnAnswer, currencyOfRoute: string): BalanceAnswer {
  if (answer.kind !== 'answered') return { kind: 'unreachable', cause: answer.cause };
  const availableMinor = readAmountText(textAt(answer.json, 'availableBalance') ?? '');
  const currency = textAt(answer.json, 'currency');
  if (answer.status !== 200 || availableMinor === undefined || currency === undefined) {
    return { kind: 'unreachable', cause: `HTTP ${answer.status} without a balance` };
  }
  if (currency !== currencyOfRoute) {
    return { kind: 'unreachable', cause: `a balance in another currency than ${currencyOfRoute}` };
  }
  return { kind: 'known', availableMinor, currency };
}

/** The code of an error in the documented form, `{code, message}`; undefined for anything else. */
export function errorCode(answer: Answered): string | undefined {
  const message = textAt(answer.json, 'message');
  return message === undefined ? undefined : textAt(answer.json, 'code');
}

/** A 202 has no body; an HTML page does not come from the service that accepts payouts. */
function isEmptyOrJson({ text, json }: Answered): boolean {
  return text.trim() === '' || json !== undefined;
}

function unclear(answer: Answered): Outcome {
  return { kind: 'unknown', cause: shown(answer) };
}

function shown(answer: Answered): string {
  const code = errorCode(answer);
  return `HTTP ${answer.status}${code === undefined ? '' : ` ${shownCode(code)}`}`;
}
