import { randomUUID } from 'node:crypto';
import type { Book } from '../src/domain/book.ts';
import type { Currency } from '../src/domain/money.ts';
import type { Mode } from '../src/domain/transfer.ts';
import { fundWallet } from '../src/ledger/fund-wallet.ts';
import type { Queryable } from '../src/postgres/database.ts';

/** Creates a merchant with one book, for tests below the level of HTTP. */
export async function createTestBook(
  database: Queryable,
  { mode = 'test', feeTerms = { fixedMinor: 0n, basisPoints: 0 } }: Partial<Book> = {},
): Promise<Book> {
  const book: Book = {
    id: randomUUID(),
    merchantId: randomUUID(),
    mode,
    feeTerms,
    isSuspended: false,
    controlsVersion: null,
  };
  await database.query(
    { name: '', text: 'insert into merchants (id, name, created_at) values ($1, $2, now())' },
    [book.merchantId, `Merchant ${book.merchantId}`],
  );
  await database.query(
    {
      name: '',
      text: 'insert into books (id, merchant_id, mode, created_at) values ($1, $2, $3, now())',
    },
    [book.id, book.merchantId, book.mode satisfies Mode],
  );
  await database.query(LIST_IN_DIRECTORY, [book.merchantId, book.id]);
  return book;
}

export async function createTestWallet(
  database: Queryable,
  wallet: Readonly<{ bookId: string; currency?: Currency; fundedMinor?: bigint }>,
): Promise<string> {
  const id = randomUUID();
  await database.query(
    {
      name: '',
      text: `
        insert into wallets (book_id, id, currency, name, created_at)
        values ($1, $2, $3, 'Test', now())`,
    },
    [wallet.bookId, id, wallet.currency ?? 'ZMW'],
  );
  if (wallet.fundedMinor === undefined || wallet.fundedMinor === 0n) return id;
  await fundWallet(
    { database, now: () => new Date() },
    { bookId: wallet.bookId, walletId: id, amountMinor: wallet.fundedMinor, fundingReference: id },
  );
  return id;
}

const LIST_IN_DIRECTORY = {
  name: '',
  text: `
    with merchant as (
      insert into directory.merchants (id, name, created_at, cell, placed_at)
      select m.id, m.name, m.created_at, c.name, m.created_at
      from merchants m, directory.cells c
      where m.id = $1 and c.schema = current_schema() and c.url_variable is null
    )
    insert into directory.books (id, merchant_id, mode, created_at)
    select b.id, b.merchant_id, b.mode, b.created_at from books b where b.id = $2`,
};
