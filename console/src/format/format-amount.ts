const MINUS = '\u2212';

/**
 * Groups a decimal amount and gives it two decimals: 1204880 becomes 1,204,880.00. Takes decimal text as it is, since
 * sums may exceed what a number holds exactly.
 */
export function formatAmount(amount: number | string): string {
  const text = typeof amount === 'number' ? amount.toFixed(2) : amount;
  const match = /^(-?)(\d+)(?:\.(\d{1,2})\d*)?$/.exec(text);
  if (match === null) return text;
  const [, sign = '', whole = '0', decimals = ''] = match;
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${sign === '' ? '' : MINUS}${grouped}.${decimals.padEnd(2, '0')}`;
}

export type Sum = Readonly<{ currency: string; sum: number | string }>;

/** Amounts in a sentence: one per currency, never converted. */
export function formatSums(sums: readonly Sum[]): string {
  return sums.map(({ currency, sum }) => `${currency}\u00a0${formatAmount(sum)}`).join(' and ');
}

/** Adds decimal texts exactly, in hundredths. */
export function addAmounts(amounts: readonly (number | string)[]): string {
  let total = 0n;
  for (const amount of amounts) {
    const text = typeof amount === 'number' ? amount.toFixed(2) : amount;
    const negative = text.startsWith('-');
    const [whole = '0', decimals = ''] = text.replace('-', '').split('.');
    const minor = BigInt(whole) * 100n + BigInt(decimals.slice(0, 2).padEnd(2, '0'));
    total += negative ? -minor : minor;
  }
  const positive = total < 0n ? -total : total;
  const text = `${positive / 100n}.${String(positive % 100n).padStart(2, '0')}`;
  return total < 0n ? `-${text}` : text;
}

/** Sums by currency, in the order in which the currencies come. */
export function sumByCurrency(
  items: readonly Readonly<{ currency: string; amount: number | string }>[],
): readonly Sum[] {
  const byCurrency = Map.groupBy(items, ({ currency }) => currency);
  return [...byCurrency].map(([currency, some]) => ({
    currency,
    sum: addAmounts(some.map(({ amount }) => amount)),
  }));
}

export function formatPercent(share: number): string {
  return `${(share * 100).toFixed(1)}\u00a0%`;
}

const COUNT = new Intl.NumberFormat('en');

export function formatCount(count: number): string {
  return COUNT.format(count);
}
