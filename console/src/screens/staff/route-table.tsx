import type { StaffRoute } from '../../api/staff-types.ts';
import { RowLink } from '../../parts/row-link.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { routes as texts } from '../../texts/en/routes.ts';
import { namePairs, RouteTag, showKnown, showMs, showRate } from './route-words.tsx';

const COLUMNS: readonly Column<StaffRoute>[] = [
  {
    key: 'route',
    head: texts.route,
    isRowHead: true,
    fold: 'main',
    cell: (route) => (
      <span className="two">
        <RowLink to={`/staff/routes/${encodeURIComponent(route.name)}`}>{namePairs(route)}</RowLink>
        <small>
          <code>{route.name}</code>
        </small>
      </span>
    ),
  },
  {
    key: 'state',
    head: texts.state,
    fold: 'num',
    cell: ({ state }) => <RouteTag state={state} />,
  },
  {
    key: 'summary',
    head: <span className="visually-hidden">{texts.submitted}</span>,
    fold: 'more',
    cell: ({ submitted1h, successRate, medianMs, queued }) => (
      <small className="soft hide-wide-inline">
        {submitted1h === 0
          ? texts.nothingSent
          : texts.summary(showRate(successRate), showMs(medianMs), showKnown(queued))}
      </small>
    ),
  },
  {
    key: 'rate',
    head: texts.paidOfEnded,
    isNumber: true,
    fold: 'hide',
    cell: ({ successRate }) => showRate(successRate),
  },
  {
    key: 'median',
    head: texts.median,
    isNumber: true,
    fold: 'hide',
    cell: ({ medianMs }) => showMs(medianMs),
  },
  {
    key: 'p99',
    head: texts.p99,
    isNumber: true,
    fold: 'hide',
    cell: ({ p99Ms }) => showMs(p99Ms),
  },
  {
    key: 'submitted',
    head: texts.submitted,
    isNumber: true,
    fold: 'hide',
    cell: ({ submitted1h }) => showKnown(submitted1h),
  },
  {
    key: 'used',
    head: texts.underWay,
    isNumber: true,
    fold: 'hide',
    cell: ({ used, limit }) => texts.of(used, limit),
  },
  {
    key: 'queued',
    head: texts.queued,
    isNumber: true,
    fold: 'hide',
    cell: ({ queued }) => (queued === 0 ? <span className="faint">0</span> : showKnown(queued)),
  },
];

export function RouteTable({ routes }: Readonly<{ routes: readonly StaffRoute[] }>) {
  return (
    <Table caption={texts.caption} columns={COLUMNS} rows={routes} idOf={({ name }) => name} />
  );
}
