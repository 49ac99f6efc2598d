import type { Actor } from '../domain/actor.ts';
import type { Statement } from '../postgres/database.ts';
import { changeWallet, type WalletDeps } from './change-wallet.ts';
import type { AdminWallet, WalletStatus } from './find-wallet-for-staff.ts';

type FreezeRequest = Readonly<{ actor: Actor; id: string; reason?: string | null }>;

/**
 * Stops new transfers from a wallet. Those accepted before go on: their money is held and may be on
 * its way. Money can still arrive.
 */
export async function freezeWallet(deps: WalletDeps, request: FreezeRequest): Promise<AdminWallet> {
  return setStatus(deps, request, 'frozen');
}

export async function unfreezeWallet(
  deps: WalletDeps,
  request: FreezeRequest,
): Promise<AdminWallet> {
  return setStatus(deps, request, 'active');
}

async function setStatus(
  deps: WalletDeps,
  request: FreezeRequest,
  status: WalletStatus,
): Promise<AdminWallet> {
  return changeWallet(deps, {
    ...request,
    kind: status === 'frozen' ? 'WALLET_FROZEN' : 'WALLET_UNFROZEN',
    statement: SET_STATUS,
    value: status,
    changed: { status },
    factsOf: (wallet) => ({ status: wallet.status }),
  });
}

const SET_STATUS: Statement = {
  name: '',
  text: 'update wallets set status = $3 where book_id = $1 and id = $2',
};
