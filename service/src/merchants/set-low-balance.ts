import type { Queryable, Statement } from '../postgres/database.ts';
import { type AdminWallet, findWallet } from './find-wallet.ts';

/** Sets the mark below which the merchant is told that the wallet runs low; null tells never. */
export async function setLowBalance(
  database: Queryable,
  { id, lowBalanceMinor }: Readonly<{ id: string; lowBalanceMinor: bigint | null }>,
): Promise<AdminWallet> {
  const wallet = await findWallet(database, id);
  await database.query(SET_LOW_BALANCE, [wallet.bookId, wallet.id, lowBalanceMinor]);
  return { ...wallet, lowBalanceMinor };
}

const SET_LOW_BALANCE: Statement = {
  name: '',
  text: 'update wallets set low_balance_minor = $3 where book_id = $1 and id = $2',
};
