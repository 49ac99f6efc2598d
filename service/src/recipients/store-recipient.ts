import { recordEvents } from '../events/record-events.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { Recipient } from './recipient.ts';

type StoreRequest = Readonly<{
  recipient: Recipient;
  actor: string;
  cause: string;
  /** When to look up the name again; null when that is not needed or not possible. */
  lookUpAgainInMs: number | null;
}>;

/** Stores a recipient after its first lookup, with its event. False: the account already has a recipient. */
export async function storeRecipient(
  database: Queryable,
  { recipient, actor, cause, lookUpAgainInMs }: StoreRequest,
): Promise<boolean> {
  const { createdAt } = recipient;
  const rows = await database.query(STORE, [
    recipient.bookId,
    recipient.id,
    recipient.phone,
    recipient.operator,
    recipient.country,
    recipient.accountName,
    recipient.suppliedAccountName,
    recipient.nameMatch,
    recipient.resolution,
    lookUpAgainInMs === null ? null : new Date(createdAt.getTime() + lookUpAgainInMs),
    createdAt,
    cause,
    actor,
  ]);
  return rows.length === 1;
}

const STORE: Statement = {
  name: 'store-recipient',
  text: `
    with stored as (
      insert into recipients (
        book_id, id, phone, operator, country, account_name, supplied_account_name, name_match,
        resolution, resolve_attempts, next_resolve_at, created_at
      )
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 1, $10, $11)
      on conflict (book_id, phone, operator, country) do nothing
      returning book_id, id, created_at
    ),
    ${recordEvents(`
      select s.book_id, s.id, 1, 'recipient.created', null, null, $12, $13, s.created_at, true
      from stored s`)}
    select id from stored`,
};
