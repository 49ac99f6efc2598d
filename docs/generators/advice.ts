import type { FailureCode } from '../../service/src/domain/outcome.ts';
import type { RefusalCode } from '../../service/src/domain/refusal-codes.ts';

/** What a developer does about each code. The message says what is wrong; this says what comes next. */
export const REFUSAL_ADVICE: Readonly<Record<RefusalCode, string>> = {
  INVALID_JSON: 'Send one JSON object. A name must not come twice.',
  VALIDATION_ERROR:
    'Correct every field under `fields`, then send it again with the same reference.',
  BAD_REQUEST: 'Look for a broken proxy or HTTP client.',
  UNAUTHORIZED: 'Check that the key is whole, not revoked and not expired, and sent once.',
  SIGN_IN_FAILED:
    'Check the address, the password and the clock of the device that shows the code.',
  FORBIDDEN:
    'Use a key with the scope, have your address added to the list of the key, or ask for the role.',
  OWN_WORK: 'Have another person do it, with their own account.',
  STEP_UP_REQUIRED: 'Show the second factor again, then send the same request.',
  SECOND_FACTOR_REQUIRED:
    'Show your second factor by `POST session/step-up`, or set one up under your account.',
  NOT_FOUND: 'Check the path against this page.',
  BOOK_NOT_FOUND: 'Take the id from `GET session`.',
  WALLET_NOT_FOUND: 'Take the id from `GET wallets`, with a key of the same mode.',
  TRANSFER_NOT_FOUND:
    'After a lost answer it means: not stored yet. Look again, or send it again with the same reference.',
  RECIPIENT_NOT_FOUND: 'Take the id from `GET transfer-recipients`, with a key of the same mode.',
  WEBHOOK_NOT_FOUND: 'Take the id from `GET webhooks`, with a key of the same mode.',
  KEY_NOT_FOUND: 'Take the id from `GET keys`, with `x-book` of the same book.',
  VIEW_NOT_FOUND: 'Take the id from `GET views`. Only the owner of a view can change it.',
  LIST_ENTRY_NOT_FOUND: 'List the entries and take the id from there.',
  SCREENER_NOT_FOUND: 'List the screeners and take the id from there.',
  PAYOUT_FILE_NOT_FOUND: 'Take the id from `GET payout-files`, with a key of the same mode.',
  SCHEDULE_NOT_FOUND: 'Take the id from `GET schedules`, with a key of the same mode.',
  PAYOUT_ROW_NOT_FOUND: 'Take the number from the rows of the file.',
  DELIVERY_NOT_FOUND: 'Take the id from the deliveries of the webhook.',
  SESSION_NOT_FOUND: 'Take the id from `GET session/sessions`. It may have ended by itself.',
  PERSON_NOT_FOUND: 'Take the id from the list of people.',
  INVITATION_NOT_FOUND: 'Ask the person who invited you for a new link.',
  METHOD_NOT_ALLOWED: 'Use a method of the `Allow` header.',
  REQUEST_TIMEOUT: 'Send it again. If it happens often, look at your connection.',
  DUPLICATE_REFERENCE:
    'When `samePayload` is true it is your own transfer: go on with it. Else two orders share this reference, or yours ' +
    'was changed after it was sent: compare it with `transfer`. Choose a new reference only if it is another order.',
  INVALID_STATE:
    'Get the transfer, file, schedule or webhook and look at its state. What is under way cannot be called back.',
  CONTENT_CHANGED:
    'Get it again, show it to the person, and send the `contentHash` that it has now.',
  ALREADY_DECIDED: 'Get it and look at its state and decisions.',
  FUNDING_REFERENCE_TAKEN_BACK: 'If the money did arrive, fund it under another reference.',
  LAST_OWNER: 'Make another person an owner, then send it again.',
  LAST_ADMIN: 'Make another person an admin, then send it again.',
  BODY_TOO_LARGE: 'Split the call into smaller ones.',
  UNSUPPORTED_MEDIA_TYPE: 'Set `content-type: application/json` and do not compress the body.',
  INSUFFICIENT_BALANCE: 'Fund the wallet or pay less, then send it again with the same reference.',
  CURRENCY_MISMATCH: 'Pay from a wallet in the currency of the country.',
  WALLET_INACTIVE: 'Pay from another wallet, or ask us why this one is frozen.',
  OPERATOR_NOT_AVAILABLE: '`GET operators` lists the operators that this book can pay.',
  AMOUNT_OUT_OF_BOUNDS: 'Keep within `min` and `max` of `GET operators`.',
  LIMIT_EXCEEDED: 'Wait until tomorrow, or have the limit raised. Of webhooks: delete one first.',
  POLICY_REFUSED:
    'The rule is named under `rule`. Pay otherwise, or ask an owner to change the policy.',
  RECIPIENT_DENIED: 'Check the number. An owner can end the entry of the list.',
  EARLIER_MAY_BE_PAID:
    'Do not pay it in another way. Ask the company that runs the service what became of the first payout.',
  APPROVAL_IMPOSSIBLE:
    'Give more people the roles that the rule names, or change the rule; then send it again.',
  FILE_HAS_PROBLEMS:
    'Read the rows with problems, correct or drop them, then submit the file again.',
  FILE_UNREADABLE:
    'Do what the message says. `problem` has the reason as a code. Columns named phone and amount must be there.',
  ACCOUNT_NOT_FOUND: 'Ask the recipient for the number and the operator again.',
  IDEMPOTENCY_KEY_REUSED: 'Make a new key for each new request.',
  RATE_LIMITED: 'Wait as long as `Retry-After` says, then send it again unchanged.',
  HEADERS_TOO_LARGE: 'Send fewer or shorter headers; cookies are not needed.',
  INTERNAL_ERROR: 'Get the transfer by its reference. When there is none, send it again unchanged.',
  UNAVAILABLE:
    'Wait as long as `Retry-After` says, then send it again unchanged. Where the database did not confirm, it may have ' +
    'been stored all the same: the same reference makes sending again harmless. Where `X-Should-Retry` is false, it was ' +
    'or may be stored and would be stored twice: do what the message says.',
  CELL_UNAVAILABLE: 'Wait as long as `Retry-After` says, then send it again unchanged.',
};

export const FAILURE_ADVICE: Readonly<Record<FailureCode, string>> = {
  RECIPIENT_NOT_FOUND: 'Ask the recipient for the number and the operator, then pay again.',
  RECIPIENT_NOT_ALLOWED: 'The recipient must settle it with the operator, or give another number.',
  RECIPIENT_LIMIT_REACHED: 'Pay again later, or pay less: the account is full for now.',
  AMOUNT_REFUSED: 'Look at the bounds in `GET operators`, then pay another amount.',
  OPERATOR_REJECTED: 'The operator gives no better reason. Ask the recipient, then try once more.',
  OPERATOR_FLOAT_INSUFFICIENT: 'Pay again later: it is on our side, not on yours.',
  CANCELLED: 'Nothing to do: you cancelled it.',
  APPROVAL_REJECTED: 'Ask who rejected it why. To pay after all, use a new reference.',
  APPROVAL_EXPIRED: 'Pay again under a new reference, and have it approved in time.',
  APPROVAL_RECALLED: 'Nothing to do: its maker recalled it.',
  SCREENING_REFUSED: 'Ask the people who run the screener why.',
};
