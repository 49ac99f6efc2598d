import type { Currency } from '../domain/money.ts';
import { COUNTRIES, type Country, currencyOf } from '../domain/operator.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

/** The country whose calendar a book shows when none is named: the first in which it has a wallet. */
export async function findHomeCountry(database: Queryable, bookId: string): Promise<Country> {
  const wallets = await database.query<{ currency: Currency }>(CURRENCIES, [bookId]);
  const held = wallets.map(({ currency }) => currency);
  return COUNTRIES.find((one) => held.includes(currencyOf(one))) ?? COUNTRIES[0];
}

const CURRENCIES: Statement = {
  name: 'find-wallet-currencies',
  text: 'select distinct currency from wallets where book_id = $1',
};
