import { useNavigate } from '@tanstack/react-router';
import type { Page as ListPage } from '../../api/page.ts';
import type { ListedMerchant, Some, StaffTransfer } from '../../api/staff-types.ts';
import { useCursor } from '../../app/cursor-pages.ts';
import { useNewer } from '../../app/newer.ts';
import { Page } from '../../app/page.tsx';
import { usePreferences } from '../../app/preferences.ts';
import { useStaffQuery } from '../../app/staff-api.ts';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { type Filter, Filters, useFilters } from '../../parts/filters.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Table } from '../../parts/table.tsx';
import { NewerRows, Paging, TableStrip } from '../../parts/table-strip.tsx';
import { placeNames } from '../../texts/en/places.ts';
import { staffTransfers as texts } from '../../texts/en/staff-transfers.ts';
import { daysQuery } from '../staff/days-query.ts';
import { modeOptions, operatorOptions, stateOptions } from '../staff/filter-options.ts';
import { ModeSums } from '../staff/mode-sums.tsx';
import { NoMatches } from '../staff/no-matches.tsx';
import { STAFF_TRANSFER_COLUMNS } from '../staff/transfer-columns.tsx';

const ROWS = 50;

function filtersOf(merchants: readonly ListedMerchant[]): readonly Filter[] {
  const words = texts.filters;
  return [
    { name: 'mode', label: words.mode, options: modeOptions },
    { name: 'state', label: words.state, options: stateOptions },
    { name: 'operator', label: words.operator, options: operatorOptions },
    {
      name: 'merchantId',
      label: words.merchantId,
      options: merchants.map(({ id, name }) => ({ value: id, label: name })),
    },
    { name: 'route', label: words.route },
    { name: 'reference', label: words.reference, help: words.referenceHelp },
    { name: 'phone', label: words.phone, type: 'tel', help: words.phoneHelp },
    { name: 'from', label: words.from, type: 'date' },
    { name: 'to', label: words.to, type: 'date' },
  ];
}

export default function StaffTransfersScreen() {
  const merchants = useStaffQuery<Some<ListedMerchant>>({ path: '/merchants' });
  const filters = filtersOf(merchants.data?.items ?? []);
  const { values, set, clear } = useFilters(filters);
  const { timeZone } = usePreferences();
  const paging = useCursor();
  const navigate = useNavigate();
  const found = useStaffQuery<ListPage<StaffTransfer>>({
    path: '/transfers',
    query: { ...daysQuery(values, timeZone), limit: ROWS, cursor: paging.cursor },
    isList: true,
  });
  const rows = found.data?.items ?? [];
  const newer = useNewer('transfer', (id) => rows.some((row) => row.id === id));
  const isFirstUnfiltered = Object.keys(values).length === 0 && paging.cursor === undefined;
  const show = () => {
    newer.clear();
    void found.refetch();
  };
  return (
    <Page title={placeNames.transfers} intro={texts.intro}>
      <Filters filters={filters} values={values} onSet={set} />
      <Loaded found={found} rows={8}>
        {(data) => (
          <Card>
            {data.items.length === 0 ? (
              isFirstUnfiltered ? (
                <Empty icon="list" title={texts.empty}>
                  {texts.emptyDetail}
                </Empty>
              ) : (
                <NoMatches filters={filters} values={values} onClear={clear} />
              )
            ) : (
              <>
                <TableStrip
                  selected={0}
                  totals={
                    <>
                      <b>{texts.count(data.items.length)}</b>
                      <span className="soft">
                        <ModeSums items={data.items} /> {texts.onPage}
                      </span>
                    </>
                  }
                />
                {isFirstUnfiltered && (
                  <NewerRows
                    count={newer.count}
                    one={texts.one}
                    other={texts.other}
                    onShow={show}
                  />
                )}
                <Table
                  caption={texts.caption}
                  columns={STAFF_TRANSFER_COLUMNS}
                  rows={data.items}
                  idOf={({ id }) => id}
                  onOpen={({ id }) => void navigate({ to: `/staff/transfers/${id}` })}
                />
                <Paging
                  summary={texts.order}
                  asOf={found.dataUpdatedAt}
                  onOlder={paging.older(data.nextCursor)}
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
