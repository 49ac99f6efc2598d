import type { Actor } from '../domain/actor.ts';
import { formatMinor } from '../domain/money.ts';
import type { Statement } from '../postgres/database.ts';
import { changeWallet, type WalletDeps } from './change-wallet.ts';
import type { AdminWallet } from './find-wallet-for-staff.ts';

/** Sets what may be held in one day (UTC), today's included; null lifts the limit. */
export async function setWalletLimit(
  deps: WalletDeps,
  request: Readonly<{
    actor: Actor;
    id: string;
    dailyLimitMinor: bigint | null;
    reason?: string | null;
  }>,
): Promise<AdminWallet> {
  const { dailyLimitMinor, ...about } = request;
  return changeWallet(deps, {
    ...about,
    kind: 'WALLET_LIMIT_SET',
    statement: SET_LIMIT,
    value: dailyLimitMinor,
    changed: { dailyLimitMinor },
    factsOf: (wallet) => ({
      dailyLimit: wallet.dailyLimitMinor === null ? null : formatMinor(wallet.dailyLimitMinor),
    }),
  });
}

const SET_LIMIT: Statement = {
  name: '',
  text: 'update wallets set daily_limit_minor = $3 where book_id = $1 and id = $2',
};
