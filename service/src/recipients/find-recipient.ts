import type { Book } from '../domain/book.ts';
import type { Account } from '../operators/contract/connector.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { Recipient } from './recipient.ts';
import { RECIPIENT_COLUMNS, type RecipientRow, toRecipient } from './recipient-row.ts';

export async function findRecipient(
  database: Queryable,
  { book, id }: Readonly<{ book: Book; id: string }>,
): Promise<Recipient | undefined> {
  const [row] = await database.query<RecipientRow>(BY_ID, [book.id, id]);
  return row === undefined ? undefined : toRecipient(row, book.mode);
}

export async function findRecipientByAccount(
  database: Queryable,
  { book, account }: Readonly<{ book: Book; account: Account }>,
): Promise<Recipient | undefined> {
  const { phone, operator, country } = account;
  const [row] = await database.query<RecipientRow>(BY_ACCOUNT, [book.id, phone, operator, country]);
  return row === undefined ? undefined : toRecipient(row, book.mode);
}

const BY_ID: Statement = {
  name: 'find-recipient',
  text: `select ${RECIPIENT_COLUMNS} from recipients r where r.book_id = $1 and r.id = $2`,
};

const BY_ACCOUNT: Statement = {
  name: 'find-recipient-by-account',
  text: `
    select ${RECIPIENT_COLUMNS}
    from recipients r
    where r.book_id = $1 and r.phone = $2 and r.operator = $3 and r.country = $4`,
};
