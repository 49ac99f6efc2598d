import { Fragment } from 'react';
import { formatAmount, type Sum } from '../format/format-amount.ts';

type Given = Readonly<{
  currency: string;
  amount: number | string;
  size?: 'big' | 'huge';
}>;

/** Currency before the number, small and faint; always two decimals. */
export function Amount({ currency, amount, size }: Given) {
  return (
    <span className={size === undefined ? 'money' : `money ${size}`}>
      <span className="cur">{currency}</span>
      <span className="money-digits">{formatAmount(amount)}</span>
    </span>
  );
}

/** One amount per currency, joined by "and"; never converted. */
export function Sums({ sums }: Readonly<{ sums: readonly Sum[] }>) {
  return sums.map(({ currency, sum }, index) => (
    <Fragment key={currency}>
      {index > 0 && ' and '}
      <Amount currency={currency} amount={sum} />
    </Fragment>
  ));
}
