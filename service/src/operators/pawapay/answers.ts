import { type Outcome, REPORTED_FIELDS, type ReportedField } from '../../domain/outcome.ts';
import type { BalanceAnswer, Payout, Prediction } from '../contract/connector.ts';
import { readAmountText } from '../wire/amount-text.ts';
import { at, type ExactJson, textAt } from '../wire/exact-json.ts';
import { isThrottled, isUnserved, throttled, unanswered } from '../wire/no-answer.ts';
import type { WireAnswer } from '../wire/operator-wire.ts';
import { readTransactionId } from '../wire/transaction-id.ts';
import { finalFailure, initiationFailure, isPawapayCode, PAWAPAY_STATUSES } from './codes.ts';
import { operatorOf } from './providers.ts';
import { toPhoneNumber } from './shapes.ts';

type Answered = WireAnswer & { kind: 'answered' };

const PENDING_ASK_MIN_MS = 5_000;
const PENDING_ASK_MAX_MS = 30 * 60_000;

/** The next inquiry follows after half its age: soon at first, later less often. */
function pendingSince(ageMs: number): Outcome {
  const inquireInMs = Math.min(Math.max(ageMs / 2, PENDING_ASK_MIN_MS), PENDING_ASK_MAX_MS);
  return { kind: 'pending', inquireInMs };
}

/** Interprets the answer to an initiation. */
export function readInitiation(
  answer: Answered,
  asked: Readonly<{ payout: Payout; ageMs: number }>,
): Outcome {
  const status = textAt(answer.json, 'status');
  const payoutId = at(answer.json, 'payoutId') ?? null;
  const isOurs = payoutId === asked.payout.operatorReference;
  if (answer.status === 200 && status === 'ACCEPTED') {
    if (isOurs) return pendingSince(asked.ageMs);
    return payoutId === null ? mismatch('payoutId') : mismatched(['reference'], 'ACCEPTED');
  }
  if (answer.status === 200 && status === 'DUPLICATE_IGNORED' && isOurs) {
    return { kind: 'unknown', cause: describe(answer), isDuplicate: true };
  }
  const code = textAt(answer.json, 'failureReason', 'failureCode');
  const failure = status === 'REJECTED' ? initiationFailure(code, answer.status) : undefined;
  if (isThrottled(answer)) return throttled(answer, describe(answer));
  if (failure === undefined) return { kind: 'unknown', cause: describe(answer) };
  // A refusal names the payout only if the request was processed.
  const isNamed = answer.status === 200 || payoutId !== null;
  if (isNamed && !isOurs) return mismatch('payoutId');
  return { kind: 'rejected', failure, cause: describe(answer) };
}

/** Interprets the status of a payout. */
export function readStatus(
  answer: Answered,
  asked: Readonly<{ payout: Payout; ageMs: number }>,
): Outcome {
  if (isUnserved(answer)) return unanswered(describe(answer), answer);
  const found = textAt(answer.json, 'status');
  if (answer.status === 200 && found === 'NOT_FOUND') return { kind: 'notFound' };
  if (answer.status !== 200 || found !== 'FOUND') {
    return { kind: 'unknown', cause: describe(answer) };
  }
  return readPayout(at(answer.json, 'data'), asked);
}

/**
 * Interprets a payout as pawaPay reports it. A status has it in `data`, and a callback is nothing else.
 */
export function readPayout(
  json: ExactJson | undefined,
  asked: Readonly<{ payout: Payout; ageMs: number }>,
): Outcome {
  const status = PAWAPAY_STATUSES.get(textAt(json, 'status') ?? '');
  const differing = fieldsOf(json, asked.payout).filter(({ isSent }) => !isSent);
  const reported = differing.filter(({ isReported }) => isReported).map(({ subject }) => subject);
  if (status === 'paid' && reported.length > 0) return mismatched(reported, 'COMPLETED');
  const [first] = differing;
  if (first !== undefined) return mismatch(first.field);
  if (status === 'paid') {
    const operatorTransactionId = readTransactionId(textAt(json, 'providerTransactionId'));
    return { kind: 'paid', operatorTransactionId, confirmed: REPORTED_FIELDS };
  }
  if (status === 'pending') return pendingSince(asked.ageMs);
  return status === 'failed' ? readFailure(json) : mismatch('status');
}

