import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EVENT_TYPES } from '../../../../service/src/events/event-types.ts';
import type { BookEvent } from '../../api/developer-types.ts';
import type { Page as ListPage } from '../../api/page.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useCursor } from '../../app/cursor-pages.ts';
import { type OpenRow, useOpenRow } from '../../app/open-row.ts';
import { Page } from '../../app/page.tsx';
import { useBookKey } from '../../app/session.ts';
import { useChanges } from '../../app/stream.tsx';
import { formatPhone } from '../../format/format-phone.ts';
import { Card } from '../../parts/card.tsx';
import { DocsLink } from '../../parts/docs-link.tsx';
import { Empty } from '../../parts/empty.tsx';
import { type Filter, Filters, useFilters } from '../../parts/filters.tsx';
import { NothingFound } from '../../parts/nothing-found.tsx';
import { openingColumns } from '../../parts/opening-columns.tsx';
import { PagedRows } from '../../parts/paged-rows.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { NewerRows } from '../../parts/table-strip.tsx';
import { Id } from '../../parts/words.tsx';
import { events as texts } from '../../texts/en/events.ts';
import { placeNames } from '../../texts/en/places.ts';
import { EventDetail } from './event-detail.tsx';

const FILTERS: readonly Filter[] = [
  {
    name: 'type',
    label: texts.filterType,
    options: EVENT_TYPES.map((type) => ({ value: type, label: type })),
  },
];

export default function EventsScreen() {
  const api = useBookApi();
  const key = useBookKey();
  const paging = useCursor();
  const { values, set, clear } = useFilters(FILTERS);
  const query = { type: values['type'], cursor: paging.cursor, limit: 50 };
  const found = useQuery({
    queryKey: key('events', 'latest', query),
    queryFn: ({ signal }) => api<ListPage<BookEvent>>({ path: '/events/latest', query, signal }),
    placeholderData: keepPreviousData,
    meta: { isList: true },
  });
  const [newer, setNewer] = useState(0);
  useChanges(({ what }) => {
    if (what !== 'opened') setNewer((count) => count + 1);
  });
  const show = () => {
    setNewer(0);
    if (paging.cursor === undefined) void found.refetch();
    else set({});
  };
  return (
    <Page title={placeNames.events} intro={texts.intro} actions={<DocsLink />}>
      <Filters filters={FILTERS} values={values} onSet={set} />
      <Card>
        <PagedRows
          found={found}
          paging={paging}
          loadingRows={8}
          summary={texts.order}
          empty={<NoEvents type={values['type']} onClear={clear} />}
          above={<NewerRows count={newer} one={texts.one} other={texts.other} onShow={show} />}
        >
          {(events) => <EventTable events={events} />}
        </PagedRows>
      </Card>
    </Page>
  );
}

function NoEvents({ type, onClear }: Readonly<{ type: string | undefined; onClear: () => void }>) {
  if (type === undefined) {
    return (
      <Empty icon="feed" title={texts.empty}>
        {texts.emptyDetail}
      </Empty>
    );
  }
  return (
    <NothingFound texts={texts} onClear={onClear}>
      {texts.nothingDetail(type)}
    </NothingFound>
  );
}

function EventTable({ events }: Readonly<{ events: readonly BookEvent[] }>) {
  const row = useOpenRow();
  return (
    <Table
      caption={texts.caption}
      columns={columnsOf(row)}
      rows={events}
      idOf={({ id }) => id}
      onOpen={({ id }) => row.toggle(id)}
      detailOf={(event) => detailOf(event, row)}
    />
  );
}

function detailOf(event: BookEvent, { open }: OpenRow) {
  return event.id === open ? <EventDetail event={event} /> : undefined;
}

function columnsOf(row: OpenRow): readonly Column<BookEvent>[] {
  const { time, name } = openingColumns<BookEvent>({
    row,
    time: { head: texts.time, at: ({ createdAt }) => createdAt, fold: 'num' },
    name: {
      head: texts.event,
      id: ({ id }) => id,
      word: ({ type }) => <TypeWord type={type} />,
      title: ({ type }) => texts.open(type),
    },
  });
  return [
    time,
    name,
    { key: 'about', head: texts.about, fold: 'state', cell: ({ data }) => aboutOf(data) },
    {
      key: 'id',
      head: texts.idHead,
      fold: 'hide',
      cell: ({ id }) => (
        <span className="faint">
          <Id id={id} />
        </span>
      ),
    },
  ];
}

/** Long types break behind the subject where there is little room. */
function TypeWord({ type }: Pick<BookEvent, 'type'>) {
  const [subject = '', ...what] = type.split('.');
  return (
    <code className="strong">
      {subject}.<wbr />
      {what.join('.')}
    </code>
  );
}

/** What people know the subject by: a reference, a number, a name, an address or a currency. */
function aboutOf(data: BookEvent['data']) {
  const { reference, phone, name, url, currency } = data as Record<string, string | undefined>;
  if (reference !== undefined) {
    return (
      <span className="two">
        <code>{reference}</code>
        {phone !== undefined && <small>{formatPhone(phone)}</small>}
      </span>
    );
  }
  if (phone !== undefined) return formatPhone(phone);
  return <span className="break">{name ?? url ?? currency ?? ''}</span>;
}
