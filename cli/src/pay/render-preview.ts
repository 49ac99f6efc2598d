import type { Mode } from '../../../sdk/src/index.ts';
import { countOf, formatCount, formatTable } from '../format-table.ts';
import { formatMoney, parseBalance } from '../payout-file/amount.ts';
import type { PayoutFile } from '../payout-file/read-payout-file.ts';
import { type WalletView, whatIsMissing } from './read-wallets.ts';
import type { CurrencyTotal, Totals } from './total-payouts.ts';

export type Preview = Readonly<{
  path: string;
  file: PayoutFile;
  totals: Totals;
  mode: Mode | undefined;
  wallets: readonly WalletView[];
  batch: string;
}>;

/** What would happen, before anybody says yes. */
export function renderPreview(preview: Preview): string {
  const { path, file, totals, mode, wallets } = preview;
  const parts = [`${path}: ${countOf(totals.payouts, 'payout')}, all lines are well-formed.`];
  if (mode === 'live') parts.push('This is a LIVE key: real money.');
  if (mode === 'test') parts.push('This is a test key: nobody is paid.');
  parts.push(renderTotals(totals));
  if (wallets.length > 0) parts.push(renderWallets(wallets, totals.byWallet.length));
  if (file.ignoredColumns.length > 0) {
    parts.push(`Not looked at: ${file.ignoredColumns.join(', ')}.`);
  }
  if (file.referencesAre === 'derived') parts.push(explainDerived(preview.batch));
  return parts.join('\n\n');
}

/** `ZMW 1,234.00 and NGN 5.00` */
export function renderAmounts(totals: readonly CurrencyTotal[]): string {
  return totals
    .map(({ currency, amountMinor }) => `${currency} ${formatMoney(amountMinor)}`)
    .join(' and ');
}

function renderTotals({ byOperator, byCurrency }: Totals): string {
  const rows = byOperator.map(({ operator, country, currency, payouts, amountMinor }) => [
    operator,
    country,
    formatCount(payouts),
    currency,
    formatMoney(amountMinor),
  ]);
  const sums = byCurrency.map(({ currency, payouts, amountMinor }) => [
    'together',
    '',
    formatCount(payouts),
    currency,
    formatMoney(amountMinor),
  ]);
  return formatTable(
    [
      { title: 'operator' },
      { title: 'country' },
      { title: 'payouts', align: 'right' },
      { title: '' },
      { title: 'amount', align: 'right' },
    ],
    [...rows, ...sums],
  );
}

function renderWallets(views: readonly WalletView[], walletsAll: number): string {
  const rows = views.map((view) => {
    const { total, wallet } = view;
    const availableMinor = wallet === 'not readable' ? undefined : parseBalance(wallet.available);
    const available = availableMinor === undefined ? 'not readable' : formatMoney(availableMinor);
    const needed = formatMoney(total.amountMinor);
    return [total.walletId, total.currency, available, needed, whatIsMissing(view) ?? ''];
  });
  const table = formatTable(
    [
      { title: 'wallet' },
      { title: '' },
      { title: 'available', align: 'right' },
      { title: 'needed', align: 'right' },
      { title: '' },
    ],
    rows,
  );
  const notes = [];
  if (walletsAll > views.length) notes.push(`and ${walletsAll - views.length} more wallets.`);
  notes.push('Fees come on top. Lines that were sent before need nothing more.');
  return [table, ...notes].join('\n');
}

function explainDerived(batch: string): string {
  const names =
    batch === '' ? 'the content of its line' : `the content of its line and the batch ${batch}`;
  return (
    `The file has no column reference, so each payout is named after ${names}.\n` +
    'Run the same file again, and whoever was paid is not paid twice. To pay the same people the\n' +
    'same amounts once more, next month say, give another --batch.'
  );
}