function readFailure(json: ExactJson | undefined): Outcome {
  const code = textAt(json, 'failureReason', 'failureCode');
  const failure = finalFailure(code);
  if (code === undefined || failure === undefined) return mismatch('failureCode');
  return { kind: 'rejected', failure, cause: `FAILED ${code}` };
}

type Field = Readonly<{
  field: string;
  subject: ReportedField;
  isReported: boolean;
  isSent: boolean;
}>;

/** The fields of the answer that repeat what we sent. */
function fieldsOf(json: ExactJson | undefined, payout: Payout): readonly Field[] {
  const compare = (
    subject: ReportedField,
    path: readonly [string, ...string[]],
    isSame: (text: string) => boolean,
  ): Field => {
    const value = at(json, ...path) ?? null;
    const isSent = typeof value === 'string' && isSame(value);
    return { field: path.at(-1) ?? '', subject, isReported: value !== null, isSent };
  };
  const number = ['recipient', 'accountDetails', 'phoneNumber'] as const;
  return [
    compare('reference', ['payoutId'], (text) => text === payout.operatorReference),
    compare('amount', ['amount'], (text) => readAmountText(text) === payout.amountMinor),
    compare('currency', ['currency'], (text) => text === payout.currency),
    compare('number', number, (text) => toPhoneNumber(text) === toPhoneNumber(payout.phone)),
  ];
}

/**
 * Interprets the answer to a cancellation. Never `rejected` or `paid`: only the status of the payout may decide that.
 */
export function readCancellation(answer: Answered, payout: Payout): Outcome {
  const accepted = answer.status === 200 && textAt(answer.json, 'status') === 'ACCEPTED';
  if (!accepted) return { kind: 'unknown', cause: `not cancelled: ${describe(answer)}` };
  const isOurs = textAt(answer.json, 'payoutId') === payout.operatorReference;
  return isOurs ? pendingSince(0) : mismatch('payoutId');
}

/** Our balance in a country: in the provider's wallet if there is one, else in the common one. */
export function readBalance(
  answer: Answered,
  wanted: Readonly<{ country: string; currency: string; provider: string }>,
): BalanceAnswer {
  const balances = answer.status === 200 ? at(answer.json, 'balances') : undefined;
  if (!Array.isArray(balances)) return { kind: 'unreachable', cause: describe(answer) };
  const { country, currency, provider } = wanted;
  const ours = balances.filter(
    (row) => textAt(row, 'country') === country && textAt(row, 'currency') === currency,
  );
  const row =
    ours.find((candidate) => textAt(candidate, 'provider') === provider) ??
    ours.find((candidate) => (textAt(candidate, 'provider') ?? '') === '');
  const availableMinor = readAmountText(textAt(row, 'balance') ?? '');
  return availableMinor === undefined
    ? { kind: 'unreachable', cause: `the answer has no balance in ${currency}` }
    : { kind: 'known', availableMinor, currency, part: textAt(row, 'provider') ?? '' };
}

const PROVIDER = /^[A-Z0-9_]{3,40}$/;

export function readPrediction(answer: Answered): Prediction {
  const provider = answer.status === 200 ? textAt(answer.json, 'provider') : undefined;
  return provider !== undefined && PROVIDER.test(provider)
    ? { kind: 'known', operator: operatorOf(provider) }
    : { kind: 'unreachable', cause: describe(answer) };
}

function mismatched(contradicted: readonly ReportedField[], status: string): Outcome {
  const cause = `${status} with another ${contradicted.join(', ')}`;
  return { kind: 'mismatched', contradicted, cause };
}

function mismatch(field: string): Outcome {
  return { kind: 'unknown', cause: `the answer's ${field} is not what it must be` };
}

function describe(answer: Answered): string {
  const words = [
    textAt(answer.json, 'status'),
    textAt(answer.json, 'failureReason', 'failureCode'),
  ].filter(isPawapayCode);
  return [`HTTP ${answer.status}`, ...words].join(' ');
}
