import { plural } from '../plural.ts';

const PAYOUTS = { one: 'payout', other: 'payouts' } as const;

/** Texts of the overview of a book. */
export const overview = {
  needs: {
    title: 'Needs you',
    aside: (count: number) => `${plural(count, { one: 'thing', other: 'things' })}, money first`,
    none: 'Nothing needs you now.',
    open: 'Open',
    details: {
      approvals: (count: number) =>
        `${plural(count, PAYOUTS)}: the money is held until people decide.`,
      file_approvals: (count: number) =>
        `${plural(count, { one: 'file waits', other: 'files wait' })}: none of its payouts is made until people decide.`,
      approval_impossible: (count: number) =>
        `${plural(count, PAYOUTS)}: no one who could approve is left. Give another person the role.`,
      not_submitted: (count: number) =>
        `${plural(count, { one: 'payout file', other: 'payout files' })} of schedules. Open it, correct it and submit it.`,
      in_doubt: (count: number) =>
        `${plural(count, PAYOUTS)}: it is not known yet whether money moved. Do not pay again.`,
      failed_today: (count: number) =>
        `${plural(count, PAYOUTS)}. The money is back in the wallet.`,
      low_balance: () => 'Payouts are refused when the wallet is empty. Ask for funds in time.',
      webhook_failing: (count: number) =>
        `${plural(count, { one: 'endpoint does', other: 'endpoints do' })} not answer.`,
      key_waits: (count: number) =>
        `${plural(count, { one: 'key waits', other: 'keys wait' })} for an owner.`,
    },
  },
  wallets: {
    available: 'Available',
    held: 'Held',
    open: 'Statement',
    low: 'low',
    frozen: 'frozen',
    nothingHeld: 'Nothing is held.',
    none: 'No wallets yet',
    noneDetail: 'The company that runs Kafue opens and funds them.',
  },
  today: {
    title: 'Today by state',
    aside: (count: number) => `${plural(count, PAYOUTS)} created since midnight UTC`,
    none: 'No payout was created today yet.',
    noneTest: 'Pay a number that ends in 913 to see one in doubt.',
    pay: 'Pay someone',
  },
  paid: {
    title: 'Time to paid',
    detail: 'median and 95th, 14 days',
    today: 'today, median',
    median: 'median',
    p95: '95th',
    sentence: (days: number, median: string, p95: string) =>
      `Time to paid over ${plural(days, { one: 'day', other: 'days' })}. Half of the latest day’s payouts were paid within ${median}, 95 of 100 within ${p95}.`,
    none: 'No payout was paid in these 14 days.',
  },
  rate: {
    title: 'Success rate',
    detail: 'of payouts that ended, 14 days',
    today: 'today',
    label: 'paid',
    sentence: (lowest: string, day: string, latest: string) =>
      `Success rate of payouts that ended. The lowest was ${lowest} on ${day}; the latest is ${latest}. Doubts are not failures.`,
    none: 'No payout ended in these 14 days.',
  },
  volume: {
    title: 'Volume by operator',
    detail: 'paid today, beside a usual day',
    payouts: 'payouts',
    caption: 'Paid today by operator, beside the average of the days before',
    operator: 'Operator',
    bar: 'Bar',
    todayAndUsual: 'Today and usual',
    usual: 'Usual',
    none: 'No payouts in these days.',
  },
} as const;
