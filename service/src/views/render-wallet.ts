import { formatMinor } from '../domain/money.ts';
import type { Wallet } from '../ledger/read-wallets.ts';

/** A wallet as merchants see it. A balance may be larger than an exact JSON number, so it is text. */
export function renderWallet(wallet: Wallet) {
  return {
    id: wallet.id,
    currency: wallet.currency,
    available: formatMinor(wallet.availableMinor),
    held: formatMinor(wallet.heldMinor),
    status: wallet.status,
  };
}
