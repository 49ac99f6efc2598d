import type { Mode } from '../domain/transfer.ts';
import { type EventType, eventId } from '../events/event-types.ts';
import {
  type EventKey,
  eventKey,
  keyColumns,
  type RecordedEvent,
  type ShowSubjects,
} from '../events/recorded-event.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { renderTestSubject } from './render-test-subject.ts';
import { showEndpoints } from './show-endpoints.ts';
import { showFiles } from './show-files.ts';
import { showNotSubmitted } from './show-not-submitted.ts';
import { showRecipients } from './show-recipients.ts';
import { showTransfers } from './show-transfers.ts';
import { showWallets } from './show-wallets.ts';

/** An event as merchants receive it, in the feed and in every delivery. */
export type RenderedEvent = Readonly<{
  id: string;
  type: EventType;
  createdAt: string;
  mode: Mode;
  sequence: number;
  /** The whole subject as it was at the event. */
  data: object;
}>;

/**
 * Renders events of any books, by their `eventKey`. Only rows that never change are read, so an event looks the same
 * whenever it is rendered. An event that is not for merchants, or whose subject does not exist, is left out.
 */
export async function renderEvents(
  database: Queryable,
  keys: readonly EventKey[],
): Promise<ReadonlyMap<string, RenderedEvent>> {
  const rendered = new Map<string, RenderedEvent>();
  if (keys.length === 0) return rendered;
  const events = await readEvents(database, keys);
  for (const [kind, show] of Object.entries(SHOW_BY_KIND)) {
    const ofKind = events.filter(({ type }) => kindOf(type) === kind);
    if (ofKind.length === 0) continue;
    const subjects = await show(database, ofKind);
    for (const event of ofKind) {
      const data = subjects.get(eventKey(event));
      if (data !== undefined) rendered.set(eventKey(event), render(event, data));
    }
  }
  return rendered;
}

/** The exact text that is signed and sent. */
export function eventBody(rendered: RenderedEvent): string {
  return JSON.stringify(rendered);
}

type Kind = 'transfer' | 'recipient' | 'wallet' | 'file' | 'draft' | 'endpoint' | 'test';

const SHOW_BY_KIND: Readonly<Record<Kind, ShowSubjects>> = {
  transfer: showTransfers,
  recipient: showRecipients,
  wallet: showWallets,
  file: showFiles,
  draft: showNotSubmitted,
  endpoint: showEndpoints,
  test: async (_, events) =>
    new Map(events.map((event) => [eventKey(event), renderTestSubject(event)])),
};

function kindOf(type: EventType): Kind {
  switch (type) {
    case 'transfer.created':
    case 'transfer.awaiting_approval':
    case 'transfer.approved':
    case 'transfer.approval_impossible':
    case 'transfer.submitted':
    case 'transfer.in_doubt':
    case 'transfer.successful':
    case 'transfer.failed':
    case 'transfer.cancelled':
    case 'transfer.reversed':
      return 'transfer';
    case 'recipient.created':
    case 'recipient.resolved':
      return 'recipient';
    case 'wallet.low_balance':
      return 'wallet';
    case 'payout_file.not_submitted':
      return 'draft';
    case 'payout_file.awaiting_approval':
    case 'payout_file.approval_impossible':
    case 'payout_file.scheduled':
    case 'payout_file.paying':
    case 'payout_file.done':
    case 'payout_file.cancelled':
      return 'file';
    case 'webhook.disabled':
      return 'endpoint';
    case 'webhook.test':
      return 'test';
    default: {
      const unhandled: never = type;
      throw new Error(`unhandled ${String(unhandled)}`);
    }
  }
}

function render(event: RecordedEvent, data: object): RenderedEvent {
  return {
    id: eventId(event),
    type: event.type,
    createdAt: event.createdAt.toISOString(),
    mode: event.mode,
    sequence: event.seq,
    data,
  };
}

type EventRow = {
  book_id: string;
  subject_id: string;
  seq: number;
  /** Null: part of the history, but not for merchants. */
  type: EventType | null;
  to_state: string | null;
  cause: string;
  created_at: Date;
  mode: Mode;
};

async function readEvents(
  database: Queryable,
  keys: readonly EventKey[],
): Promise<readonly RecordedEvent[]> {
  const rows = await database.query<EventRow>(READ, keyColumns(keys));
  return rows.flatMap(({ type, ...row }) =>
    type === null
      ? []
      : [
          {
            bookId: row.book_id,
            subjectId: row.subject_id,
            seq: row.seq,
            type,
            toState: row.to_state,
            cause: row.cause,
            createdAt: row.created_at,
            mode: row.mode,
          },
        ],
  );
}

// Each event is a probe of its whole key. As a join, it was planned in a young service as a read of all events of the
// book, and stayed so for a while after a merchant had sent many: then each webhook cost milliseconds.
const READ: Statement = {
  name: 'read-events',
  text: `
    select e.book_id, e.subject_id, e.seq, e.type, e.to_state, e.cause, e.created_at, b.mode
    from unnest($1::uuid[], $2::uuid[], $3::integer[]) as k (book_id, subject_id, seq)
    join books b on b.id = k.book_id
    cross join lateral (
      select e.* from events e
      where e.book_id = k.book_id and e.subject_id = k.subject_id and e.seq = k.seq
      limit 1
    ) e`,
};
