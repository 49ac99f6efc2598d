/** Every code that the service answers calls of the SDK with, made with a key or with a session. */
export const ERROR_CODES = [
  'INVALID_JSON',
  'VALIDATION_ERROR',
  'BAD_REQUEST',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'OWN_WORK',
  'STEP_UP_REQUIRED',
  'SECOND_FACTOR_REQUIRED',
  'NOT_FOUND',
  'BOOK_NOT_FOUND',
  'WALLET_NOT_FOUND',
  'TRANSFER_NOT_FOUND',
  'RECIPIENT_NOT_FOUND',
  'WEBHOOK_NOT_FOUND',
  'PAYOUT_FILE_NOT_FOUND',
  'PAYOUT_ROW_NOT_FOUND',
  'FILE_UNREADABLE',
  'SCHEDULE_NOT_FOUND',
  'DELIVERY_NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'REQUEST_TIMEOUT',
  'DUPLICATE_REFERENCE',
  'INVALID_STATE',
  'CONTENT_CHANGED',
  'ALREADY_DECIDED',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'INSUFFICIENT_BALANCE',
  'CURRENCY_MISMATCH',
  'WALLET_INACTIVE',
  'OPERATOR_NOT_AVAILABLE',
  'AMOUNT_OUT_OF_BOUNDS',
  'LIMIT_EXCEEDED',
  'POLICY_REFUSED',
  'RECIPIENT_DENIED',
  'APPROVAL_IMPOSSIBLE',
  'EARLIER_MAY_BE_PAID',
  'FILE_HAS_PROBLEMS',
  'ACCOUNT_NOT_FOUND',
  'IDEMPOTENCY_KEY_REUSED',
  'RATE_LIMITED',
  'HEADERS_TOO_LARGE',
  'INTERNAL_ERROR',
  'UNAVAILABLE',
  'CELL_UNAVAILABLE',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** What can go wrong without, or before, an answer of the service. */
export type ClientErrorCode =
  /** The service could not be reached, or the connection broke. */
  | 'CONNECTION_FAILED'
  /** No answer within `timeoutMs`. */
  | 'TIMEOUT'
  /** A wait, such as `waitUntilFinal`, took as long as it may. The transfer or the file is not lost. */
  | 'STILL_PENDING'
  /** Your `signal` ended the call. */
  | 'ABORTED'
  /** Something answered, but not Kafue: a proxy, or a wrong `baseUrl`. */
  | 'UNEXPECTED_ANSWER'
  /** The call cannot be made like that; nothing was sent. */
  | 'INVALID_ARGUMENT';

/** What can be wrong with a field. */
export const FIELD_CODES = [
  'REQUIRED',
  'UNKNOWN_FIELD',
  'INVALID_AMOUNT',
  'INVALID_REFERENCE',
  'INVALID_PHONE',
  'INVALID_OPERATOR',
  'INVALID_COUNTRY',
  'INVALID_WALLET_ID',
  'TOO_LONG',
  'INVALID_TEXT',
  'INVALID_URL',
  'INVALID_EVENTS',
  'INVALID_LIST',
  'INVALID_STATUS',
  'INVALID_STATE',
  'INVALID_LIMIT',
  'INVALID_CURSOR',
  'INVALID_METADATA',
  'INVALID_SEND_AT',
  'INVALID_TIME',
  'INVALID_RECURRENCE',
  'INVALID_DATE',
  'INVALID_ID',
  'TAKEN',
] as const;
export type FieldCode = (typeof FIELD_CODES)[number];

/** One broken field of a VALIDATION_ERROR. */
export type FieldProblem = Readonly<{ field: string; code: FieldCode; message: string }>;
