import type { Mode } from '../../../sdk/src/index.ts';
import { countOf, formatCount, formatTable } from '../format-table.ts';
import { formatMoney, parseBalance } from '../payout-file/amount.ts';
import type { LineProblem } from '../payout-file/payout.ts';
import type { PayoutFile } from '../payout-file/read-payout-file.ts';
import type { LineOutcome } from './line-outcome.ts';
import type { Preparation } from './prepare-payment.ts';
import { leftMinor, type WalletView, whatIsMissing } from './read-wallets.ts';
import { renderCounts, renderStatuses } from './render-summary.ts';
import type { CurrencyTotal, Totals } from './total-payouts.ts';

/** More lines would push the totals off the screen, so the others are only counted. */
const WARNINGS_SHOWN_MAX = 10;

export type Preview = Readonly<{
  path: string;
  file: PayoutFile;
  preparation: Preparation;
  mode: Mode | undefined;
  batch: string;
}>;

/** The preview that is shown before asking for confirmation. */
export function renderPreview({ path, file, preparation, mode, batch }: Preview): string {
  const { lines, totals, wallets, feesAreKnown } = preparation;
  const parts = [`${path}: ${countOf(file.payouts.length, 'line')}, all well-formed.`];
  const sent = lines.flatMap(({ outcome }) => outcome ?? []);
  if (sent.length > 0) parts.push(renderSent(sent, totals.payouts));
  if (mode === 'live') parts.push('This is a LIVE key: real money.');
  if (mode === 'test') parts.push('This is a test key: no money moves.');
  if (totals.payouts > 0) parts.push(renderTotals(totals, feesAreKnown));
  if (wallets.length > 0) parts.push(renderWallets(wallets, totals.byWallet.length));
  const warnings = renderWarnings(preparation.warnings, preparation.notes);
  if (warnings.length > 0) parts.push(warnings.join('\n'));
  if (file.ignored.length > 0) {
    parts.push(`Not looked at: ${file.ignored.join(', ')}.`);
  }
  if (file.referencesAre === 'derived') parts.push(explainDerived(batch));
  return parts.join('\n\n');
}

function renderSent(sent: readonly LineOutcome[], toPay: number): string {
  const rest = toPay === 0 ? 'Nothing is left to pay.' : `${countOf(toPay, 'line')} to pay now.`;
  const text = `Before this run: ${renderCounts(sent)}. ${rest}`;
  const hasTransfers = sent.some((outcome) => 'transfer' in outcome);
  return hasTransfers ? `${text}\nOf those sent before: ${renderStatuses(sent)}.` : text;
}

/** `ZMW 1,234.00 and NGN 5.00, and fees of ZMW 2.00` */
export function renderAmounts(totals: readonly CurrencyTotal[]): string {
  const list = (amountOf: (total: CurrencyTotal) => bigint) =>
    totals
      .filter((total) => amountOf(total) > 0n)
      .map((total) => `${total.currency} ${formatMoney(amountOf(total))}`)
      .join(' and ');
  const fees = list(({ feesMinor }) => feesMinor);
  return `${list(({ amountMinor }) => amountMinor)}${fees === '' ? '' : `, and fees of ${fees}`}`;
}

function renderTotals({ byOperator, byCurrency }: Totals, feesAreKnown: boolean): string {
  const sumCells = (sum: CurrencyTotal) => {
    const { payouts, currency, amountMinor, feesMinor } = sum;
    const cells = [formatCount(payouts), currency, formatMoney(amountMinor)];
    if (!feesAreKnown) return cells;
    return [...cells, formatMoney(feesMinor), formatMoney(amountMinor + feesMinor)];
  };
  const rows = byOperator.map((sum) => [sum.operator, sum.country, ...sumCells(sum)]);
  const sums = byCurrency.map((sum) => ['together', '', ...sumCells(sum)]);
  const feeColumns = [
    { title: 'fees', align: 'right' },
    { title: 'total', align: 'right' },
  ] as const;
  return formatTable(
    [
      { title: 'operator' },
      { title: 'country' },
      { title: 'payouts', align: 'right' },
      { title: '' },
      { title: 'amount', align: 'right' },
      ...(feesAreKnown ? feeColumns : []),
    ],
    [...rows, ...sums],
  );
}

function renderWallets(views: readonly WalletView[], walletsAll: number): string {
  const rows = views.map((view) => {
    const { total, wallet } = view;
    const availableMinor = parseBalance(wallet.available);
    const left = leftMinor(view);
    return [
      total.walletId,
      total.currency,
      availableMinor === undefined ? wallet.available : formatMoney(availableMinor),
      formatMoney(total.amountMinor + total.feesMinor),
      left === undefined ? '' : formatMoney(left),
      whatIsMissing(view) ?? '',
    ];
  });
  const table = formatTable(
    [
      { title: 'wallet' },
      { title: '' },
      { title: 'balance', align: 'right' },
      { title: 'to pay', align: 'right' },
      { title: 'balance after', align: 'right' },
      { title: '' },
    ],
    rows,
  );
  const more = walletsAll - views.length;
  return more > 0 ? `${table}\nand ${countOf(more, 'more wallet')}.` : table;
}

function renderWarnings(
  warnings: readonly LineProblem[],
  notes: readonly string[],
): readonly string[] {
  const shown = warnings
    .slice(0, WARNINGS_SHOWN_MAX)
    .map(({ line, reason }) => `Warning, line ${line}: ${reason}`);
  const more = warnings.length - shown.length;
  const rest = more > 0 ? [`and ${countOf(more, 'more warning')}.`] : [];
  return [...shown, ...rest, ...notes.map((note) => `Warning: ${note}`)];
}

function explainDerived(batch: string): string {
  const names =
    batch === '' ? 'the content of its line' : `the content of its line and the batch ${batch}`;
  return (
    `The file has no column reference, so each payout is named after ${names}.\n` +
    'Run the same file again, and no line is paid twice. To pay the same people the same amounts\n' +
    'once more, next month say, give another --batch.'
  );
}
