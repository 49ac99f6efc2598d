import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { PayoutRow, RowField } from '../../api/payout-file-types.ts';
import { useBook } from '../../app/session.ts';
import { Amount } from '../../parts/amount.tsx';
import type { Column } from '../../parts/table.tsx';
import { Operator, Phone } from '../../parts/words.tsx';
import { files } from '../../texts/en/files.ts';
import { CorrectField, useIsCorrectable } from './correct-field.tsx';
import { useRowActs } from './file-context.ts';
import { RowAct, RowCheck } from './row-check.tsx';

const texts = files.table;

export const ROW_COLUMNS: readonly Column<PayoutRow>[] = [
  {
    key: 'row',
    head: texts.row,
    isNumber: true,
    fold: 'check',
    cell: ({ number }) => <span className="faint">{number}</span>,
  },
  {
    key: 'recipient',
    head: texts.recipient,
    isRowHead: true,
    fold: 'main',
    cell: (row) => <Recipient row={row} />,
  },
  {
    key: 'phone',
    head: texts.phone,
    fold: 'state',
    cell: (row) => (
      <Correctable row={row} field="phone">
        {row.phone === null ? row.cells.phone : <Phone phone={row.phone} />}
      </Correctable>
    ),
  },
  {
    key: 'operator',
    head: texts.operator,
    fold: 'time',
    cell: (row) => (
      <Correctable row={row} field="operator">
        {row.operator === null ? row.cells.operator : <Operator operator={row.operator} />}
      </Correctable>
    ),
  },
  {
    key: 'check',
    head: <CheckHead />,
    fold: 'more',
    cell: (row) => <RowCheck row={row} />,
  },
  {
    key: 'amount',
    head: texts.amount,
    isNumber: true,
    fold: 'num',
    cell: (row) => (
      <Correctable row={row} field="amount">
        <RowAmount row={row} />
      </Correctable>
    ),
  },
  {
    key: 'action',
    head: <span className="visually-hidden">{texts.action}</span>,
    isNumber: true,
    fold: 'act',
    cell: (row) => <RowAct row={row} />,
  },
];

function Correctable({
  row,
  field,
  children,
}: Readonly<{ row: PayoutRow; field: RowField; children: ReactNode }>) {
  return useIsCorrectable(row, field) ? <CorrectField row={row} field={field} /> : children;
}

function CheckHead() {
  return useRowActs().isDraft ? texts.check : texts.outcome;
}

function RowAmount({ row: { amount, cells, currency } }: Readonly<{ row: PayoutRow }>) {
  const all = useRowActs().currency;
  const shown = currency ?? all;
  if (amount === null || shown === null) return cells.amount;
  return <Amount currency={shown} amount={amount} />;
}

function Recipient({ row }: Readonly<{ row: PayoutRow }>) {
  const { id: bookId } = useBook();
  const { name, cells, nameMatch, accountName, replaces, replacedFailure } = row;
  return (
    <span className="two">
      <span className={row.state === 'dropped' ? 'faint' : undefined}>
        {name ?? cells.name ?? <span className="faint">{files.row.noName}</span>}
      </span>
      {nameMatch === 'match' && <small>{files.row.nameMatches}</small>}
      {nameMatch !== null && nameMatch !== 'match' && accountName !== null && (
        <small>{files.row.operatorHas(accountName)}</small>
      )}
      {replaces !== null && (
        <small>
          <Link to={`/b/${bookId}/transfers/${replaces}`}>
            {replacedFailure === null
              ? files.row.again
              : files.row.failedBefore(replacedFailure.message)}
          </Link>
        </small>
      )}
    </span>
  );
}
