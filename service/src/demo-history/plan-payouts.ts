import type { Currency } from '../domain/money.ts';
import type { Country } from '../domain/operator.ts';
import { createPayees, type Payee } from './payees.ts';
import { HISTORY_DAYS, type PayRun, type PlannedDay, planDays } from './plan-days.ts';
import type { SeededRandom } from './seeded-random.ts';
import { chooseStories, type Story } from './stories.ts';

export type WalletKey = 'salaries' | 'suppliers' | 'agents';

export type PlannedPayout = Readonly<{
  reference: string;
  at: Date;
  wallet: WalletKey;
  payee: Payee;
  amountMinor: bigint;
  narration: string;
  story: Story;
  /** It was sent together with others, by a program; else by a person. */
  isBatch: boolean;
}>;

type WalletPlan = Readonly<{
  name: string;
  currency: Currency;
  country: Country;
  payees: number;
  /** In whole units of the currency. */
  amounts: Readonly<{ min: number; max: number }>;
  narrations: readonly [string, ...string[]];
}>;

export const WALLET_PLANS: Readonly<Record<WalletKey, WalletPlan>> = {
  salaries: {
    name: 'Salaries Zambia',
    currency: 'ZMW',
    country: 'zm',
    payees: 70,
    amounts: { min: 450, max: 1_900 },
    narrations: ['Casual labour', 'Per diem Kitwe', 'Overtime', 'Transport refund'],
  },
  suppliers: {
    name: 'Suppliers Zambia',
    currency: 'ZMW',
    country: 'zm',
    payees: 35,
    amounts: { min: 280, max: 12_500 },
    narrations: ['Maize delivery', 'Diesel', 'Packaging', 'Vehicle repair', 'Office rent'],
  },
  agents: {
    name: 'Field agents Nigeria',
    currency: 'NGN',
    country: 'ng',
    payees: 40,
    amounts: { min: 8_000, max: 180_000 },
    narrations: ['Agent commission', 'Field allowance', 'Data bundle refund', 'Site visit Kano'],
  },
};

const PAY_RUNS: Readonly<
  Record<Exclude<PayRun, null>, Pick<WalletPlan, 'amounts'> & Readonly<{ narration: string }>>
> = {
  salaries: { amounts: { min: 2_800, max: 14_500 }, narration: 'Salary' },
  advances: { amounts: { min: 800, max: 3_000 }, narration: 'Salary advance' },
  wages: { amounts: { min: 450, max: 1_900 }, narration: 'Weekly wages' },
};

const WALLET_SHARES: readonly [WalletKey, ...WalletKey[]] = [
  'salaries',
  'suppliers',
  'suppliers',
  'agents',
  'agents',
];
/** How much of a day of a pay run is the pay run. */
const PAY_RUN_SHARE = 0.75;
const PAY_RUN_BATCH = { min: 20, max: 40 } as const;
const BATCH = { min: 1, max: 8 } as const;
const ROUND_TO = 5;
const CENTS_SHARE = 0.3;

type Draft = Omit<PlannedPayout, 'reference' | 'story'>;
type PlanDeps = Readonly<{
  random: SeededRandom;
  payees: Readonly<Record<WalletKey, readonly Payee[]>>;
}>;

/** Three weeks of payouts that end now, oldest first. */
export function planPayouts(
  random: SeededRandom,
  { now, count }: Readonly<{ now: Date; count: number }>,
): readonly PlannedPayout[] {
  const payeesOf = ({ country, payees }: WalletPlan) =>
    createPayees(random, { country, count: payees });
  const payees = {
    salaries: payeesOf(WALLET_PLANS.salaries),
    suppliers: payeesOf(WALLET_PLANS.suppliers),
    agents: payeesOf(WALLET_PLANS.agents),
  };
  const days = planDays(now);
  const weights = days.reduce((sum, { weight }) => sum + weight, 0);
  const drafts = days
    .flatMap((day) => planDay({ random, payees }, day, Math.round((count * day.weight) / weights)))
    .sort((one, other) => one.at.getTime() - other.at.getTime());
  const stories = chooseStories(
    drafts.map(({ at }) => at),
    now,
  );
  return drafts.map((draft, index) => ({
    ...draft,
    reference: `demo-${draft.at.toISOString().slice(0, 10).replaceAll('-', '')}-${index + 1}`,
    story: stories[index] ?? 'paid',
  }));
}

function planDay(deps: PlanDeps, day: PlannedDay, count: number): readonly Draft[] {
  const { random } = deps;
  const inPayRun = day.payRun === null ? 0 : Math.floor(count * PAY_RUN_SHARE);
  const drafts: Draft[] = [];
  while (drafts.length < count) {
    const isPayRun = drafts.length < inPayRun;
    const wallet = isPayRun ? 'salaries' : random.pick(WALLET_SHARES);
    const size = random.whole(isPayRun ? PAY_RUN_BATCH : BATCH);
    const left = (isPayRun ? inPayRun : count) - drafts.length;
    const share = isPayRun ? random.next() / HISTORY_DAYS : random.next();
    const spanMs = day.to.getTime() - day.from.getTime();
    const at = new Date(day.from.getTime() + Math.floor(share * spanMs));
    const payRun = isPayRun ? day.payRun : null;
    drafts.push(...planBatch(deps, { at, wallet, size: Math.min(size, left), payRun }));
  }
  return drafts;
}

function planBatch(
  { random, payees }: PlanDeps,
  batch: Readonly<{ at: Date; wallet: WalletKey; size: number; payRun: PayRun }>,
): readonly Draft[] {
  const { at, wallet, size, payRun } = batch;
  const plan = WALLET_PLANS[wallet];
  const { amounts } = payRun === null ? plan : PAY_RUNS[payRun];
  const narration = payRun === null ? random.pick(plan.narrations) : PAY_RUNS[payRun].narration;
  const all = payees[wallet];
  const first = random.whole({ min: 0, max: all.length - 1 });
  return Array.from({ length: size }, (_, index) => {
    const payee = all[(first + index) % all.length];
    if (payee === undefined) throw new Error(`there are no payees for ${wallet}`);
    const amountMinor = drawAmount(random, amounts);
    return { at, wallet, payee, amountMinor, narration, isBatch: size > 1 };
  });
}

/** Mostly round sums, as people agree on them. */
function drawAmount(random: SeededRandom, range: WalletPlan['amounts']): bigint {
  const whole = Math.round(random.whole(range) / ROUND_TO) * ROUND_TO;
  const cents = random.chance(CENTS_SHARE) ? random.whole({ min: 1, max: 99 }) : 0;
  return BigInt(whole) * 100n + BigInt(cents);
}
