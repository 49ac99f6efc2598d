import { fieldProblem } from '../domain/field-problem.ts';
import type { Currency } from '../domain/money.ts';
import { refuse } from '../domain/refusal.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

/** Enough to see that there is not only one. */
const WALLETS_MAX = 2;

/** The wallet that a file is paid from: the one that was named, or the only one in its currency. Throws a refusal. */
export async function chooseWallet(
  database: Queryable,
  choice: Readonly<{ bookId: string; walletId: string | null; currency: Currency }>,
): Promise<string> {
  const { bookId, walletId, currency } = choice;
  const wallets = await database.query<WalletRow>(walletId === null ? FIND_ONLY : FIND_NAMED, [
    bookId,
    walletId ?? currency,
  ]);
  const [wallet] = wallets;
  if (walletId === null && wallets.length !== 1) {
    throw refuse('VALIDATION_ERROR', {
      fields: [fieldProblem('walletId', 'REQUIRED', `Name a wallet in ${currency}.`)],
    });
  }
  if (wallet === undefined) throw refuse('WALLET_NOT_FOUND');
  if (wallet.currency !== currency) throw refuse('CURRENCY_MISMATCH');
  if (wallet.status !== 'active') throw refuse('WALLET_INACTIVE');
  return wallet.id;
}

type WalletRow = { id: string; currency: Currency; status: string };

const FIND_NAMED: Statement = {
  name: 'find-wallet-of-file',
  text: 'select id, currency, status from wallets where book_id = $1 and id = $2',
};

const FIND_ONLY: Statement = {
  name: 'find-only-wallet',
  text: `
    select id, currency, status from wallets
    where book_id = $1 and currency = $2 and status = 'active'
    limit ${WALLETS_MAX}`,
};
