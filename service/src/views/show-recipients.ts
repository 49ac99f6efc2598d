import type { NameMatch } from '../domain/name-match.ts';
import type { Country, Operator } from '../domain/operator.ts';
import {
  eventKey,
  keyColumns,
  type RecordedEvent,
  type ShowSubjects,
} from '../events/recorded-event.ts';
import type { Statement } from '../postgres/database.ts';
import { renderRecipient, type ShownRecipient } from './render-recipient.ts';

/** Recipients as they were at their events. */
export const showRecipients: ShowSubjects = async (database, events) => {
  const rows = await database.query<RecipientRow>(READ, keyColumns(events));
  const rowByKey = new Map(
    rows.map((row) => [
      eventKey({ bookId: row.book_id, subjectId: row.id, seq: row.event_seq }),
      row,
    ]),
  );
  const shown = new Map<string, object>();
  for (const event of events) {
    const row = rowByKey.get(eventKey(event));
    if (row !== undefined) shown.set(eventKey(event), renderRecipient(recipientAt(row, event)));
  }
  return shown;
};

/** A name is found once and then stays, so it only matters whether it was found later. */
function recipientAt(row: RecipientRow, { mode }: RecordedEvent): ShownRecipient {
  const accountName = row.resolved_later ? null : row.account_name;
  return {
    id: row.id,
    phone: row.phone,
    operator: row.operator,
    country: row.country,
    accountName,
    suppliedAccountName: row.supplied_account_name,
    nameMatch: accountName === null ? null : row.name_match,
    resolution: accountName === null ? 'pending' : 'resolved',
    mode,
    createdAt: row.created_at,
  };
}

/** Enumerated columns have enumerated types, which the CHECK constraints of the table guarantee. */
type RecipientRow = {
  book_id: string;
  id: string;
  event_seq: number;
  phone: string;
  operator: Operator;
  country: Country;
  account_name: string | null;
  supplied_account_name: string | null;
  name_match: NameMatch | null;
  created_at: Date;
  resolved_later: boolean;
};

const READ: Statement = {
  name: 'show-recipients',
  text: `
    select r.book_id, r.id, k.seq as event_seq, r.phone, r.operator, r.country, r.account_name,
           r.supplied_account_name, r.name_match, r.created_at,
           exists (
             select 1 from events e
             where e.book_id = r.book_id and e.subject_id = r.id and e.seq > k.seq
               and e.type = 'recipient.resolved'
           ) as resolved_later
    from unnest($1::uuid[], $2::uuid[], $3::integer[]) as k (book_id, id, seq)
    join recipients r on r.book_id = k.book_id and r.id = k.id`,
};
