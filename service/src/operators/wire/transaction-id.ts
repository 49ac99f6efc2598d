/** The width of its column. */
const TRANSACTION_ID = /^[ -~]{1,100}$/;

/** The operator's own id of a payout, or null if its text cannot be an id. */
export function readTransactionId(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  return TRANSACTION_ID.test(trimmed) ? trimmed : null;
}
