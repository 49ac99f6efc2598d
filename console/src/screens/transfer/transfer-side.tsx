import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Transfer, TransferState } from '../../api/types.ts';
import { useBook } from '../../app/session.ts';
import { useWalletNames } from '../../app/wallet-names.ts';
import { addAmounts } from '../../format/format-amount.ts';
import { Amount } from '../../parts/amount.tsx';
import { Card, Facts } from '../../parts/card.tsx';
import { Age, Time } from '../../parts/time.tsx';
import { Id, ModeWord, StatePill } from '../../parts/words.tsx';
import { states } from '../../texts/en/states.ts';
import { transfer as texts } from '../../texts/en/transfer.ts';

type Given = Readonly<{ transfer: Transfer; earlier: readonly Transfer[] | undefined }>;

export function TransferSide({ transfer, earlier }: Given) {
  return (
    <div className="stack">
      <Money transfer={transfer} />
      <Details transfer={transfer} />
      {earlier !== undefined && <Earlier earlier={earlier} />}
    </div>
  );
}

const BACK: readonly TransferState[] = ['failed', 'cancelled', 'reversed'];

function Money({ transfer: { currency, amount, fee, state } }: Readonly<{ transfer: Transfer }>) {
  const word = BACK.includes(state)
    ? texts.money.back
    : state === 'succeeded'
      ? texts.money.paid
      : texts.money.held;
  return (
    <Card title={texts.money.title} isPadded>
      <dl className="facts facts-money">
        <dt>{texts.money.amount}</dt>
        <dd>
          <Amount currency={currency} amount={amount} />
        </dd>
        <dt>{texts.money.fee}</dt>
        <dd>
          <Amount currency={currency} amount={fee} />
        </dd>
        <dt className="facts-total">{word}</dt>
        <dd className="facts-total">
          <Amount currency={currency} amount={addAmounts([amount, fee])} />
        </dd>
      </dl>
    </Card>
  );
}

/** The payout file that it came from, and the failed transfer that it was made instead of. */
function originOf(
  { payoutFileId = null, replaces = null }: Transfer,
  bookId: string,
): readonly (readonly [string, ReactNode])[] {
  const link = (word: string, path: string, id: string | null) =>
    id === null
      ? []
      : [
          [
            word,
            <Link key={path} to={`/b/${bookId}/${path}/${id}`}>
              <Id id={id} />
            </Link>,
          ] as const,
        ];
  return [
    ...link(texts.details.file, 'files', payoutFileId),
    ...link(texts.details.replaces, 'transfers', replaces),
  ];
}

function Details({ transfer }: Readonly<{ transfer: Transfer }>) {
  const book = useBook();
  const nameOf = useWalletNames();
  const { state, status, createdAt, updatedAt, completedAt, operatorTransactionId } = transfer;
  const facts: readonly (readonly [string, ReactNode])[] = [
    [
      texts.details.state,
      <span key="state" className="two">
        {states[state].word} <code className="faint small">{state}</code>
        <small>{texts.details.api(status)}</small>
      </span>,
    ],
    [texts.details.created, <Time key="created" at={createdAt} />],
    completedAt === null
      ? [
          texts.details.since,
          <span key="since">
            <Time at={updatedAt} /> · <Age since={updatedAt} />
          </span>,
        ]
      : [texts.details.ended, <Time key="ended" at={completedAt} />],
    ...originOf(transfer, book.id),
    [texts.details.narration, transfer.narration ?? texts.details.none],
    [
      texts.details.wallet,
      <span key="wallet" className="two">
        {nameOf({ id: transfer.walletId, currency: transfer.currency })}
        <small>
          <Id id={transfer.walletId} />
        </small>
      </span>,
    ],
    [
      texts.details.receipt,
      operatorTransactionId === null ? (
        texts.details.noReceipt
      ) : (
        <Id key="receipt" id={operatorTransactionId} whole what={texts.receiptWord} />
      ),
    ],
    [
      texts.details.book,
      <span key="book">
        <ModeWord mode={book.mode} /> {book.merchant.name}
      </span>,
    ],
    [texts.details.id, <Id key="id" id={transfer.id} whole what={texts.idWord} />],
  ];
  return (
    <Card title={texts.details.title} isPadded>
      <Facts facts={facts} />
    </Card>
  );
}

function Earlier({ earlier }: Readonly<{ earlier: readonly Transfer[] }>) {
  const book = useBook();
  return (
    <Card title={texts.earlier.title} isPadded>
      {earlier.length === 0 ? (
        <p className="soft">{texts.earlier.none}</p>
      ) : (
        <ul className="earlier">
          {earlier.map(({ id, createdAt, state, currency, amount, reference }) => (
            <li key={id}>
              <Link to={`/b/${book.id}/transfers/${id}`} title={reference}>
                <Time at={createdAt} />
              </Link>
              <StatePill state={state} />
              <Amount currency={currency} amount={amount} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
