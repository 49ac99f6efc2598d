import { useState } from 'react';
import type { Merchant, Some, TakeBack } from '../../api/staff-types.ts';
import { useMay, useSession } from '../../app/session.ts';
import { useStaffQuery } from '../../app/staff-api.ts';
import { Amount } from '../../parts/amount.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { ModeWord, Tag } from '../../parts/words.tsx';
import { merchant as words } from '../../texts/en/merchants.ts';
import { TakeBackDialog } from './take-back-dialog.tsx';

const texts = words.takeBack.list;

export function TakeBacksCard({ merchant }: Readonly<{ merchant: Merchant }>) {
  const found = useStaffQuery<Some<TakeBack>>({ path: '/take-backs' });
  // Most merchants have none: no place is kept for them while they load.
  if (found.data === undefined && !found.isError) return null;
  return (
    <Loaded found={found} title={texts.title}>
      {({ items }) => (
        <TakeBacks
          merchant={merchant}
          rows={items.filter((one) => one.merchant.id === merchant.id)}
        />
      )}
    </Loaded>
  );
}

function TakeBacks({
  merchant,
  rows,
}: Readonly<{ merchant: Merchant; rows: readonly TakeBack[] }>) {
  const may = useMay();
  const { person } = useSession();
  const [chosen, setChosen] = useState<TakeBack>();
  const wallet = merchant.wallets.find(({ id }) => id === chosen?.walletId);
  if (rows.length === 0) return null;
  return (
    <Card title={texts.title}>
      <Table
        caption={texts.caption}
        columns={columnsOf({
          myId: person.id,
          mayDecide: may('wallets:fund'),
          onDecide: setChosen,
        })}
        rows={rows}
        idOf={({ id }) => id}
      />
      {wallet !== undefined && (
        <TakeBackDialog wallet={wallet} onClose={() => setChosen(undefined)} />
      )}
    </Card>
  );
}

function columnsOf({
  myId,
  mayDecide,
  onDecide,
}: Readonly<{
  myId: string;
  mayDecide: boolean;
  onDecide: (one: TakeBack) => void;
}>): readonly Column<TakeBack>[] {
  return [
    {
      key: 'what',
      head: texts.what,
      isRowHead: true,
      fold: 'main',
      cell: ({ fundingReference, mode, reason }) => (
        <span className="two">
          <span>
            {fundingReference} <ModeWord mode={mode} />
          </span>
          <small className="wrap">“{reason}”</small>
        </span>
      ),
    },
    {
      key: 'by',
      head: texts.by,
      fold: 'hide',
      cell: ({ proposedBy, proposedAt }) => (
        <span className="two">
          {proposedBy.name}
          <small>
            <Time at={proposedAt} />
          </small>
        </span>
      ),
    },
    {
      key: 'state',
      head: texts.state,
      fold: 'state',
      cell: (one) => (
        <Tag {...(one.end === null ? { tone: 'caution' } : {})}>{sayState(one, myId)}</Tag>
      ),
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
    {
      key: 'act',
      head: <span className="visually-hidden">{texts.act}</span>,
      isNumber: true,
      fold: 'act',
      cell: (one) =>
        mayDecide && one.end === null && one.proposedBy.id !== myId ? (
          <Button
            size="sm"
            aria-label={texts.lookAt(one.fundingReference)}
            onClick={() => onDecide(one)}
          >
            {texts.look}
          </Button>
        ) : null,
    },
  ];
}

function sayState({ end, proposedBy }: TakeBack, myId: string): string {
  if (end === null) return proposedBy.id === myId ? texts.own : texts.waits;
  const ends: Readonly<Record<string, string>> = texts.ends;
  const word = ends[end.as] ?? end.as;
  return end.by === null ? word : texts.endedBy(word, end.by);
}
