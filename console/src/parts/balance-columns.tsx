import { Amount } from './amount.tsx';
import type { Column } from './table.tsx';

type Balances = Readonly<{ currency: string; available: string; held: string }>;

/** What a wallet holds for payouts under way, and what it can pay. */
export function balanceColumns(
  texts: Readonly<{ held: string; available: string }>,
): readonly Column<Balances>[] {
  return [
    {
      key: 'held',
      head: texts.held,
      isNumber: true,
      fold: 'time',
      cell: ({ currency, held }) => (
        <>
          <span className="hide-wide-inline faint small">{texts.held} </span>
          <Amount currency={currency} amount={held} />
        </>
      ),
    },
    {
      key: 'available',
      head: texts.available,
      isNumber: true,
      fold: 'num',
      cell: ({ currency, available }) => (
        <b>
          <Amount currency={currency} amount={available} />
        </b>
      ),
    },
  ];
}
