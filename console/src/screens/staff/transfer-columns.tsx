import type { StaffTransfer } from '../../api/staff-types.ts';
import { Amount } from '../../parts/amount.tsx';
import { RowLink } from '../../parts/row-link.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { ModeWord, Operator, Phone, StatePill } from '../../parts/words.tsx';
import { staffTransfers as texts } from '../../texts/en/staff-transfers.ts';
import { isRouted } from './is-routed.ts';

/** Over books each row says whose it is and in which mode. */
export const STAFF_TRANSFER_COLUMNS: readonly Column<StaffTransfer>[] = [
  {
    key: 'recipient',
    head: texts.recipient,
    isRowHead: true,
    fold: 'main',
    cell: ({ id, phone, reference }) => (
      <span className="two">
        <RowLink to={`/staff/transfers/${id}`}>
          <Phone phone={phone} />
        </RowLink>
        <small className="id">{reference}</small>
      </span>
    ),
  },
  {
    key: 'merchant',
    head: texts.merchant,
    fold: 'more',
    cell: ({ merchant, mode }) => (
      <span>
        {merchant.name} <ModeWord mode={mode} />
      </span>
    ),
  },
  {
    key: 'route',
    head: texts.route,
    fold: 'hide',
    cell: (transfer) => (
      <span className="two">
        <Operator operator={transfer.operator} country={transfer.country} />
        <small>{isRouted(transfer) ? <code>{transfer.route}</code> : texts.page.noRoute}</small>
      </span>
    ),
  },
  {
    key: 'state',
    head: texts.state,
    fold: 'state',
    cell: ({ state }) => <StatePill state={state} />,
  },
  {
    key: 'created',
    head: texts.created,
    isNumber: true,
    fold: 'time',
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  {
    key: 'amount',
    head: texts.amount,
    isNumber: true,
    fold: 'num',
    cell: ({ currency, amount }) => (
      <b>
        <Amount currency={currency} amount={amount} />
      </b>
    ),
  },
];
