import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import type { Page as ListPage } from '../../api/page.ts';
import type { Wallet } from '../../api/types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useKeys } from '../../app/keyboard.tsx';
import { Page } from '../../app/page.tsx';
import { changePreferences, usePreferences } from '../../app/preferences.ts';
import { useBook, useBookKey } from '../../app/session.ts';
import { useNamedWallets } from '../../app/wallet-names.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { PartFailed } from '../../parts/failure.tsx';
import { Filters, showValue, useFilters } from '../../parts/filters.tsx';
import { LoadingRows } from '../../parts/loading.tsx';
import { placeNames } from '../../texts/en/places.ts';
import { transfers as texts } from '../../texts/en/transfers.ts';
import { ColumnsDialog } from './columns-dialog.tsx';
import { EmptyList } from './empty-list.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { rememberList } from './last-list.ts';
import { LoadedList } from './loaded-list.tsx';
import { COLUMNS_AT_FIRST, transferColumns } from './transfer-columns.tsx';
import { listFilters, toQuery } from './transfer-filters.ts';
import { useTransferList } from './use-transfer-list.ts';
import { ViewTabs } from './view-tabs.tsx';

/** The name of the list among the reader's choices of columns. */
const LIST = 'transfers';

export default function TransfersScreen() {
  const book = useBook();
  const { timeZone } = usePreferences();
  const wallets = useWallets();
  const filters = listFilters(wallets);
  const { values, set, clear } = useFilters(filters);
  const columns = useColumns();
  // The same ones until something changes: with others every row is rendered anew.
  const shownColumns = useMemo(
    () => transferColumns({ bookId: book.id, wallets, chosen: columns.chosen.split(',') }),
    [book.id, wallets, columns.chosen],
  );
  const list = useTransferList(values);
  const [open, setOpen] = useState<'columns' | 'export'>();
  useKeys([{ keys: 'e', label: texts.keys.export, act: () => setOpen('export') }]);
  const search = {
    ...values,
    ...(columns.inAddress === undefined ? {} : { columns: columns.inAddress }),
  };
  const rows = list.shown?.rows;
  useEffect(() => {
    if (rows !== undefined) rememberList({ bookId: book.id, search, rows });
  });
  const said = filters.flatMap((filter) => {
    const value = values[filter.name];
    return value === undefined
      ? []
      : [{ name: filter.name, says: `${filter.label} ${showValue(filter, value)}` }];
  });
  return (
    <Page
      title={placeNames.transfers}
      actions={
        <Button icon="export" aria-haspopup="dialog" onClick={() => setOpen('export')}>
          {texts.export.act}
        </Button>
      }
    >
      <ViewTabs search={search} />
      <Filters filters={filters} values={values} onSet={set}>
        <Button
          kind="plain"
          size="sm"
          icon="columns"
          aria-haspopup="dialog"
          onClick={() => setOpen('columns')}
        >
          {texts.columns.open}
        </Button>
      </Filters>
      {list.shown === undefined ? (
        <Card>
          {list.found.isError ? (
            <PartFailed error={list.found.error} onRetry={() => void list.found.refetch()} />
          ) : (
            <LoadingRows rows={8} />
          )}
        </Card>
      ) : list.shown.rows.length === 0 ? (
        <EmptyList
          filters={said}
          newer={list.changed.newer}
          onShowNewer={() => void list.showNewer()}
          onRemove={(name) => set({ [name]: undefined })}
          onClear={clear}
        />
      ) : (
        <LoadedList list={list} filters={values} columns={shownColumns} />
      )}
      {open === 'columns' && (
        <ColumnsDialog
          chosen={columns.chosen.split(',')}
          onChoose={columns.choose}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === 'export' && (
        <ExportDialog
          says={
            said.length === 0
              ? texts.export.all
              : texts.export.filtered(said.map(({ says }) => says))
          }
          questions={() => [toQuery(values, { now: new Date(), timeZone })]}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Page>
  );
}

function useWallets(): readonly Wallet[] {
  const api = useBookApi();
  const key = useBookKey();
  const { data } = useQuery({
    queryKey: key('wallets', { limit: 100 }),
    queryFn: ({ signal }) =>
      api<ListPage<Wallet>>({ path: '/wallets', query: { limit: 100 }, signal }),
    staleTime: 60_000,
  });
  return useNamedWallets(data?.items);
}

/** The columns of the address; without them, the reader's last choice. */
function useColumns() {
  const { columns: inAddress } = useSearch({ strict: false }) as { columns?: string };
  const { columns } = usePreferences();
  const navigate = useNavigate();
  return {
    inAddress,
    chosen: inAddress ?? (columns[LIST] ?? COLUMNS_AT_FIRST).join(','),
    choose: (chosen: readonly string[]) => {
      // The choice holds here also when it cannot be kept.
      changePreferences({ columns: { ...columns, [LIST]: chosen } }).catch(() => undefined);
      if (inAddress === undefined) return;
      void navigate({
        to: '.',
        search: (now: object) => ({ ...now, columns: chosen.join(',') }) as never,
      });
    },
  };
}
