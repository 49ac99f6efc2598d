import { type Kafue, KafueError, type Wallet } from '../../../sdk/src/index.ts';
import { CliProblem, EXIT } from '../cli-problem.ts';
import { formatMoney, parseBalance } from '../payout-file/amount.ts';
import type { WalletTotal } from './total-payouts.ts';

/** Balances of more wallets are not read: the service checks each wallet when it pays from it. */
const WALLETS_READ_MAX = 20;

export type WalletView = Readonly<{ total: WalletTotal; wallet: Wallet }>;

/** The wallets from which the plan pays. */
export async function readWallets(
  kafue: Pick<Kafue, 'wallets'>,
  totals: readonly WalletTotal[],
): Promise<readonly WalletView[]> {
  const views: WalletView[] = [];
  for (const total of totals.slice(0, WALLETS_READ_MAX)) {
    const wallet = await readWallet(kafue, total);
    if (wallet.currency !== total.currency) {
      const { walletId, currency, firstLine } = total;
      throw new CliProblem(
        EXIT.badFile,
        `Wallet ${walletId} is in ${wallet.currency}, and line ${firstLine} pays ${currency}.`,
        'Give each line a wallet in the currency of its country.',
      );
    }
    views.push({ total, wallet });
  }
  return views;
}

async function readWallet(
  kafue: Pick<Kafue, 'wallets'>,
  { walletId, firstLine }: WalletTotal,
): Promise<Wallet> {
  try {
    return await kafue.wallets.get(walletId);
  } catch (error) {
    if (!(error instanceof KafueError)) throw error;
    if (error.code !== 'WALLET_NOT_FOUND') throw error;
    throw new CliProblem(
      EXIT.badFile,
      `This key has no wallet ${walletId}, which line ${firstLine} pays from.`,
      'List the wallets with: npm run kafue -- wallets',
    );
  }
}

/** What would be left in the wallet, below zero when it is short; undefined when its balance is not an amount. */
export function leftMinor({ total, wallet }: WalletView): bigint | undefined {
  const availableMinor = parseBalance(wallet.available);
  if (availableMinor === undefined) return undefined;
  return availableMinor - total.amountMinor - total.feesMinor;
}

/** Why the wallets cannot pay everything; undefined: no problem is known. */
export function whatIsMissing(view: WalletView): string | undefined {
  if (isFrozen(view)) return 'the wallet is frozen';
  const left = leftMinor(view);
  if (left === undefined || left >= 0n) return undefined;
  return `${view.total.currency} ${formatMoney(-left)} missing`;
}

export function isFrozen({ wallet }: WalletView): boolean {
  return wallet.status !== 'active';
}
