import { Link } from '@tanstack/react-router';
import type { StaffOverview } from '../../api/staff-types.ts';
import { formatCount } from '../../format/format-amount.ts';
import { Card } from '../../parts/card.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Age } from '../../parts/time.tsx';
import { ModeWord, StatePill } from '../../parts/words.tsx';
import { staffOverview } from '../../texts/en/staff-overview.ts';

const texts = staffOverview.queues;
type Queue = StaffOverview['queues'][number];

const COLUMNS: readonly Column<Queue>[] = [
  {
    key: 'state',
    head: texts.state,
    isRowHead: true,
    fold: 'main',
    cell: ({ state, mode }) => (
      <Link to="/staff/transfers" search={{ state, mode }}>
        <StatePill state={state} />
      </Link>
    ),
  },
  { key: 'mode', head: texts.mode, fold: 'state', cell: ({ mode }) => <ModeWord mode={mode} /> },
  {
    key: 'count',
    head: texts.count,
    isNumber: true,
    fold: 'num',
    cell: ({ count }) => formatCount(count),
  },
  {
    key: 'oldest',
    head: texts.oldest,
    isNumber: true,
    fold: 'time',
    cell: ({ oldestAt }) => <Age since={oldestAt} />,
  },
];

/** Live before test, the oldest first. */
export function QueuesCard({ queues }: Readonly<{ queues: readonly Queue[] }>) {
  const rows = queues.toSorted((a, b) =>
    a.mode === b.mode ? (a.oldestAt < b.oldestAt ? -1 : 1) : a.mode === 'live' ? -1 : 1,
  );
  return (
    <Card title={texts.title}>
      {rows.length === 0 ? (
        <p className="card-pad pt-0 soft">{texts.none}</p>
      ) : (
        <Table
          caption={texts.caption}
          columns={COLUMNS}
          rows={rows}
          idOf={({ state, mode }) => `${mode} ${state}`}
        />
      )}
    </Card>
  );
}
