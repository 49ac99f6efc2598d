import type { TimelineEntry } from '../../api/transfer-types.ts';
import { Amount } from '../../parts/amount.tsx';
import { Card } from '../../parts/card.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { transfer as texts } from '../../texts/en/transfer.ts';

const KINDS: Readonly<Record<string, string>> = texts.postings.kinds;

const COLUMNS: readonly Column<TimelineEntry>[] = [
  {
    key: 'what',
    head: texts.postings.what,
    isRowHead: true,
    fold: 'main',
    cell: ({ facts: { posting } }) => KINDS[posting ?? ''] ?? posting,
  },
  {
    key: 'time',
    head: texts.postings.time,
    fold: 'time',
    cell: ({ at }) => <Time at={at} />,
  },
  {
    key: 'from',
    head: texts.postings.from,
    fold: 'hide',
    cell: ({ facts: { from } }) => from,
  },
  {
    key: 'to',
    head: texts.postings.to,
    fold: 'state',
    cell: ({ facts: { from, to } }) => (
      <>
        <span className="hide-wide-inline soft">{texts.postings.fromTo(from ?? '')}</span>
        {to}
      </>
    ),
  },
  {
    key: 'amount',
    head: texts.postings.amount,
    isNumber: true,
    fold: 'num',
    cell: ({ facts: { currency, amount } }) => (
      <Amount currency={currency ?? ''} amount={amount ?? ''} />
    ),
  },
];

export function PostingsCard({ entries }: Readonly<{ entries: readonly TimelineEntry[] }>) {
  const postings = entries.filter(({ kind }) => kind === 'posting');
  if (postings.length === 0) return null;
  return (
    <Card title={texts.postings.title} aside={texts.postings.aside}>
      <Table
        caption={texts.postings.title}
        columns={COLUMNS}
        rows={postings}
        idOf={({ facts: { sequence, posting } }) => `${sequence} ${posting}`}
      />
    </Card>
  );
}
