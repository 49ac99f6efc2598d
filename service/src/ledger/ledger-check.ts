/**
 * One rule that must hold in every book. The text is a query for violations, with the columns `book_id, wallet_id,
 * transfer_id, message`; no row means that the rule holds. `$1` is the number of rows to list, so the check's own
 * values start at `$2`.
 */
export type LedgerCheck = Readonly<{ name: string; text: string; values?: readonly unknown[] }>;
