import type { Queryable, Statement } from '../postgres/database.ts';
import { type AdminWallet, findWallet, type WalletStatus } from './find-wallet.ts';

/**
 * Stops new transfers from a wallet. Those accepted before go on: their money is held and may be on
 * its way. Money can still arrive.
 */
export async function freezeWallet(database: Queryable, id: string): Promise<AdminWallet> {
  return setStatus(database, { id, status: 'frozen' });
}

export async function unfreezeWallet(database: Queryable, id: string): Promise<AdminWallet> {
  return setStatus(database, { id, status: 'active' });
}

async function setStatus(
  database: Queryable,
  { id, status }: Readonly<{ id: string; status: WalletStatus }>,
): Promise<AdminWallet> {
  const wallet = await findWallet(database, id);
  await database.query(SET_STATUS, [wallet.bookId, wallet.id, status]);
  return { ...wallet, status };
}

const SET_STATUS: Statement = {
  name: '',
  text: 'update wallets set status = $3 where book_id = $1 and id = $2',
};
