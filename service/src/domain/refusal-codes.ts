/**
 * Every refusal of the service. One table, so that a code cannot exist without an HTTP status, advice on retrying and a
 * sentence for people. docs/error-codes.md is generated from it.
 */
type RefusalRule = Readonly<{
  status: number;
  /** Whether the same request, sent again unchanged, may succeed. */
  retryable: boolean;
  message: string;
  /** Only people with a session get it, never a program with a key. */
  isForPeople?: true;
}>;

export const REFUSALS = {
  INVALID_JSON: {
    status: 400,
    retryable: false,
    message: 'The body is not one valid JSON object in UTF-8. Nothing was stored.',
  },
  VALIDATION_ERROR: {
    status: 400,
    retryable: false,
    message: 'Some fields are not valid. Each is listed under fields. Nothing was stored.',
  },
  BAD_REQUEST: {
    status: 400,
    retryable: false,
    message: 'The request is not valid HTTP. Nothing was stored.',
  },
  UNAUTHORIZED: {
    status: 401,
    retryable: false,
    message: 'Send one valid API key in the x-api-key header, or sign in.',
  },
  SIGN_IN_FAILED: {
    status: 401,
    isForPeople: true,
    retryable: false,
    message:
      'The e-mail address, the password or the code is wrong, or there were too many attempts. Wait a minute, then try again.',
  },
  FORBIDDEN: {
    status: 403,
    retryable: false,
    message:
      'You may not do that: the API key lacks the scope or this address is not on its list, your roles do not allow it, or the merchant is suspended.',
  },
  OWN_WORK: {
    status: 403,
    isForPeople: true,
    retryable: false,
    message: 'You did the first part of this yourself. Another person must do the second.',
  },
  STEP_UP_REQUIRED: {
    status: 403,
    isForPeople: true,
    retryable: true,
    message:
      'Show your second factor again: POST /api/v1/session/step-up. It counts for 5 minutes.',
  },
  SECOND_FACTOR_REQUIRED: {
    status: 403,
    isForPeople: true,
    retryable: false,
    message:
      'This needs a second factor, and this session has not shown one. Show yours, or set one up, under My account.',
  },
  NOT_FOUND: { status: 404, retryable: false, message: 'There is nothing at this path.' },
  BOOK_NOT_FOUND: {
    status: 404,
    isForPeople: true,
    retryable: false,
    message: 'You have no book with this id.',
  },
  WALLET_NOT_FOUND: { status: 404, retryable: false, message: 'No wallet with this id.' },
  TRANSFER_NOT_FOUND: { status: 404, retryable: false, message: 'No such transfer.' },
  RECIPIENT_NOT_FOUND: { status: 404, retryable: false, message: 'No recipient with this id.' },
  WEBHOOK_NOT_FOUND: { status: 404, retryable: false, message: 'No webhook with this id.' },
  KEY_NOT_FOUND: {
    status: 404,
    isForPeople: true,
    retryable: false,
    message: 'No key with this id in this book.',
  },
  VIEW_NOT_FOUND: {
    status: 404,
    isForPeople: true,
    retryable: false,
    message: 'You have no view with this id.',
  },
  LIST_ENTRY_NOT_FOUND: {
    status: 404,
    isForPeople: true,
    retryable: false,
    message: 'No entry with this id on the lists of this book.',
  },
  SCREENER_NOT_FOUND: {
    status: 404,
    isForPeople: true,
    retryable: false,
    message: 'No screener with this id.',
  },
  PAYOUT_FILE_NOT_FOUND: { status: 404, retryable: false, message: 'No payout file with this id.' },
  SCHEDULE_NOT_FOUND: { status: 404, retryable: false, message: 'No schedule with this id.' },
  PAYOUT_ROW_NOT_FOUND: {
    status: 404,
    retryable: false,
    message: 'The payout file has no row with this number.',
  },
  DELIVERY_NOT_FOUND: { status: 404, retryable: false, message: 'No delivery with this id.' },
  SESSION_NOT_FOUND: {
    status: 404,
    isForPeople: true,
    retryable: false,
    message: 'You have no open session with this id.',
  },
  PERSON_NOT_FOUND: {
    status: 404,
    isForPeople: true,
    retryable: false,
    message: 'No such person here. The list of people shows who there is.',
  },
  INVITATION_NOT_FOUND: {
    status: 404,
    isForPeople: true,
    retryable: false,
    message:
      'There is no such invitation: it was used, withdrawn, replaced or is older than 24 hours. Ask for a new one.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    retryable: false,
    message: 'This path does not take this method. The Allow header lists those it takes.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    retryable: true,
    message: 'The request did not arrive in time. Nothing was stored.',
  },
  DUPLICATE_REFERENCE: {
    status: 409,
    retryable: false,
    message:
      'A transfer with this reference exists. It is under transfer; samePayload says whether it means the same.',
  },
  INVALID_STATE: {
    status: 409,
    retryable: false,
    message: 'It is no longer in a state in which this is possible.',
  },
  EARLIER_MAY_BE_PAID: {
    status: 409,
    retryable: false,
    message:
      'This pays again what failed or was cancelled, and the operator says since that it paid that, or is being asked. The staff looks at it: ask the company that runs this service before you pay it again. Nothing was stored.',
  },
  CONTENT_CHANGED: {
    status: 409,
    retryable: false,
    message:
      'What you decide about is not what you were shown: the contentHash is another. Look at it again, then decide.',
  },
  ALREADY_DECIDED: {
    status: 409,
    retryable: false,
    message: 'You decided about this already, or it waits for no decision any more.',
  },
  FUNDING_REFERENCE_TAKEN_BACK: {
    status: 409,
    isForPeople: true,
    retryable: false,
    message: 'The funding with this reference was taken back. Nothing was booked now.',
  },
  LAST_OWNER: {
    status: 409,
    isForPeople: true,
    retryable: false,
    message:
      'This is the last owner of the merchant. Make another person an owner first. Nothing was changed.',
  },
  LAST_ADMIN: {
    status: 409,
    isForPeople: true,
    retryable: false,
    message: 'This is the last admin. Make another person an admin first. Nothing was changed.',
  },
  BODY_TOO_LARGE: {
    status: 413,
    retryable: false,
    message: 'The body is larger than this path takes. Nothing was stored.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    retryable: false,
    message: 'Send application/json in UTF-8, not compressed. Nothing was stored.',
  },
  INSUFFICIENT_BALANCE: {
    status: 422,
    retryable: false,
    message: 'The wallet does not hold enough for the amount and its fee. Nothing was stored.',
  },
  CURRENCY_MISMATCH: {
    status: 422,
    retryable: false,
    message: 'The wallet is in another currency than the country pays in. Nothing was stored.',
  },
  WALLET_INACTIVE: {
    status: 422,
    retryable: false,
    message: 'The wallet is frozen. Nothing was stored.',
  },
  OPERATOR_NOT_AVAILABLE: {
    status: 422,
    retryable: false,
    message: 'No route to this operator in this country is set up. Nothing was stored.',
  },
  AMOUNT_OUT_OF_BOUNDS: {
    status: 422,
    retryable: false,
    message:
      'The operator does not take this amount: GET operators lists its bounds. Nothing was stored.',
  },
  LIMIT_EXCEEDED: {
    status: 422,
    retryable: false,
    message: "The wallet's limit for today would be exceeded. Nothing was stored.",
  },
  POLICY_REFUSED: {
    status: 422,
    retryable: false,
    message: 'A rule of the policy refuses it. Nothing was stored.',
  },
  RECIPIENT_DENIED: {
    status: 422,
    retryable: false,
    message: 'This number is on a deny list. Nothing was stored.',
  },
  APPROVAL_IMPOSSIBLE: {
    status: 422,
    retryable: false,
    message:
      'The policy asks for approvals that no people of this book can give. Nothing was stored.',
  },
  FILE_HAS_PROBLEMS: {
    status: 422,
    retryable: false,
    message:
      'Some rows of the file cannot be paid. Correct or drop them, then submit it. Nothing was submitted.',
  },
  FILE_UNREADABLE: {
    status: 422,
    retryable: false,
    message: 'The file cannot be read as a list of payouts. Nothing was stored.',
  },
  ACCOUNT_NOT_FOUND: {
    status: 422,
    retryable: false,
    message: 'The operator has no account for this number. Nothing was stored.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    retryable: false,
    message: 'This Idempotency-Key was used for another request. Nothing was stored.',
  },
  RATE_LIMITED: {
    status: 429,
    retryable: true,
    message: 'Too many requests. Wait as long as Retry-After says. Nothing was stored.',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    retryable: false,
    message: 'The headers are too large. Nothing was stored.',
  },
  INTERNAL_ERROR: {
    status: 500,
    retryable: true,
    message:
      'Something went wrong on our side. Look the transfer up by its reference before sending it again.',
  },
  UNAVAILABLE: {
    status: 503,
    retryable: true,
    message: 'The service cannot take this now. Nothing was stored: try again after Retry-After.',
  },
  CELL_UNAVAILABLE: {
    status: 503,
    retryable: true,
    message:
      'The database of this book cannot be reached now. Nothing was stored: try again after Retry-After.',
  },
} as const satisfies Readonly<Record<string, RefusalRule>>;

export type RefusalCode = keyof typeof REFUSALS;
