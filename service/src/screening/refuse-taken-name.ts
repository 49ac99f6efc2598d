import { lockScreenerNames, shareScreenerNames } from '../controls/lock-screener-names.ts';
import { COMPANY_BOOK_ID } from '../domain/company-book.ts';
import { refuse } from '../domain/refusal.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

type Named = Readonly<{ bookId: string; name: string }>;

/**
 * Refuses a book's screener by a name of the company's, and the company's by a name of any book of this cell: rules ask
 * by name, and with both one person alone would change which of them is asked.
 */
export async function refuseTakenName(tx: Queryable, { bookId, name }: Named): Promise<void> {
  if (bookId === COMPANY_BOOK_ID) {
    await lockScreenerNames(tx);
    if (await isNameOfBook(tx, name)) throw refuseNameOfBook(name);
    return;
  }
  await shareScreenerNames(tx);
  const [found] = await tx.query(FIND_COMPANYS, [COMPANY_BOOK_ID, name]);
  if (found !== undefined) throw refuse('INVALID_STATE', { message: takenByCompany(name) });
}

/** Whether a book of this cell has a screener of its own by this name. */
export async function isNameOfBook(database: Queryable, name: string): Promise<boolean> {
  const [found] = await database.query(FIND_BOOKS, [COMPANY_BOOK_ID, name]);
  return found !== undefined;
}

export function refuseNameOfBook(name: string): Error {
  return refuse('INVALID_STATE', { message: takenByBook(name) });
}

const takenByCompany = (name: string) =>
  `The company has a screener called "${name}", and rules ask for that one. Choose another name. Nothing was stored.`;
const takenByBook = (name: string) =>
  `A merchant has a screener called "${name}" of its own, and its rules ask for that one. Choose another name. Nothing was stored.`;

const FIND_COMPANYS: Statement = {
  name: '',
  text: 'select from screeners where book_id = $1 and name = $2 and removed_at is null',
};

// Of a merchant that has moved the other cell knows which screeners it has now.
const FIND_BOOKS: Statement = {
  name: '',
  text: `
    select from screeners s
    join books b on b.id = s.book_id
    join merchants m on m.id = b.merchant_id
    where s.book_id <> $1 and s.name = $2 and s.removed_at is null and m.state <> 'moved'
    limit 1`,
};
