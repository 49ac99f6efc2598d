import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Overview, SavedView } from '../../api/transfer-types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { readSearch, writeSearch } from '../../app/search-params.ts';
import { useBookKey, useSession } from '../../app/session.ts';
import { Icon } from '../../parts/icon.tsx';
import { type Tab, Tabs } from '../../parts/tabs.tsx';
import { transfers as texts } from '../../texts/en/transfers.ts';
import { ViewDialog } from './view-dialog.tsx';

type Search = Readonly<Record<string, string>>;

const OWN_TABS: readonly Readonly<{ key: string; label: string; search: Search }>[] = [
  { key: 'all', label: texts.all, search: {} },
  { key: 'today', label: texts.today, search: { created: 'today' } },
  { key: 'in_doubt', label: texts.inDoubt, search: { state: 'in_doubt' } },
  { key: 'failed', label: texts.failedThisWeek, search: { state: 'failed', created: '7d' } },
];

/** Views that every list has, then the reader's own, then the views that others share. */
export function ViewTabs({ search }: Readonly<{ search: Search }>) {
  const api = useBookApi();
  const key = useBookKey();
  const { person } = useSession();
  // As it was when it was opened: once a new view is stored, the list already has it.
  const [opened, setOpened] = useState<Readonly<{ view: SavedView | undefined; search: Search }>>();
  const views = useQuery({
    queryKey: key('views'),
    queryFn: ({ signal }) => api<{ items: readonly SavedView[] }>({ path: '/views', signal }),
    staleTime: 60_000,
  });
  const doubts = useDoubtCount();
  const here = writeSearch(sorted(search));
  const saved = views.data?.items ?? [];
  const current = saved.find((view) => writeSearch(sorted(searchOf(view))) === here);
  const tabs: readonly Tab[] = [
    ...OWN_TABS.map((tab) => ({
      ...tab,
      isCurrent: current === undefined && writeSearch(sorted(tab.search)) === here,
      ...(tab.key === 'in_doubt' && doubts > 0
        ? { count: doubts, countTone: 'doubt' as const }
        : {}),
    })),
    ...saved.map((view) => ({
      key: view.id,
      label: (
        <>
          {view.name}
          {view.isShared && <span className="faint small">{texts.shared}</span>}
        </>
      ),
      search: searchOf(view),
      isCurrent: view.id === current?.id,
    })),
  ];
  const isOwn = current?.ownedBy.id === person.id;
  const isPlain = tabs.some(({ isCurrent }) => isCurrent) && !isOwn;
  return (
    <>
      <Tabs
        label={texts.views}
        tabs={tabs}
        after={
          isPlain || views.isError ? undefined : (
            <button
              type="button"
              className="tab-act"
              aria-haspopup="dialog"
              onClick={() => setOpened({ view: isOwn ? current : undefined, search })}
            >
              <Icon name={isOwn ? 'rules' : 'plus'} />
              {isOwn ? texts.view.change : texts.view.save}
            </button>
          )
        }
      />
      {opened !== undefined && <ViewDialog {...opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

/** What of the address a view sets. */
function searchOf({ query, columns }: SavedView): Search {
  const search = readSearch(query);
  return columns.length === 0 ? search : { ...search, columns: columns.join(',') };
}

function sorted(search: Search): Search {
  return Object.fromEntries(Object.entries(search).sort(([a], [b]) => a.localeCompare(b)));
}

function useDoubtCount(): number {
  const api = useBookApi();
  const key = useBookKey();
  const { data } = useQuery({
    queryKey: key('overview'),
    queryFn: ({ signal }) => api<Overview>({ path: '/overview', signal }),
  });
  return (data?.wallets ?? [])
    .flatMap(({ heldFor }) => heldFor)
    .filter(({ state }) => state === 'in_doubt')
    .reduce((sum, { count }) => sum + count, 0);
}
