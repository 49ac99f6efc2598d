import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { Page as ListPage } from '../../api/page.ts';
import type { Act, Team } from '../../api/team-types.ts';
import { useCursor } from '../../app/cursor-pages.ts';
import { Page } from '../../app/page.tsx';
import { usePreferences } from '../../app/preferences.ts';
import { useBook, useBookKey, useSession } from '../../app/session.ts';
import { periodOf } from '../../format/zoned-time.ts';
import { Card } from '../../parts/card.tsx';
import { type Filter, Filters, useFilters } from '../../parts/filters.tsx';
import { NoRows } from '../../parts/no-rows.tsx';
import { PagedRows } from '../../parts/paged-rows.tsx';
import { activity as texts } from '../../texts/en/activity.ts';
import { placeNames } from '../../texts/en/places.ts';
import { shell } from '../../texts/en/shell.ts';
import { ActTable } from './act-table.tsx';

export default function ActivityScreen() {
  const { merchant } = useBook();
  const key = useBookKey();
  const paging = useCursor();
  const { timeZone } = usePreferences();
  const filters = useActFilters();
  const { values, set, clear } = useFilters(filters);
  const query = {
    actor: values['actor'],
    kind: values['kind'],
    bookId: values['bookId'],
    ...periodOf({ from: values['from'], to: values['to'] }, timeZone),
    cursor: paging.cursor,
    limit: 50,
  };
  const found = useQuery({
    queryKey: key('activity', query),
    queryFn: ({ signal }) =>
      call<ListPage<Act>>({ path: `/merchants/${merchant.id}/activity`, query, signal }),
    placeholderData: keepPreviousData,
  });
  const isFiltered = Object.keys(values).length > 0;
  return (
    <Page title={placeNames.activity} intro={texts.intro(merchant.name)}>
      <Filters filters={filters} values={values} onSet={set} />
      <Card>
        <PagedRows
          found={found}
          paging={paging}
          loadingRows={8}
          summary={texts.order}
          empty={<NoRows icon="activity" texts={texts} isFiltered={isFiltered} onClear={clear} />}
        >
          {(acts) => <ActTable acts={acts} />}
        </PagedRows>
      </Card>
    </Page>
  );
}

/** People are offered by name. Without their names the other filters still work. */
function useActFilters(): readonly Filter[] {
  const { merchant } = useBook();
  const { memberships } = useSession();
  const key = useBookKey();
  const people = useQuery({
    queryKey: key('people'),
    queryFn: ({ signal }) => call<Team>({ path: `/merchants/${merchant.id}/people`, signal }),
  });
  const books = memberships.find((one) => one.merchant.id === merchant.id)?.books ?? [];
  return [
    {
      name: 'actor',
      label: texts.filterActor,
      options: (people.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
    },
    {
      name: 'kind',
      label: texts.filterKind,
      options: Object.entries(texts.kinds).map(([value, label]) => ({ value, label })),
    },
    {
      name: 'bookId',
      label: texts.filterBook,
      options: books.map(({ id, mode }) => ({ value: id, label: shell.modes[mode].word })),
    },
    { name: 'from', label: texts.from, type: 'date' },
    { name: 'to', label: texts.to, type: 'date' },
  ];
}
