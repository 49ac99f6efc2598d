import { createWalletIn } from '../merchants/create-wallet.ts';
import { fundByReference } from '../merchants/fund-by-reference.ts';
import { setLowBalance } from '../merchants/set-low-balance.ts';
import { setWalletLimit } from '../merchants/set-wallet-limit.ts';
import { type DemoActors, SYSTEM } from './demo-actors.ts';
import type { HistoryStep } from './history-clock.ts';
import { later, type PayoutScene, walletOf } from './history-payouts.ts';
import { type PlannedPayout, WALLET_PLANS, type WalletKey } from './plan-payouts.ts';

const WALLET_KEYS: readonly WalletKey[] = ['salaries', 'suppliers', 'agents'];
const MINUTE_MS = 60_000;
const WEEK_MS = 7 * 24 * 3_600_000;
/** Wallets are funded in these steps: 1,000.00 */
const STEP_MINOR = 100_000n;
/** What stays in a wallet when all its payouts are made. */
const SPARE_MINOR: Readonly<Record<WalletKey, bigint>> = {
  salaries: 18_500_000n,
  suppliers: 1_200_000n,
  agents: 240_000_000n,
};
/** The suppliers' wallet runs low at the end of each week. */
const LOW_BALANCE_MINOR = 15_000_000n;
/** Of the suppliers' wallet, from the last payout on: no payout of the history is refused by it. */
const DAILY_LIMIT_MINOR = 30_000_000n;

/** The first funding of the demo: found again, it says that the history is there. */
export const FIRST_FUNDING = 'demo-bank-salaries-1';

/** Wallets of the history's own, so that their statements are in the order of time; funded for each week. */
export function planWalletSteps(
  scene: PayoutScene & Readonly<{ wallets: Map<WalletKey, string> }>,
  payouts: readonly PlannedPayout[],
  { admin, treasurer }: DemoActors,
): readonly HistoryStep[] {
  const start = startOf(payouts);
  const create = WALLET_KEYS.map((key) => ({
    at: later(start, -30 * MINUTE_MS),
    async happen() {
      const { name, currency } = WALLET_PLANS[key];
      const wallet = { actor: admin ?? SYSTEM, bookId: scene.book.id, currency, name };
      const { id } = await createWalletIn(scene.past.database, scene.past, wallet);
      scene.wallets.set(key, id);
    },
  }));
  const mark = {
    at: later(start, -20 * MINUTE_MS),
    async happen() {
      const id = walletOf(scene.wallets, 'suppliers');
      const actor = admin ?? SYSTEM;
      await setLowBalance(scene.past, { actor, id, lowBalanceMinor: LOW_BALANCE_MINOR });
    },
  };
  const limit = {
    at: later(payouts.at(-1)?.at ?? start, 1),
    async happen() {
      const id = walletOf(scene.wallets, 'suppliers');
      const actor = admin ?? SYSTEM;
      await setWalletLimit(scene.past, { actor, id, dailyLimitMinor: DAILY_LIMIT_MINOR });
    },
  };
  const fund = WALLET_KEYS.flatMap((key) => planFundings(payouts, key)).map(
    ({ at, key, amountMinor, fundingReference }) => ({
      at,
      async happen() {
        const walletId = walletOf(scene.wallets, key);
        const actor = treasurer ?? SYSTEM;
        await fundByReference(scene.past, { actor, walletId, amountMinor, fundingReference });
      },
    }),
  );
  return [...create, mark, limit, ...fund];
}

export function startOf(payouts: readonly PlannedPayout[]): Date {
  const [first] = payouts;
  if (first === undefined) throw new Error('there are no payouts to make');
  return first.at;
}

type PlannedFunding = Readonly<{
  at: Date;
  key: WalletKey;
  amountMinor: bigint;
  fundingReference: string;
}>;

/** What each week takes, a quarter of an hour before it begins. */
function planFundings(payouts: readonly PlannedPayout[], key: WalletKey): PlannedFunding[] {
  const start = startOf(payouts);
  const weekOf = ({ at }: PlannedPayout): number =>
    Math.floor((at.getTime() - start.getTime()) / WEEK_MS);
  const weeks = Map.groupBy(
    payouts.filter(({ wallet }) => wallet === key),
    weekOf,
  );
  return [...weeks].map(([week, ofWeek], index) => {
    const sumMinor = ofWeek.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
    const steps = (sumMinor + STEP_MINOR - 1n) / STEP_MINOR;
    return {
      at: later(start, week * WEEK_MS - 15 * MINUTE_MS),
      key,
      amountMinor: steps * STEP_MINOR + (index === 0 ? SPARE_MINOR[key] : 0n),
      fundingReference: `demo-bank-${key}-${week + 1}`,
    };
  });
}
