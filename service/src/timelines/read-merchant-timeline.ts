import { listDecisions } from '../approvals/read-decisions.ts';
import type { Book } from '../domain/book.ts';
import { refuse } from '../domain/refusal.ts';
import type { Transfer } from '../domain/transfer.ts';
import { isFloatBelow } from '../floats/judge-floats.ts';
import type { Queryable } from '../postgres/database.ts';
import { findTransfer } from '../transfers/read/find-transfer.ts';
import { listTransfers, NO_FILTER } from '../transfers/read/list-transfers.ts';
import { readTransferDeliveries } from '../webhooks/read-transfer-deliveries.ts';
import { explainTransfer, type WaitingReason } from './explain-transfer.ts';
import { listLooks } from './list-looks.ts';
import {
  describeApproval,
  describeDelivery,
  describeLook,
  merchantWords,
} from './merchant-entries.ts';
import { nameActors } from './name-actors.ts';
import { readEntries } from './read-timeline.ts';
import { readWhyAwaiting } from './read-why-awaiting.ts';
import { type ShownEntry, showEntry } from './shown-entry.ts';

const EARLIER_SHOWN_MAX = 5;

export type MerchantTimeline = Readonly<{
  why: WaitingReason;
  /** Oldest first. */
  entries: readonly ShownEntry[];
  /** The last payouts to the same number before this one, newest first. */
  earlier: readonly Transfer[];
}>;

/** Reads the history that a merchant may see of its transfer, and why the transfer is where it is. */
export async function readMerchantTimeline(
  { database, directory }: Readonly<{ database: Queryable; directory: Queryable }>,
  { book, id, now }: Readonly<{ book: Book; id: string; now: Date }>,
): Promise<MerchantTimeline> {
  const { id: bookId, mode, merchantId, isSuspended } = book;
  const transfer = await findTransfer(database, { bookId, mode, id });
  if (transfer === undefined) throw refuse('TRANSFER_NOT_FOUND');
  const entries = await readEntries(database, transfer);
  const events = entries.flatMap((entry) => (entry.sort === 'event' ? [entry.event] : []));
  const nameOf = await nameActors(
    database,
    { bookId, merchantId },
    { codes: events.map(({ actor }) => actor), creator: events[0]?.actor },
  );
  const times = events.map(({ at }) => at);
  const deliveries = await readTransferDeliveries(database, { bookId, subjectId: id, times });
  const words = merchantWords({ transfer, nameOf });
  const shown = [
    // What people decide causes what the transfer then does, at the same moment.
    ...(await listDecisions(database, { bookId, kind: 'transfer', id })).map(describeApproval),
    ...entries.map((entry) => showEntry(entry, words)),
    ...deliveries.map(describeDelivery),
    ...(await listLooks(database, { bookId, transferId: id })).map(describeLook),
  ];
  const earlier = await listTransfers(database, {
    book,
    filter: { ...NO_FILTER, phone: transfer.phone },
    page: { limit: EARLIER_SHOWN_MAX, before: id },
  });
  // Only queued transfers wait for the float.
  const isFloatLow = transfer.state === 'queued' && (await isFloatBelow(directory, transfer));
  const whyAwaiting = await readWhyAwaiting(database, { transfer, merchantId, history: events });
  return {
    why: explainTransfer(transfer, { isSuspended, isFloatLow, whyAwaiting, now }),
    // The sort is stable: entries of the same moment keep the order of cause and effect.
    entries: shown.sort((a, b) => a.at.getTime() - b.at.getTime()),
    earlier: earlier.items,
  };
}
