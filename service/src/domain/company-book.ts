/** Where the company keeps what holds for all books: its list and its screeners. No merchant has a book with this id. */
export const COMPANY_BOOK_ID = '00000000-0000-0000-0000-000000000000';
