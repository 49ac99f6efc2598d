import type { Queryable, Statement } from '../postgres/database.ts';
import { type AdminWallet, findWallet } from './find-wallet.ts';

/** Sets what may be held in one day (UTC), today's included; null lifts the limit. */
export async function setWalletLimit(
  database: Queryable,
  { id, dailyLimitMinor }: Readonly<{ id: string; dailyLimitMinor: bigint | null }>,
): Promise<AdminWallet> {
  const wallet = await findWallet(database, id);
  await database.query(SET_LIMIT, [wallet.bookId, wallet.id, dailyLimitMinor]);
  return { ...wallet, dailyLimitMinor };
}

const SET_LIMIT: Statement = {
  name: '',
  text: 'update wallets set daily_limit_minor = $3 where book_id = $1 and id = $2',
};
