import { formatMinor } from '../../domain/money.ts';
import { countStates, type Figures, percentileMs, sumUp } from '../../overview/figures.ts';
import type { DayFigures, Overview } from '../../overview/overview-reader.ts';
import type { HeldFunds } from '../../overview/read-needs.ts';
import { renderWallet } from '../../views/render-wallet.ts';
import type { NEEDS } from '../schemas/overview-schema.ts';

const MEDIAN = 0.5;
const MOST = 0.95;

export function renderOverview(overview: Overview) {
  const { asOf, days } = overview;
  const today = days.at(-1)?.figures ?? [];
  return {
    asOf: asOf.toISOString(),
    wallets: renderWallets(overview),
    today: sumUp(today, ['state', 'currency']).map(({ state, currency, count, sumMinor }) => ({
      state,
      currency,
      count,
      sum: formatMinor(sumMinor),
    })),
    days: days.map(renderDay),
    operators: renderOperators(today, days.slice(0, -1)),
    needsYou: listNeeds(overview, today),
  };
}

function renderWallets({ wallets, held }: Overview) {
  return wallets.map((wallet) => ({
    ...renderWallet(wallet),
    name: wallet.name,
    lowBalance: wallet.lowBalanceMinor === null ? null : formatMinor(wallet.lowBalanceMinor),
    heldFor: held
      .filter(({ walletId }) => walletId === wallet.id)
      .map(({ state, count, sumMinor }) => ({ state, count, sum: formatMinor(sumMinor) })),
  }));
}

function renderDay({ day, figures }: DayFigures) {
  return {
    day: day.toISOString().slice(0, 'YYYY-MM-DD'.length),
    paid: countStates(figures, ['succeeded']),
    failed: countStates(figures, ['failed']),
    doubt: countStates(figures, ['in_doubt']),
    medianMs: percentileMs(figures, MEDIAN),
    p95Ms: percentileMs(figures, MOST),
  };
}

const OPERATOR_FIELDS = ['operator', 'country', 'currency'] as const;

function renderOperators(today: readonly Figures[], before: readonly DayFigures[]) {
  const active = before.filter(({ figures }) => countStates(figures, ['succeeded']) > 0);
  const past = active.flatMap(({ figures }) => paidOnly(figures));
  const paidToday = sumUp(paidOnly(today), OPERATOR_FIELDS);
  const usual = sumUp(past, OPERATOR_FIELDS);
  const nameOf = ({ operator, country }: Readonly<{ operator: string; country: string }>) =>
    `${operator} ${country}`;
  const all = new Map([...usual, ...paidToday].map((one) => [nameOf(one), one]));
  return [...all.values()].map((one) => {
    const now = paidToday.find((other) => nameOf(other) === nameOf(one));
    const then = usual.find((other) => nameOf(other) === nameOf(one));
    const { operator, country, currency } = one;
    return {
      operator,
      country,
      currency,
      todaySum: formatMinor(now?.sumMinor ?? 0n),
      todayCount: now?.count ?? 0,
      usualSum: formatMinor((then?.sumMinor ?? 0n) / BigInt(Math.max(1, active.length))),
    };
  });
}

function paidOnly(figures: readonly Figures[]): readonly Figures[] {
  return figures.map((one) => ({
    ...one,
    groups: one.groups.filter(({ state }) => state === 'succeeded'),
  }));
}

type Need = Readonly<{
  kind: (typeof NEEDS)[number];
  title: string;
  count: number;
  sum?: string;
  currency?: string;
  link: string;
}>;

function listNeeds(overview: Overview, today: readonly Figures[]): readonly Need[] {
  const { held, wallets, failingEndpoints } = overview;
  const low = wallets.filter(
    ({ availableMinor, lowBalanceMinor }) =>
      lowBalanceMinor !== null && availableMinor < lowBalanceMinor,
  );
  const failed = sumUp(today, ['state', 'currency']).filter(({ state }) => state === 'failed');
  return [
    ...listApprovalNeeds(overview),
    ...listNotSubmitted(overview),
    ...sumHeld(held, 'in_doubt').map(
      ({ currency, count, sumMinor }): Need => ({
        kind: 'in_doubt',
        title: 'Payouts in doubt',
        count,
        sum: formatMinor(sumMinor),
        currency,
        link: '/transfers?state=in_doubt',
      }),
    ),
    ...(failingEndpoints === 0
      ? []
      : [
          {
            kind: 'webhook_failing',
            title: 'Webhooks that cannot be delivered',
            count: failingEndpoints,
            link: '/developers/webhooks',
          } as const,
        ]),
    ...low.map(
      ({ id, name, currency, availableMinor }): Need => ({
        kind: 'low_balance',
        title: `${name} is low`,
        count: 1,
        sum: formatMinor(availableMinor),
        currency,
        link: `/wallets/${id}`,
      }),
    ),
    ...failed.map(
      ({ currency, count, sumMinor }): Need => ({
        kind: 'failed_today',
        title: 'Payouts that failed today',
        count,
        sum: formatMinor(sumMinor),
        currency,
        link: '/transfers?state=failed&created=today-utc',
      }),
    ),
  ];
}

function listNotSubmitted({ notSubmitted }: Overview): readonly Need[] {
  return notSubmitted.map(({ currency, count, sumMinor, newestId }) => ({
    kind: 'not_submitted',
    title: 'Scheduled payouts that were not submitted',
    count,
    sum: formatMinor(sumMinor),
    currency,
    link: count === 1 ? `/files/${newestId}` : '/schedules',
  }));
}

function listApprovalNeeds({ held, awaitingFiles, impossible }: Overview): readonly Need[] {
  return [
    ...sumHeld(held, 'awaiting_approval').map(
      ({ currency, count, sumMinor }): Need => ({
        kind: 'approvals',
        title: 'Payouts that wait for approval',
        count,
        sum: formatMinor(sumMinor),
        currency,
        link: '/approvals?view=all',
      }),
    ),
    ...awaitingFiles.map(
      ({ currency, count, sumMinor }): Need => ({
        kind: 'file_approvals',
        title: 'Payout files that wait for approval',
        count,
        sum: formatMinor(sumMinor),
        currency,
        link: '/approvals?view=all',
      }),
    ),
    ...(impossible === 0
      ? []
      : [
          {
            kind: 'approval_impossible',
            title: 'Payouts that your people cannot approve',
            count: impossible,
            link: '/approvals?view=all',
          } as const,
        ]),
  ];
}

function sumHeld(held: readonly HeldFunds[], wanted: HeldFunds['state']) {
  const inState = held.filter(({ state }) => state === wanted);
  return [...Map.groupBy(inState, ({ currency }) => currency)].map(([currency, ofCurrency]) => ({
    currency,
    count: ofCurrency.reduce((sum, { count }) => sum + count, 0),
    sumMinor: ofCurrency.reduce((sum, { sumMinor }) => sum + sumMinor, 0n),
  }));
}
