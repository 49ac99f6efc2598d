import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ListEntry, ListName } from '../../api/control-types.ts';
import type { Page } from '../../api/page.ts';
import { useCursor } from '../../app/cursor-pages.ts';
import { formatPhone } from '../../format/format-phone.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { type Filter, Filters, useFilters } from '../../parts/filters.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { NoRows } from '../../parts/no-rows.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Paging } from '../../parts/table-strip.tsx';
import { Time } from '../../parts/time.tsx';
import { Phone } from '../../parts/words.tsx';
import { lists } from '../../texts/en/lists.ts';
import { EndEntry } from './end-entry.tsx';
import { EntryForm } from './entry-form.tsx';
import type { EntryHome } from './entry-home.ts';

const texts = lists.entries;
const PAGE_ROWS = 50;

const FILTERS: readonly Filter[] = [
  { name: 'q', label: texts.filterPhone, type: 'tel', help: texts.filterPhoneHelp },
  {
    name: 'inForce',
    label: texts.filterState,
    options: [
      { value: 'true', label: texts.inForce },
      { value: 'false', label: texts.past },
    ],
  },
];

type Given = Readonly<{
  list: ListName;
  /** A book's list, or the company's. */
  home: EntryHome;
  inactive: string | undefined;
}>;

/** Numbers with reason, author and end. Ended entries stay in the record. */
export function EntryList({ list, home, inactive }: Given) {
  const paging = useCursor();
  const { values, set, clear } = useFilters(FILTERS);
  const [isAdding, setAdding] = useState(false);
  const query = { list, ...values, cursor: paging.cursor, limit: PAGE_ROWS };
  const found = useQuery({
    queryKey: home.key('lists', query),
    queryFn: ({ signal }) => home.api<Page<ListEntry>>({ path: '/lists', query, signal }),
    placeholderData: keepPreviousData,
    meta: { isList: true },
  });
  return (
    <>
      <p className="soft lead-line">{home.isCompanys ? texts.helpCompany : texts.help[list]}</p>
      <Filters filters={FILTERS} values={values} onSet={set}>
        <Button kind="main" icon="plus" inactive={inactive} onClick={() => setAdding(true)}>
          {`${texts.add[list]}…`}
        </Button>
      </Filters>
      <Loaded found={found} rows={5}>
        {({ items, nextCursor }) => (
          <Card>
            {items.length === 0 ? (
              <NoRows
                icon="phone"
                texts={{ ...texts, empty: texts.empty[list], emptyDetail: texts.emptyDetail[list] }}
                isFiltered={Object.keys(values).length > 0}
                onClear={clear}
              />
            ) : (
              <>
                <EntryTable list={list} home={home} entries={items} inactive={inactive} />
                <Paging
                  summary={`${texts.count(items.length)} · ${texts.order}`}
                  asOf={found.dataUpdatedAt}
                  onNewer={paging.newer}
                  onOlder={paging.older(nextCursor)}
                />
              </>
            )}
          </Card>
        )}
      </Loaded>
      {isAdding && <EntryForm list={list} home={home} onClose={() => setAdding(false)} />}
    </>
  );
}

type TableGiven = Given & Readonly<{ entries: readonly ListEntry[] }>;

function EntryTable({ list, home, entries, inactive }: TableGiven) {
  const [ending, setEnding] = useState<ListEntry>();
  return (
    <>
      <Table
        caption={texts.caption[list]}
        columns={columnsOf(inactive, setEnding)}
        rows={entries}
        idOf={({ id }) => id}
        rowClass={({ inForce }) => (inForce ? undefined : 'row-past')}
      />
      {ending !== undefined && (
        <EndEntry entry={ending} home={home} onClose={() => setEnding(undefined)} />
      )}
    </>
  );
}

function columnsOf(
  inactive: string | undefined,
  onEnd: (entry: ListEntry) => void,
): readonly Column<ListEntry>[] {
  return [
    {
      key: 'phone',
      head: texts.phone,
      isRowHead: true,
      fold: 'main',
      cell: ({ phone }) => <Phone phone={phone} />,
    },
    { key: 'reason', head: texts.reason, fold: 'state', cell: ({ reason }) => reason },
    {
      key: 'author',
      head: texts.author,
      fold: 'more',
      cell: ({ author, createdAt }) => (
        <span className="two">
          <span>
            <span className="only-narrow">{texts.author} </span>
            <Time at={createdAt} />
          </span>
          <small>
            {texts.by} {author.name}
          </small>
        </span>
      ),
    },
    { key: 'ends', head: texts.ends, fold: 'num', cell: (entry) => <End entry={entry} /> },
    {
      key: 'action',
      head: texts.action,
      isNumber: true,
      fold: 'act',
      cell: (entry) =>
        entry.inForce && (
          <Button
            size="sm"
            inactive={inactive}
            aria-label={texts.actOn(formatPhone(entry.phone))}
            onClick={() => onEnd(entry)}
          >
            {texts.act}
          </Button>
        ),
    },
  ];
}

function End({ entry: { expiresAt, endedAt, endedBy } }: Readonly<{ entry: ListEntry }>) {
  if (endedAt !== null) {
    return (
      <span className="two">
        <span>
          {texts.ended} <Time at={endedAt} />
        </span>
        {endedBy !== null && (
          <small>
            {texts.endedBy} {endedBy.name}
          </small>
        )}
      </span>
    );
  }
  return expiresAt === null ? (
    <span className="faint">{texts.never}</span>
  ) : (
    <Time at={expiresAt} />
  );
}
