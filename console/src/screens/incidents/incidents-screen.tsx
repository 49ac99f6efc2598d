import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Incident, Some } from '../../api/staff-types.ts';
import { useKeptRows } from '../../app/kept-rows.ts';
import { Page } from '../../app/page.tsx';
import { useStaffQuery } from '../../app/staff-api.ts';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Note } from '../../parts/note.tsx';
import { Table } from '../../parts/table.tsx';
import { NewerRows, Paging } from '../../parts/table-strip.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { incidents as texts } from '../../texts/en/incidents.ts';
import { placeNames } from '../../texts/en/places.ts';
import { CloseIncident } from './close-incident.tsx';
import { closedColumns, openColumns } from './incident-columns.tsx';

export default function IncidentsScreen() {
  const found = useStaffQuery<Some<Incident>>({ path: '/incidents' });
  return (
    <Page title={placeNames.incidents} intro={texts.intro}>
      <Loaded found={found} rows={5}>
        {({ items, more }) => (
          <IncidentList incidents={items} hasMore={more} asOf={found.dataUpdatedAt} />
        )}
      </Loaded>
    </Page>
  );
}

type Given = Readonly<{ incidents: readonly Incident[]; hasMore: boolean; asOf: number }>;

function IncidentList({ incidents, hasMore, asOf }: Given) {
  const { which } = useSearch({ strict: false }) as { which?: string };
  const tab = which === 'closed' ? 'closed' : 'open';
  const open = incidents.filter(({ closed }) => closed === null);
  const closed = incidents.filter((one) => one.closed !== null);
  const kept = useKeptRows(tab === 'open' ? open : closed, { idOf: ({ id }) => id, key: tab });
  const [chosen, setChosen] = useState<Incident>();
  return (
    <>
      <Tabs
        label={texts.which}
        tabs={[
          {
            key: 'open',
            label: texts.tabs.open,
            search: {},
            isCurrent: tab === 'open',
            count: open.length,
          },
          {
            key: 'closed',
            label: texts.tabs.closed,
            search: { which: 'closed' },
            isCurrent: tab === 'closed',
            count: closed.length,
          },
        ]}
      />
      {hasMore && <Note tone="caution">{texts.more}</Note>}
      <Card>
        {kept.rows.length === 0 ? (
          <Empty icon="alert" title={tab === 'open' ? texts.empty : texts.emptyClosed}>
            {tab === 'open' ? texts.emptyDetail : texts.emptyClosedDetail}
          </Empty>
        ) : (
          <>
            {kept.newer > 0 && (
              <NewerRows
                count={kept.newer}
                one={texts.one}
                other={texts.other}
                onShow={kept.show}
              />
            )}
            <Table
              caption={texts.caption[tab]}
              columns={
                tab === 'open'
                  ? openColumns({ isGone: kept.isGone, onClose: setChosen })
                  : closedColumns()
              }
              rows={kept.rows}
              idOf={({ id }) => id}
              rowClass={(row) => (kept.isGone(row) ? 'row-dim' : undefined)}
            />
            <Paging
              asOf={asOf}
              summary={`${texts.count(kept.rows.length)} · ${texts.order[tab]}`}
            />
          </>
        )}
      </Card>
      {chosen !== undefined && (
        <CloseIncident incident={chosen} onClose={() => setChosen(undefined)} />
      )}
    </>
  );
}
