import type { FailureCode } from '../../domain/outcome.ts';

/**
 * The meaning of one of Airtel's codes. A code that is not in the table means `doubt`: it can neither confirm nor
 * refuse a payout.
 */
type CodeMeaning =
  | Readonly<{ kind: 'paid' }>
  | Readonly<{ kind: 'pending' }>
  | Readonly<{ kind: 'doubt' }>
  /** Airtel has seen the id before; only an inquiry can tell the status of that order. */
  | Readonly<{ kind: 'duplicate' }>
  | Readonly<{ kind: 'notFound' }>
  /** No money moves for this request, now or later. */
  | Readonly<{ kind: 'refused'; failure: FailureCode; keyIsSuspect?: true }>
  /** The answer to a request that is not about a payout. */
  | Readonly<{ kind: 'answered'; lookup: 'user' | 'balance' | 'key' }>;

export type CodeEntry = Readonly<{ meaning: CodeMeaning; says: string }>;

const PAID = { kind: 'paid' } as const;
const PENDING = { kind: 'pending' } as const;
const DOUBT = { kind: 'doubt' } as const;
const DUPLICATE = { kind: 'duplicate' } as const;
/** A problem of our own account or configuration. */
const REFUSED_US = { kind: 'refused', failure: 'OPERATOR_REJECTED' } as const;
/** The same, but possibly because Airtel has changed its public key since we fetched it. */
const REFUSED_KEY = { ...REFUSED_US, keyIsSuspect: true } as const;

function refused(failure: FailureCode): CodeMeaning {
  return { kind: 'refused', failure };
}

const CODES = {
  // Disbursement.
  DP00900001000: { meaning: DOUBT, says: 'ambiguous' },
  DP00900001001: { meaning: PAID, says: 'success' },
  DP00900001003: { meaning: refused('RECIPIENT_LIMIT_REACHED'), says: 'daily maximum reached' },
  DP00900001004: { meaning: refused('AMOUNT_REFUSED'), says: 'amount out of range' },
  DP00900001005: { meaning: refused('OPERATOR_REJECTED'), says: 'failed' },
  DP00900001006: { meaning: PENDING, says: 'in process' },
  DP00900001007: { meaning: refused('OPERATOR_FLOAT_INSUFFICIENT'), says: 'insufficient funds' },
  DP00900001009: { meaning: refused('RECIPIENT_NOT_FOUND'), says: 'initiatee invalid' },
  DP00900001010: { meaning: REFUSED_US, says: 'payer not an allowed user' },
  DP00900001011: { meaning: DUPLICATE, says: 'a similar one exists' },
  DP00900001012: { meaning: refused('RECIPIENT_NOT_FOUND'), says: 'mobile number incorrect' },
  DP00900001013: { meaning: refused('OPERATOR_REJECTED'), says: 'refused' },
  DP00900001014: { meaning: DOUBT, says: 'timed out, may have been processed' },
  DP00900001015: { meaning: { kind: 'notFound' }, says: 'not found' },
  DP00900001016: { meaning: REFUSED_KEY, says: 'signature mismatch' },
  DP00900001017: { meaning: DUPLICATE, says: 'duplicate id' },
  DP00900001018: { meaning: REFUSED_KEY, says: 'signature mismatch' },
  DP00900001019: { meaning: REFUSED_US, says: 'sender barred' },
  // User enquiry, balance, encryption keys.
  DP02200000000: { meaning: DOUBT, says: 'user enquiry failed' },
  DP02200000001: { meaning: { kind: 'answered', lookup: 'user' }, says: 'user found' },
  DP02200000002: { meaning: refused('RECIPIENT_NOT_FOUND'), says: 'user not found' },
  DP02100000000: { meaning: DOUBT, says: 'balance enquiry failed' },
  DP02100000001: { meaning: { kind: 'answered', lookup: 'balance' }, says: 'balance read' },
  DP02100000002: { meaning: DOUBT, says: 'invalid number in a balance enquiry' },
  DP02010001000: { meaning: DOUBT, says: 'encryption key not given' },
  DP02010001001: { meaning: { kind: 'answered', lookup: 'key' }, says: 'encryption key given' },
  // The gateway in front of all of them.
  ROUTER001: { meaning: REFUSED_US, says: 'wallet not configured' },
  ROUTER003: { meaning: REFUSED_US, says: 'mandatory parameter or header missing' },
  ROUTER005: { meaning: REFUSED_US, says: 'country route not configured' },
  ROUTER006: { meaning: REFUSED_US, says: 'invalid country' },
  ROUTER007: { meaning: REFUSED_US, says: 'not authorised in the country' },
  ROUTER112: { meaning: REFUSED_US, says: 'invalid currency' },
  ROUTER114: { meaning: REFUSED_US, says: 'error validating the PIN' },
  ROUTER115: { meaning: REFUSED_US, says: 'PIN incorrect' },
  ROUTER116: { meaning: REFUSED_KEY, says: 'encrypted PIN value wrong' },
  ROUTER117: { meaning: DOUBT, says: 'error generating the response' },
  ROUTER119: { meaning: REFUSED_US, says: 'currency header missing' },
  // The deprecated codes. None is documented as final, so none of them is a refusal.
  ESB000001: { meaning: DOUBT, says: 'something went wrong' },
  ESB000004: { meaning: DOUBT, says: 'error initiating' },
  ESB000008: { meaning: DOUBT, says: 'field validation' },
  ESB000010: { meaning: PAID, says: 'success' },
  ESB000011: { meaning: DOUBT, says: 'failed' },
  ESB000014: { meaning: DOUBT, says: 'error fetching the status' },
  ESB000033: { meaning: DOUBT, says: 'length of the number' },
  ESB000034: { meaning: DOUBT, says: 'country' },
  ESB000035: { meaning: DOUBT, says: 'currency' },
  ESB000036: { meaning: DOUBT, says: 'length of the number' },
  ESB000039: { meaning: DOUBT, says: 'vendor not configured for the country' },
} as const satisfies Record<string, CodeEntry>;

type AirtelCode = keyof typeof CODES;

export const AIRTEL_CODES: ReadonlyMap<string, CodeEntry> = new Map<AirtelCode, CodeEntry>(
  Object.entries(CODES) as [AirtelCode, CodeEntry][],
);

const UNLISTED: CodeEntry = { meaning: DOUBT, says: 'a code that is not listed' };
const MISSING: CodeEntry = { meaning: DOUBT, says: 'no code' };

export function entryOf(code: string | undefined): CodeEntry {
  return code === undefined ? MISSING : (AIRTEL_CODES.get(code) ?? UNLISTED);
}
