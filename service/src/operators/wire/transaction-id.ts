/** As wide as the column that keeps it. */
const TRANSACTION_ID = /^[ -~]{1,100}$/;

/** The operator's own id of a payout, or null when what it gave cannot be one. */
export function readTransactionId(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  return TRANSACTION_ID.test(trimmed) ? trimmed : null;
}
