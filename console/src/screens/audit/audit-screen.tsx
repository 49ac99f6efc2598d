import { ACT_KINDS } from '../../../../service/src/acts/act.ts';
import type { Page as ListPage } from '../../api/page.ts';
import type { Act, ListedMerchant, Some } from '../../api/staff-types.ts';
import { useCursor } from '../../app/cursor-pages.ts';
import { Page } from '../../app/page.tsx';
import { usePreferences } from '../../app/preferences.ts';
import { useStaffQuery } from '../../app/staff-api.ts';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { type Filter, Filters, useFilters } from '../../parts/filters.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Table } from '../../parts/table.tsx';
import { Paging } from '../../parts/table-strip.tsx';
import { audit as texts } from '../../texts/en/audit.ts';
import { placeNames } from '../../texts/en/places.ts';
import { daysQuery } from '../staff/days-query.ts';
import { NoMatches } from '../staff/no-matches.tsx';
import { ACT_COLUMNS } from './act-columns.tsx';
import { ExportButton } from './export-button.tsx';
import { nameKind } from './name-kind.ts';

const ROWS = 50;

function filtersOf(merchants: readonly ListedMerchant[]): readonly Filter[] {
  const words = texts.filters;
  return [
    { name: 'actor', label: words.actor, help: words.actorHelp },
    {
      name: 'kind',
      label: words.kind,
      options: ACT_KINDS.map((kind) => ({ value: kind, label: nameKind(kind) })),
    },
    {
      name: 'merchantId',
      label: words.merchantId,
      options: merchants.map(({ id, name }) => ({ value: id, label: name })),
    },
    { name: 'subject', label: words.subject, help: words.subjectHelp },
    { name: 'from', label: words.from, type: 'date' },
    { name: 'to', label: words.to, type: 'date' },
  ];
}

export default function AuditScreen() {
  const merchants = useStaffQuery<Some<ListedMerchant>>({ path: '/merchants' });
  const filters = filtersOf(merchants.data?.items ?? []);
  const { values, set, clear } = useFilters(filters);
  const { timeZone } = usePreferences();
  const paging = useCursor();
  const query = daysQuery(values, timeZone);
  const found = useStaffQuery<ListPage<Act>>({
    path: '/audit',
    query: { ...query, limit: ROWS, cursor: paging.cursor },
    isList: true,
  });
  return (
    <Page
      title={placeNames.audit}
      intro={texts.intro}
      actions={<ExportButton query={query} isEmpty={found.data?.items.length === 0} />}
    >
      <Filters filters={filters} values={values} onSet={set} />
      <Loaded found={found} rows={8}>
        {({ items, nextCursor }) => (
          <Card>
            {items.length === 0 ? (
              Object.keys(values).length === 0 ? (
                <Empty icon="shield" title={texts.empty}>
                  {texts.emptyDetail}
                </Empty>
              ) : (
                <NoMatches filters={filters} values={values} onClear={clear} />
              )
            ) : (
              <>
                <div className="table-top">
                  <Table
                    caption={texts.caption}
                    columns={ACT_COLUMNS}
                    rows={items}
                    idOf={({ id }) => id}
                  />
                </div>
                <Paging
                  summary={texts.order}
                  asOf={found.dataUpdatedAt}
                  onOlder={paging.older(nextCursor)}
                  onNewer={paging.newer}
                />
              </>
            )}
          </Card>
        )}
      </Loaded>
    </Page>
  );
}
