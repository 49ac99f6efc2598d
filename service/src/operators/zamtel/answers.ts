import type { Outcome, ReportedField } from '../../domain/outcome.ts';
import type { Payout } from '../contract/connector.ts';
import { readAmountText } from '../wire/amount-text.ts';
import { at, type ExactJson, textAt } from '../wire/exact-json.ts';
import { isThrottled, throttled } from '../wire/no-answer.ts';
import type { WireAnswer } from '../wire/operator-wire.ts';
import { readTransactionId } from '../wire/transaction-id.ts';
import { meaningOfZamtelCode, shownZamtelCode } from './codes.ts';
import { zamtelMsisdn } from './requests.ts';
import type { ZamtelTerms } from './settings.ts';

const RETRY_UNSENT_MS = 5_000;

/** Interprets the only answer that there will ever be: if it is unclear, a person must check Zamtel's statement. */
export function payoutOutcome(
  answer: WireAnswer,
  payout: Payout,
  terms: Pick<ZamtelTerms, 'successNeedsTransactionId'>,
): Outcome {
  if (answer.kind === 'notSent') {
    return { kind: 'notSent', cause: answer.cause, retryInMs: RETRY_UNSENT_MS };
  }
  if (answer.kind === 'lost') return { kind: 'unknown', cause: answer.cause };
  if (isThrottled(answer)) return throttled(answer, `HTTP ${answer.status}`);
  if (answer.status !== 200) return { kind: 'unknown', cause: `HTTP ${answer.status}` };
  const { json } = answer;
  const code = statusOf(json);
  if (code === undefined) return { kind: 'unknown', cause: 'HTTP 200 without one clear status' };
  const echoes = readEchoes(json, payout);
  const wrong = echoes.filter(({ isSent }) => !isSent);
  const meaning = meaningOfZamtelCode(code);
  if (wrong.length > 0) {
    const cause = `the answer's ${wrong.map(({ field }) => field).join(', ')} is not what was sent`;
    const contradicted = wrong.map(({ subject }) => subject);
    return meaning === 'paid'
      ? { kind: 'mismatched', contradicted, cause }
      : { kind: 'unknown', cause };
  }
  const shown = shownZamtelCode(code);
  if (meaning === 'unknown') return { kind: 'unknown', cause: `status ${shown}` };
  if (meaning !== 'paid') {
    return { kind: 'rejected', failure: meaning, cause: `Zamtel refused it: status ${shown}` };
  }
  const operatorTransactionId = readTransactionId(textAt(json, 'TransactionId'));
  if (operatorTransactionId === null && terms.successNeedsTransactionId) {
    return { kind: 'unknown', cause: 'status 0 without a TransactionId' };
  }
  return { kind: 'paid', operatorTransactionId, confirmed: echoes.map(({ subject }) => subject) };
}

/** Most of Zamtel's clients read `status`, one reads `StatusCode`; if both are present they must agree. */
function statusOf(json: ExactJson | undefined): string | undefined {
  const codes = [at(json, 'status'), at(json, 'StatusCode')].filter((value) => value !== undefined);
  const [first] = codes;
  return typeof first === 'string' && codes.every((value) => value === first) ? first : undefined;
}

/**
 * The connection shows that the answer is to our request. Zamtel is not known to repeat the request's fields, but if it
 * does and they differ, the answer is not trusted.
 */
function readEchoes(json: ExactJson | undefined, payout: Payout): readonly Echo[] {
  const echo = (
    field: string,
    subject: ReportedField,
    isSame: (text: string) => boolean,
  ): Echo[] => {
    const value = at(json, field);
    if (value === undefined || value === null) return [];
    return [{ field, subject, isSent: typeof value === 'string' && isSame(value) }];
  };
  const reference = payout.operatorReference.toLowerCase();
  return [
    ...echo('ConversationId', 'reference', (text) => text.toLowerCase() === reference),
    ...echo('Amount', 'amount', (text) => readAmountText(text) === payout.amountMinor),
    ...echo('Msisdn', 'number', (text) => text === zamtelMsisdn(payout.phone)),
  ];
}

type Echo = Readonly<{ field: string; subject: ReportedField; isSent: boolean }>;
