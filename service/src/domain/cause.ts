/**
 * Why something happened, as events keep it: a code, and after it what an operator or a person said. People see the
 * sentence. Events that older versions stored have the sentence itself.
 */
export const CAUSES = {
  ACCEPTED: 'accepted',
  APPROVAL_REQUIRED: 'the policy requires an approval or a screening',
  CANCELLED_BY_MERCHANT: 'cancelled by the merchant',
  CANCELLED_BY_STAFF: 'cancelled by the staff',
  SCREENING_REFUSED: 'a screener refused it',
  RECIPIENT_DENIED: 'its number is on a deny list since it was ordered',
  EARLIER_MAY_BE_PAID:
    'it pays again what failed or was cancelled, and the operator may have paid that',
  SEND_TIME_CAME: 'its time to be sent has come',
  SEND_TIME_MISSED: 'its time to be sent passed longer ago than the policy allows',
  APPROVED_BY_PEOPLE: 'enough people approved it',
  APPROVAL_REJECTED: 'a person rejected it',
  APPROVAL_EXPIRED: 'it was not approved in time',
  APPROVAL_RECALLED: 'its maker recalled it',
  APPROVAL_IMPOSSIBLE: 'the people who are left cannot approve it',
  SCREENED: 'a screener allowed it',
  FILE_SUBMITTED: 'the file was submitted',
  FILE_NOT_SUBMITTED: 'the file of a schedule could not be submitted',
  FILE_PAID: 'every row has come to its end, or is in doubt',
  ROUTE_HAS_ROOM: 'its route has room for it',
  NO_ROUTE_FOR_AMOUNT: 'no route takes this amount now',
  NOT_SENT: 'it was not sent',
  OPERATOR_PAID: 'the operator paid',
  OPERATOR_PAID_UNSPECIFIED: 'the operator paid, and does not say what',
  OPERATOR_PAID_AND_RETURNED: 'the operator paid, and returned it later',
  OPERATOR_PAID_OTHERWISE: 'the operator paid, but reported something else than was sent',
  OPERATOR_REFUSED: 'the operator refused it',
  REFUSED_WHEN_SUBMITTED_AGAIN: 'refused when submitted again',
  REFUSED_AFTER_SUCCESS: 'the operator said paid, and now refuses',
  OPERATOR_HAS_IT: 'the operator has it',
  OPERATOR_HAS_IT_TOO_LONG: 'the operator says for too long that it has it',
  OPERATOR_SILENT_TOO_LONG: 'the operator has it, and gives no answer for too long',
  OPERATOR_RETURNED: 'the operator returned the money',
  OPERATOR_THROTTLES: 'the operator takes nothing now',
  ANSWER_UNCLEAR: 'the answer does not say whether it was paid',
  INQUIRY_UNANSWERED: 'the inquiry was not answered',
  INQUIRED_AGAIN: 'inquired again',
  INQUIRY_IMPOSSIBLE: 'no inquiry is possible',
  MAY_BE_SENT_INQUIRY_IMPOSSIBLE: 'it may have been sent, and no inquiry is possible',
  NOT_FOUND: 'the operator does not know it',
  NOT_FOUND_SUBMITTED_AGAIN: 'the operator does not know it: submitted again',
  NOT_FOUND_NO_ROOM: 'the operator does not know it, and takes nothing now',
  NEVER_RECEIVED: 'the operator never received it',
  DECIDED_BY_TWO_PEOPLE: 'two people decided, with evidence',
  NAME_GIVEN: 'the operator gave the name',
  NAME_NOT_RESOLVED: 'name not resolved',
  NAMES_NOT_GIVEN: 'the operator gives no names',
  ACCOUNT_UNKNOWN: 'the operator has no such account',
  BALANCE_LOW: 'fell below its mark',
  RECEIVER_GONE: 'The receiver answered 410 Gone.',
  RECEIVER_FAILED_TOO_LONG: 'No delivery has succeeded for 5 days.',
  DISABLED_BY_MERCHANT: 'Disabled by the merchant.',
  TEST_REQUESTED: 'asked for by the merchant',
} as const;

export type CauseCode = keyof typeof CAUSES;

/** Codes of older versions. Events never change, so what they stored keeps its sentence. */
const FORMER_CODES: Readonly<Record<string, CauseCode>> = { APPROVAL_ASKED: 'APPROVAL_REQUIRED' };

/** The width of the column that stores it. */
const CAUSE_LENGTH_MAX = 200;

/** `detail` may be an operator's text; PostgreSQL refuses its NUL characters. */
export function causeOf(code: CauseCode, detail = ''): string {
  if (detail === '') return code;
  return Array.from(`${code} ${detail.replace(/\p{Cc}/gu, ' ')}`)
    .slice(0, CAUSE_LENGTH_MAX)
    .join('');
}

/** The sentence for people, with the detail after it. */
export function describeCause(stored: string): string {
  const [, word = '', detail] = /^([A-Z_]+)(?: (.*))?$/s.exec(stored) ?? [];
  const code = FORMER_CODES[word] ?? word;
  if (!isCauseCode(code)) return stored;
  return detail === undefined ? CAUSES[code] : `${CAUSES[code]}: ${detail}`;
}

/** The sentence for a merchant: what two people of the staff wrote as evidence stays with the staff. */
export function hideEvidence(sentence: string): string {
  const decided = CAUSES.DECIDED_BY_TWO_PEOPLE;
  return sentence.startsWith(decided) ? decided : sentence;
}

function isCauseCode(text: string): text is CauseCode {
  return Object.hasOwn(CAUSES, text);
}
