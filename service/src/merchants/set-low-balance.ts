import type { Actor } from '../domain/actor.ts';
import { formatMinor } from '../domain/money.ts';
import type { Statement } from '../postgres/database.ts';
import { changeWallet, type WalletDeps } from './change-wallet.ts';
import type { AdminWallet } from './find-wallet-for-staff.ts';

/** Sets the amount below which the merchant gets an event that the wallet is low. With null it gets none. */
export async function setLowBalance(
  deps: WalletDeps,
  request: Readonly<{
    actor: Actor;
    id: string;
    lowBalanceMinor: bigint | null;
    reason?: string | null;
  }>,
): Promise<AdminWallet> {
  const { lowBalanceMinor, ...about } = request;
  return changeWallet(deps, {
    ...about,
    kind: 'LOW_BALANCE_SET',
    statement: SET_LOW_BALANCE,
    value: lowBalanceMinor,
    changed: { lowBalanceMinor },
    factsOf: (wallet) => ({
      lowBalance: wallet.lowBalanceMinor === null ? null : formatMinor(wallet.lowBalanceMinor),
    }),
  });
}

const SET_LOW_BALANCE: Statement = {
  name: '',
  text: 'update wallets set low_balance_minor = $3 where book_id = $1 and id = $2',
};
