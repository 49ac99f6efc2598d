import { Link } from '@tanstack/react-router';
import type { Page as ListPage } from '../../api/page.ts';
import type { Act } from '../../api/staff-types.ts';
import { useStaffQuery } from '../../app/staff-api.ts';
import { Card } from '../../parts/card.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { routes } from '../../texts/en/routes.ts';

const texts = routes.history;
const SHOWN = 20;

const KINDS: Readonly<Record<string, string>> = texts.kinds;

const COLUMNS: readonly Column<Act>[] = [
  {
    key: 'what',
    head: texts.what,
    isRowHead: true,
    fold: 'main',
    cell: ({ kind }) => KINDS[kind] ?? kind,
  },
  { key: 'reason', head: texts.reason, fold: 'more', cell: ({ reason }) => reason ?? '–' },
  { key: 'by', head: texts.by, fold: 'state', cell: ({ actor }) => actor.name },
  {
    key: 'at',
    head: texts.at,
    isNumber: true,
    fold: 'time',
    cell: ({ at }) => <Time at={at} />,
  },
];

/** When people stopped and started the route, out of the audit log. */
export function HistoryCard({ routeName }: Readonly<{ routeName: string }>) {
  const found = useStaffQuery<ListPage<Act>>({
    path: '/audit',
    query: { subject: routeName, limit: SHOWN },
  });
  return (
    <Loaded found={found} title={texts.title}>
      {({ items }) => {
        const rows = items.filter(({ kind }) => kind in KINDS);
        return (
          <Card
            title={texts.title}
            aside={
              <Link to="/staff/audit" search={{ subject: routeName }}>
                {texts.all}
              </Link>
            }
          >
            {rows.length === 0 ? (
              <p className="card-pad pt-0 soft">{texts.none}</p>
            ) : (
              <Table caption={texts.caption} columns={COLUMNS} rows={rows} idOf={({ id }) => id} />
            )}
          </Card>
        );
      }}
    </Loaded>
  );
}
