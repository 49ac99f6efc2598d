import { COMPANY_BOOK_ID } from './company-book.ts';

/** Whose list or screener it is: a book's, or the company's, which holds for all books. */
export type ControlOwner = Readonly<{ bookId: string; merchantId: string }> | 'company';

export function bookIdOf(owner: ControlOwner): string {
  return owner === 'company' ? COMPANY_BOOK_ID : owner.bookId;
}

/** Whose act it is, for the record of acts. */
export function actPlace(
  owner: ControlOwner,
): Readonly<{ merchantId: string | null; bookId?: string }> {
  return owner === 'company' ? { merchantId: null } : owner;
}
