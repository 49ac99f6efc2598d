import { readWaitsFor, type WaitsFor } from '../approvals/transfers/read-waits-for.ts';
import type { HeldBackReason } from '../domain/held-back.ts';
import type { Transfer } from '../domain/transfer.ts';
import type { Queryable } from '../postgres/database.ts';
import type { HistoryEntry } from '../transfers/read/read-history.ts';
import { findHeldBack } from './find-held-back.ts';

/** Why a transfer is in `awaiting_approval`: it was held back when it was to be sent, or it waits for people or a screener. */
export type WhyAwaiting = HeldBackReason | WaitsFor;

/** Null: it is in another state. */
export async function readWhyAwaiting(
  database: Queryable,
  {
    transfer,
    merchantId,
    history,
  }: Readonly<{ transfer: Transfer; merchantId: string; history: readonly HistoryEntry[] }>,
): Promise<WhyAwaiting | null> {
  const { state, bookId, mode, id } = transfer;
  if (state !== 'awaiting_approval') return null;
  return (
    findHeldBack(history) ?? (await readWaitsFor(database, { id: bookId, mode, merchantId }, id))
  );
}
