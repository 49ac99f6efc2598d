import type { FeeTerms } from '../domain/fee.ts';
import type { Currency } from '../domain/money.ts';
import { OPERATOR_PAIRS } from '../domain/operator.ts';
import type { RowBounds, RowRules } from '../domain/payout-file/check-row.ts';
import type { Mode } from '../domain/transfer.ts';
import type { Routes } from '../operators/routes/route.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { RowReferences } from './row-reference.ts';

type CheckedBook = Readonly<{ id: string; mode: Mode; feeTerms: FeeTerms }>;

type Chosen = Readonly<{
  walletId: string | null;
  currency: Currency | null;
  references: RowReferences;
}>;

/** What the rows of a file of this book are checked against now. */
export async function readRowRules(
  { database, routes }: Readonly<{ database: Queryable; routes: Routes }>,
  book: CheckedBook,
  { walletId, currency, references }: Chosen,
): Promise<RowRules> {
  const wallets = await listBookWallets(database, book.id);
  const ofWallet = wallets.find(({ id }) => id === walletId)?.currency ?? null;
  return {
    currency: ofWallet ?? currency,
    walletId,
    ownReferences: references === 'given',
    wallets: Object.fromEntries(wallets.map((wallet) => [wallet.id, wallet.currency])),
    feeTerms: book.feeTerms,
    bounds: readBounds(routes, book.mode),
  };
}

function readBounds(routes: Routes, mode: Mode): Readonly<Record<string, readonly RowBounds[]>> {
  const entries = OPERATOR_PAIRS.map(({ operator, country }) => {
    const bounds = routes.list({ mode, operator, country }).map((route) => {
      const { minMinor, maxMinor, decimals } = route.bounds();
      return { minMinor, maxMinor, wholeOnly: decimals === 0 };
    });
    return [`${operator} ${country}`, bounds] as const;
  });
  return Object.fromEntries(entries.filter(([, bounds]) => bounds.length > 0));
}

export type BookWallet = { id: string; currency: Currency; status: 'active' | 'frozen' };

export function listBookWallets(database: Queryable, bookId: string): Promise<BookWallet[]> {
  return database.query<BookWallet>(WALLETS, [bookId]);
}

/** The only wallet that a file can mean: of the currency where it is known. Null: there are none or several. */
export function onlyWallet(
  wallets: readonly BookWallet[],
  currency: Currency | null,
): string | null {
  const fitting = wallets.filter(
    (wallet) => wallet.status === 'active' && (currency === null || wallet.currency === currency),
  );
  return fitting.length === 1 ? (fitting[0]?.id ?? null) : null;
}

const WALLETS: Statement = {
  name: 'list-wallets-of-book',
  text: 'select w.id, w.currency, w.status from wallets w where w.book_id = $1 order by w.id limit 1000',
};
