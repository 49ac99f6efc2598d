import type { RefusalWord } from '../kernel/refusal-words.ts';

/**
 * `done`, `failed`: the payout ended. `open`: the operator has it, and only a query shows its end.
 * `rejected`: the request was refused on arrival, and no query finds it.
 */
type CodeKind = 'done' | 'failed' | 'open' | 'rejected';

export type CodeFacts = Readonly<{ kind: CodeKind; httpStatus: number; description: string }>;

function code(kind: CodeKind, httpStatus: number, description: string): CodeFacts {
  return { kind, httpStatus, description };
}

const CODES: Readonly<Record<string, CodeFacts>> = {
  'INS-0': code('done', 201, 'Request processed successfully'),
  'INS-1': code('open', 400, 'Internal Error'),
  'INS-2': code('rejected', 401, 'Invalid API Key'),
  'INS-4': code('failed', 400, 'User is not active'),
  'INS-5': code('failed', 400, 'Transaction cancelled by customer'),
  'INS-6': code('failed', 401, 'Transaction Failed'),
  'INS-9': code('open', 408, 'Request timeout'),
  'INS-10': code('rejected', 409, 'Duplicate Transaction'),
  'INS-13': code('rejected', 400, 'Invalid Shortcode Used'),
  'INS-14': code('rejected', 400, 'Invalid Reference Used'),
  'INS-15': code('rejected', 400, 'Invalid Amount Used'),
  'INS-16': code('open', 503, 'Unable to handle the request due to a temporary overloading'),
  'INS-17': code(
    'rejected',
    400,
    'Invalid Transaction Reference. Length Should Be Between 1 and 20.',
  ),
  'INS-18': code('rejected', 400, 'Invalid TransactionID Used'),
  'INS-19': code('rejected', 400, 'Invalid ThirdPartyReference Used'),
  'INS-20': code('rejected', 400, 'Not All Parameters Provided. Please try again.'),
  'INS-21': code('rejected', 400, 'Parameter validations failed. Please try again.'),
  'INS-22': code('rejected', 400, 'Invalid Operation Type'),
  'INS-23': code('open', 400, 'Unknown Status. Contact M-Pesa Support'),
  'INS-24': code('rejected', 400, 'Invalid InitiatorIdentifier Used'),
  'INS-25': code('rejected', 400, 'Invalid SecurityCredential Used'),
  'INS-26': code('rejected', 400, 'Invalid Currency Used'),
  'INS-28': code('rejected', 400, 'Invalid ThirdPartyConversationID Used'),
  'INS-30': code('rejected', 400, 'Invalid Purchased Items Description Used'),
  'INS-31': code('rejected', 400, 'Invalid Payment Items Description Used'),
  'INS-35': code('rejected', 400, 'Transaction does not belong to this organisation'),
  'INS-989': code('rejected', 400, 'Session Creation Failed'),
  'INS-990': code('failed', 400, 'Customer Transaction Value Limit Breached'),
  'INS-991': code('failed', 400, 'Customer Transaction Count Limit Breached'),
  'INS-992': code('failed', 400, 'Multiple Limits Breached'),
  'INS-993': code('failed', 400, 'Organization Transaction Count Limit Breached'),
  'INS-994': code('failed', 400, 'Organization Transaction Value Limit Breached'),
  'INS-995': code('rejected', 400, 'API Single Transaction Limit Breached'),
  'INS-996': code('rejected', 400, 'API Being Used Outside Of Usage Time'),
  'INS-997': code('rejected', 400, 'API Not Enabled'),
  'INS-998': code('rejected', 400, 'Invalid Market'),
  'INS-2001': code('failed', 400, 'Initiator authentication error'),
  'INS-2002': code('failed', 400, 'Receiver invalid'),
  'INS-2006': code('failed', 422, 'Insufficient balance'),
  'INS-2051': code('failed', 400, 'MSISDN invalid'),
  'INS-2057': code('failed', 400, 'Language code invalid'),
};

/** Every code that this operator can answer a payout with. */
export const INS_CODES: readonly string[] = Object.keys(CODES);

const UNLISTED = code('failed', 400, 'Transaction Failed');

/** A code that is not in the documents counts as a failure that callers do not know. */
export function codeFacts(insCode: string): CodeFacts {
  return (Object.hasOwn(CODES, insCode) ? CODES[insCode] : undefined) ?? UNLISTED;
}

/** This operator's codes for the refusals that all operators have. */
export const REFUSAL_CODES: Readonly<Record<RefusalWord, string>> = {
  'recipient-not-found': 'INS-2051',
  'recipient-limit': 'INS-990',
  'float-insufficient': 'INS-2006',
  declined: 'INS-6',
};
