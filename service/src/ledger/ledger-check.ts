/**
 * One thing that must hold in every book. The text is a query for what breaks it, with the columns
 * `book_id, wallet_id, transfer_id, message`; no row is good news. `$1` is taken by the number of
 * rows to list, so the check's own values start at `$2`.
 */
export type LedgerCheck = Readonly<{ name: string; text: string; values?: readonly unknown[] }>;
