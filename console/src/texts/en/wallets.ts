import { plural } from '../plural.ts';

export const wallets = {
  intro: 'What can be paid out, and what is set aside for payouts that are under way.',
  caption: 'Wallets, newest first',
  order: 'Newest first',
  wallet: 'Wallet',
  status: 'State',
  available: 'Available',
  held: 'Held',
  total: 'Total',
  active: 'Active',
  frozen: 'Frozen',
  frozenHelp: 'nothing can be paid out',
  name: (currency: string) => `${currency} wallet`,
  count: (count: number) => plural(count, { one: 'wallet', other: 'wallets' }),
  availableInAll: 'available in all',
  empty: 'No wallets yet',
  emptyDetail:
    'A wallet holds money of one currency; every payout is paid from one. The company that runs Kafue opens and funds it.',
  filterCurrency: 'Currency',
  nothing: 'Nothing matches these filters',
  nothingDetail: (filter: string, others: number) =>
    `${filter}. There are ${plural(others, { one: 'wallet', other: 'wallets' })} without it.`,
  clear: 'Clear all filters',
} as const;
