import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey } from '../../api/developer-types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useInactive } from '../../app/may-act.ts';
import { Page } from '../../app/page.tsx';
import { useBook, useBookKey } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { DocsLink } from '../../parts/docs-link.tsx';
import { Empty } from '../../parts/empty.tsx';
import { PartFailed } from '../../parts/failure.tsx';
import { type Filter, Filters, useFilters } from '../../parts/filters.tsx';
import { LoadingRows } from '../../parts/loading.tsx';
import { Paging, TableStrip } from '../../parts/table-strip.tsx';
import { keys as texts } from '../../texts/en/keys.ts';
import { placeNames } from '../../texts/en/places.ts';
import { KeyForm } from './key-form.tsx';
import { KeyTable } from './key-table.tsx';

const FILTERS: readonly Filter[] = [
  {
    name: 'state',
    label: texts.filterState,
    options: Object.entries(texts.states).map(([value, label]) => ({ value, label })),
  },
];

export default function KeysScreen() {
  const api = useBookApi();
  const key = useBookKey();
  const { mode } = useBook();
  const inactive = useInactive();
  const [isMaking, setMaking] = useState(false);
  const found = useQuery({
    queryKey: key('keys'),
    queryFn: ({ signal }) => api<{ items: readonly ApiKey[] }>({ path: '/keys', signal }),
  });
  return (
    <Page
      title={placeNames.keys}
      intro={texts.intro[mode]}
      actions={
        <>
          <DocsLink />
          <Button
            kind="main"
            icon="plus"
            inactive={inactive('keys:write')}
            onClick={() => setMaking(true)}
          >
            {`${texts.make}…`}
          </Button>
        </>
      }
    >
      {found.data !== undefined ? (
        <KeyList keys={found.data.items} asOf={found.dataUpdatedAt} />
      ) : (
        <Card>
          {found.isError ? (
            <PartFailed error={found.error} onRetry={() => void found.refetch()} />
          ) : (
            <LoadingRows />
          )}
        </Card>
      )}
      {isMaking && <KeyForm onClose={() => setMaking(false)} />}
    </Page>
  );
}

/** The keys of a book are few: the filter looks at all of them. */
function KeyList({ keys, asOf }: Readonly<{ keys: readonly ApiKey[]; asOf: number }>) {
  const { values, set, clear } = useFilters(FILTERS);
  if (keys.length === 0) {
    return (
      <Card>
        <Empty icon="key" title={texts.empty}>
          {texts.emptyDetail}
        </Empty>
      </Card>
    );
  }
  const state = values['state'];
  const rows = keys.filter((key) => state === undefined || key.state === state);
  return (
    <>
      <Filters filters={FILTERS} values={values} onSet={set} />
      <Card>
        {rows.length === 0 ? (
          <Empty
            icon="search"
            title={texts.nothing}
            actions={
              <Button kind="main" onClick={clear}>
                {texts.clear}
              </Button>
            }
          >
            {texts.nothingDetail(keys.length)}
          </Empty>
        ) : (
          <>
            <TableStrip
              selected={0}
              totals={
                <>
                  <b>{texts.count(rows.length)}</b>
                  <span className="soft">
                    {texts.active(rows.filter((one) => one.state === 'active').length)}
                  </span>
                </>
              }
            />
            <KeyTable keys={rows} />
            <Paging summary={texts.order} asOf={asOf} />
          </>
        )}
      </Card>
    </>
  );
}
