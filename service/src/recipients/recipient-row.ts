import type { NameMatch } from '../domain/name-match.ts';
import type { Country, Operator } from '../domain/operator.ts';
import type { Mode } from '../domain/transfer.ts';
import { type Naming, PENDING, type Recipient } from './recipient.ts';

/** The columns of a recipient as `r`; `mode` comes from its book. */
export const RECIPIENT_COLUMNS = `
  r.book_id, r.id, r.phone, r.operator, r.country, r.account_name, r.supplied_account_name,
  r.name_match, r.created_at`;

/** Enumerated columns have enumerated types, which the CHECK constraints of the table guarantee. */
export type RecipientRow = {
  book_id: string;
  id: string;
  phone: string;
  operator: Operator;
  country: Country;
  account_name: string | null;
  supplied_account_name: string | null;
  name_match: NameMatch | null;
  created_at: Date;
};

export function toRecipient(row: RecipientRow, mode: Mode): Recipient {
  return {
    bookId: row.book_id,
    id: row.id,
    mode,
    phone: row.phone,
    operator: row.operator,
    country: row.country,
    suppliedAccountName: row.supplied_account_name,
    createdAt: row.created_at,
    ...namingOf(row),
  };
}

// A CHECK constraint makes a row resolved exactly when it has a name.
function namingOf({ account_name, name_match }: RecipientRow): Naming {
  if (account_name === null) return PENDING;
  return { resolution: 'resolved', accountName: account_name, nameMatch: name_match };
}
