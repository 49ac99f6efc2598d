export type KafueWebhookErrorCode =
  /** A header of the signature is missing: it is no delivery of Kafue's. */
  | 'MISSING_HEADER'
  /** The time in the headers is not one. */
  | 'INVALID_TIMESTAMP'
  /** Signed too long ago, or in the future: an old delivery sent again, or a wrong clock. */
  | 'OUTSIDE_TOLERANCE'
  /** No signature fits: it was not signed with this secret, or was changed on its way. */
  | 'INVALID_SIGNATURE'
  /** It was signed with the secret, but is no event. */
  | 'INVALID_PAYLOAD'
  /** What was given as secret is none. */
  | 'INVALID_SECRET';

/** A delivery that must not be believed. Answer it with 400, and with 500 if the code is INVALID_SECRET. */
export class KafueWebhookError extends Error {
  readonly code: KafueWebhookErrorCode;

  constructor(code: KafueWebhookErrorCode, message: string) {
    super(message);
    this.name = 'KafueWebhookError';
    this.code = code;
  }
}
