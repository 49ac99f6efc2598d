import type { Transfer, Wallet } from '../../api/types.ts';
import { formatAge } from '../../format/format-age.ts';
import { formatAmount } from '../../format/format-amount.ts';
import { Amount } from '../../parts/amount.tsx';
import { RowLink } from '../../parts/row-link.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { Operator, Phone, StatePill } from '../../parts/words.tsx';
import { transfers as texts } from '../../texts/en/transfers.ts';
import { nameOfWallet } from './transfer-filters.ts';

/** Columns that people choose from, in the order in which they stand. Recipient, state and amount always do. */
export const COLUMN_CHOICES = [
  'created',
  'reference',
  'operator',
  'wallet',
  'receipt',
  'narration',
  'updated',
] as const;
type ColumnChoice = (typeof COLUMN_CHOICES)[number];
export const COLUMNS_AT_FIRST: readonly string[] = ['created', 'reference'];

type Given = Readonly<{
  bookId: string;
  wallets: readonly Wallet[];
  chosen: readonly string[];
}>;

export function transferColumns({ bookId, wallets, chosen }: Given): readonly Column<Transfer>[] {
  const choices: Readonly<Record<ColumnChoice, Column<Transfer>>> = {
    created: {
      key: 'created',
      head: texts.created,
      isSorted: true,
      fold: 'time',
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
    reference: {
      key: 'reference',
      head: texts.reference,
      fold: 'hide',
      cell: ({ reference, narration }) => (
        <span className="two">
          <span className="id id-wrap break">{reference}</span>
          {narration !== null && <small>{narration}</small>}
        </span>
      ),
    },
    operator: {
      key: 'operator',
      head: texts.operator,
      fold: 'hide',
      cell: ({ operator, country }) => <Operator operator={operator} country={country} />,
    },
    wallet: {
      key: 'wallet',
      head: texts.wallet,
      fold: 'hide',
      cell: ({ walletId, currency }) => {
        const wallet = wallets.find(({ id }) => id === walletId);
        return wallet === undefined ? currency : nameOfWallet(wallet);
      },
    },
    receipt: {
      key: 'receipt',
      head: texts.receipt,
      fold: 'hide',
      cell: ({ operatorTransactionId }) =>
        operatorTransactionId === null ? (
          texts.none
        ) : (
          <span className="id id-wrap break">{operatorTransactionId}</span>
        ),
    },
    narration: {
      key: 'narration',
      head: texts.narration,
      fold: 'hide',
      cell: ({ narration }) => narration ?? texts.none,
    },
    updated: {
      key: 'updated',
      head: texts.updated,
      fold: 'hide',
      cell: ({ updatedAt }) => <Time at={updatedAt} />,
    },
  };
  const isChosen = (choice: string) => chosen.includes(choice);
  return [
    ...(isChosen('created') ? [choices.created] : []),
    recipientColumn(bookId),
    STATE_COLUMN,
    ...COLUMN_CHOICES.filter((choice) => choice !== 'created' && isChosen(choice)).map(
      (choice) => choices[choice],
    ),
    AMOUNT_COLUMN,
  ];
}

function recipientColumn(bookId: string): Column<Transfer> {
  return {
    key: 'recipient',
    head: texts.recipient,
    isRowHead: true,
    fold: 'main',
    cell: ({ id, recipientName, phone, operator }) => (
      <span className="two">
        <RowLink to={`/b/${bookId}/transfers/${id}`}>
          {recipientName ?? <Phone phone={phone} />}
        </RowLink>
        <small className="nowrap">
          {recipientName !== null && (
            <>
              <Phone phone={phone} /> ·{' '}
            </>
          )}
          <Operator operator={operator} />
        </small>
      </span>
    ),
  };
}

const STATE_COLUMN: Column<Transfer> = {
  key: 'state',
  head: texts.state,
  fold: 'state',
  cell: (transfer) => (
    <span className="two">
      <StatePill state={transfer.state} />
      <StateDetail transfer={transfer} />
    </span>
  ),
};

const AMOUNT_COLUMN: Column<Transfer> = {
  key: 'amount',
  head: texts.amount,
  isNumber: true,
  fold: 'num',
  cell: ({ currency, amount, fee }) => (
    <span className="two">
      <b>
        <Amount currency={currency} amount={amount} />
      </b>
      <small>{texts.fee(formatAmount(fee))}</small>
    </span>
  ),
};

/** In a few words: how long it took, why it failed, what comes next. */
function StateDetail({ transfer }: Readonly<{ transfer: Transfer }>) {
  const { state, completedAt, createdAt, failure, nextCheckAt } = transfer;
  if (state === 'succeeded' && completedAt !== null) {
    const tookMs = Date.parse(completedAt) - Date.parse(createdAt);
    return <small>{texts.took(formatAge(tookMs))}</small>;
  }
  if (state === 'failed' && failure !== null) return <small>{failure.message}</small>;
  if (state === 'in_doubt') {
    return (
      <small>
        {nextCheckAt === null || nextCheckAt === undefined ? (
          texts.waitsForPerson
        ) : (
          <>
            {texts.nextInquiry} <Time at={nextCheckAt} />
          </>
        )}
      </small>
    );
  }
  return null;
}
