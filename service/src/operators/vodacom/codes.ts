import type { FailureCode } from '../../domain/outcome.ts';

/** What a response code says about a payout. */
export type VodacomMeaning =
  | Readonly<{ kind: 'processed' }>
  /** Final, but only with one of the HTTP statuses that belong to the code. */
  | Readonly<{ kind: 'refused'; failure: FailureCode; httpStatuses: readonly number[] }>
  | Readonly<{ kind: 'unknown' }>;

const UNKNOWN: VodacomMeaning = { kind: 'unknown' };
const BAD_REQUEST: readonly number[] = [400];
/** Codes of the older list have no documented status; these are the statuses of a refusal. */
const ANY_REFUSAL: readonly number[] = [400, 401, 403, 422];

/**
 * Every known code of the M-Pesa OpenAPI. A code is final only if it says that the payout was refused before or instead
 * of being executed. Codes that may follow a payout that succeeded (a timeout, an internal error, a duplicate) are
 * unknown, and so is every code that is not listed.
 */
export const VODACOM_CODES: ReadonlyMap<string, VodacomMeaning> = new Map([
  ['INS-0', { kind: 'processed' }],
  ['INS-1', UNKNOWN], // internal error
  ['INS-2', refused('OPERATOR_REJECTED', ANY_REFUSAL)], // invalid API key
  ['INS-4', UNKNOWN], // user not active: whose is not said
  ['INS-5', UNKNOWN], // cancelled by the customer: not a payout's
  ['INS-6', refused('OPERATOR_REJECTED', [401])], // the transaction failed
  ['INS-9', UNKNOWN], // request timeout
  ['INS-10', UNKNOWN], // duplicate: the first one was received
  ['INS-13', refused('OPERATOR_REJECTED', BAD_REQUEST)], // short code
  ['INS-14', UNKNOWN],
  ['INS-15', refused('AMOUNT_REFUSED', BAD_REQUEST)],
  ['INS-16', UNKNOWN], // temporary overload
  ['INS-17', refused('OPERATOR_REJECTED', BAD_REQUEST)], // reference length
  ['INS-18', UNKNOWN],
  ['INS-19', UNKNOWN],
  ['INS-20', refused('OPERATOR_REJECTED', BAD_REQUEST)], // not all parameters
  ['INS-21', refused('OPERATOR_REJECTED', BAD_REQUEST)], // validation of the parameters
  ['INS-22', UNKNOWN],
  ['INS-23', UNKNOWN], // not found, or a status that it does not know
  ['INS-24', refused('OPERATOR_REJECTED', ANY_REFUSAL)], // initiator
  ['INS-25', refused('OPERATOR_REJECTED', ANY_REFUSAL)], // security credential
  ['INS-26', refused('OPERATOR_REJECTED', BAD_REQUEST)], // currency
  ['INS-28', refused('OPERATOR_REJECTED', BAD_REQUEST)], // ThirdPartyConversationID
  ['INS-30', UNKNOWN],
  ['INS-31', refused('OPERATOR_REJECTED', BAD_REQUEST)], // payment items description
  ['INS-35', UNKNOWN],
  ['INS-989', refused('OPERATOR_REJECTED', BAD_REQUEST)], // session creation
  ['INS-990', refused('RECIPIENT_LIMIT_REACHED', BAD_REQUEST)], // customer, value
  ['INS-991', refused('RECIPIENT_LIMIT_REACHED', BAD_REQUEST)], // customer, count
  ['INS-992', refused('RECIPIENT_LIMIT_REACHED', BAD_REQUEST)], // several limits
  ['INS-993', refused('OPERATOR_REJECTED', BAD_REQUEST)], // organisation, count
  ['INS-994', refused('OPERATOR_REJECTED', BAD_REQUEST)], // organisation, value
  ['INS-995', refused('AMOUNT_REFUSED', BAD_REQUEST)], // limit of a single payout
  ['INS-996', refused('OPERATOR_REJECTED', BAD_REQUEST)], // outside usage time
  ['INS-997', refused('OPERATOR_REJECTED', BAD_REQUEST)], // API not enabled
  ['INS-998', refused('OPERATOR_REJECTED', BAD_REQUEST)], // market
  ['INS-2001', refused('OPERATOR_REJECTED', ANY_REFUSAL)], // initiator authentication
  ['INS-2002', refused('RECIPIENT_NOT_FOUND', ANY_REFUSAL)], // receiver
  ['INS-2006', refused('OPERATOR_FLOAT_INSUFFICIENT', [422])],
  ['INS-2051', refused('RECIPIENT_NOT_FOUND', BAD_REQUEST)], // MSISDN
  ['INS-2057', UNKNOWN],
] satisfies [string, VodacomMeaning][]);

export function vodacomMeaning(code: string | undefined): VodacomMeaning {
  return (code === undefined ? undefined : VODACOM_CODES.get(code)) ?? UNKNOWN;
}

/** The status words of an inquiry; only `Completed` is documented. */
export const VODACOM_STATUSES: ReadonlyMap<string, 'paid' | 'pending' | 'failed'> = new Map([
  ['Completed', 'paid'],
  ['Pending', 'pending'],
  ['In Progress', 'pending'],
  ['Failed', 'failed'],
  ['Cancelled', 'failed'],
  ['Expired', 'failed'],
]);

/** The form of a code; nothing else of an answer is repeated in a cause. */
export function isVodacomCode(text: string | undefined): text is string {
  return text !== undefined && /^INS-[0-9]{1,5}$/.test(text);
}

function refused(failure: FailureCode, httpStatuses: readonly number[]): VodacomMeaning {
  return { kind: 'refused', failure, httpStatuses };
}
