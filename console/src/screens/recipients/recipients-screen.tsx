import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { COUNTRIES, OPERATORS } from '../../../../service/src/domain/operator.ts';
import type { Recipient } from '../../api/money-types.ts';
import type { Page as ListPage } from '../../api/page.ts';
import type { Mode } from '../../api/types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useCursor } from '../../app/cursor-pages.ts';
import { useInactive } from '../../app/may-act.ts';
import { useNewer } from '../../app/newer.ts';
import { Page } from '../../app/page.tsx';
import { useBook, useBookKey } from '../../app/session.ts';
import { formatCountry, formatOperator } from '../../format/format-operator.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { type Filter, Filters, useFilters } from '../../parts/filters.tsx';
import { NoRows } from '../../parts/no-rows.tsx';
import { PagedRows } from '../../parts/paged-rows.tsx';
import { RowLink } from '../../parts/row-link.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { NewerRows } from '../../parts/table-strip.tsx';
import { Time } from '../../parts/time.tsx';
import { Operator, Phone } from '../../parts/words.tsx';
import { placeNames } from '../../texts/en/places.ts';
import { recipients as texts } from '../../texts/en/recipients.ts';
import { AccountName, NameMatch } from './name-match.tsx';
import { RecipientForm } from './recipient-form.tsx';

const FILTERS: readonly Filter[] = [
  { name: 'phone', label: texts.filterPhone, type: 'tel', help: texts.filterPhoneHelp },
  {
    name: 'operator',
    label: texts.filterOperator,
    options: OPERATORS.map((one) => ({ value: one, label: formatOperator(one) })),
  },
  {
    name: 'country',
    label: texts.filterCountry,
    options: COUNTRIES.map((one) => ({ value: one, label: formatCountry(one) })),
  },
];

export default function RecipientsScreen() {
  const { mode } = useBook();
  const api = useBookApi();
  const key = useBookKey();
  const paging = useCursor();
  const inactive = useInactive();
  const { values, set, clear } = useFilters(FILTERS);
  const [isAdding, setAdding] = useState(false);
  const query = { ...values, cursor: paging.cursor, limit: 50 };
  const found = useQuery({
    queryKey: key('recipients', query),
    queryFn: ({ signal }) =>
      api<ListPage<Recipient>>({ path: '/transfer-recipients', query, signal }),
    placeholderData: keepPreviousData,
    meta: { isList: true },
  });
  const items = found.data?.items ?? [];
  const newer = useNewer('recipient', (id) => items.some((one) => one.id === id));
  const isFiltered = Object.keys(values).length > 0;
  return (
    <Page
      title={placeNames.recipients}
      intro={texts.intro}
      actions={
        <Button
          kind="main"
          icon="plus"
          inactive={inactive('payouts:write')}
          onClick={() => setAdding(true)}
        >
          {`${texts.add}…`}
        </Button>
      }
    >
      {(items.length > 0 || isFiltered) && (
        <Filters filters={FILTERS} values={values} onSet={set} />
      )}
      <Card>
        <PagedRows
          found={found}
          paging={paging}
          loadingRows={6}
          summary={`${texts.count(items.length)} ${texts.onPage} · ${texts.order}`}
          empty={
            <NoRows
              icon="people"
              texts={{ ...texts, emptyDetail: sayEmpty(mode) }}
              isFiltered={isFiltered}
              onClear={clear}
            />
          }
        >
          {(recipients) => (
            <>
              <NewerRows
                count={newer.count}
                one={texts.one.title.toLowerCase()}
                other={placeNames.recipients.toLowerCase()}
                onShow={() => {
                  newer.clear();
                  void found.refetch();
                }}
              />
              <RecipientTable recipients={recipients} />
            </>
          )}
        </PagedRows>
      </Card>
      {isAdding && <RecipientForm onClose={() => setAdding(false)} />}
    </Page>
  );
}

function sayEmpty(mode: Mode): string {
  return mode === 'test' ? `${texts.emptyDetail} ${texts.emptyTest}` : texts.emptyDetail;
}

function RecipientTable({ recipients }: Readonly<{ recipients: readonly Recipient[] }>) {
  const { id: bookId } = useBook();
  return (
    <Table
      caption={texts.caption}
      columns={columnsOf(bookId)}
      rows={recipients}
      idOf={({ id }) => id}
    />
  );
}

function columnsOf(bookId: string): readonly Column<Recipient>[] {
  return [
    {
      key: 'name',
      head: texts.atOperator,
      isRowHead: true,
      fold: 'main',
      cell: (recipient) => (
        <span className="two">
          <RowLink to={`/b/${bookId}/recipients/${recipient.id}`}>
            <AccountName recipient={recipient} />
          </RowLink>
          {recipient.suppliedAccountName !== null && (
            <small>
              <span className="hide-wide-inline">
                {texts.youGave(recipient.suppliedAccountName)}
              </span>
            </small>
          )}
        </span>
      ),
    },
    {
      key: 'supplied',
      head: texts.supplied,
      fold: 'hide',
      cell: ({ suppliedAccountName }) =>
        suppliedAccountName ?? <span className="faint">{texts.noName}</span>,
    },
    {
      key: 'match',
      head: texts.match,
      fold: 'num',
      cell: ({ nameMatch }) => <NameMatch match={nameMatch} />,
    },
    {
      key: 'phone',
      head: texts.phone,
      fold: 'state',
      cell: ({ phone, operator, country }) => (
        <span className="two">
          <Phone phone={phone} />
          <small>
            <Operator operator={operator} country={country} />
          </small>
        </span>
      ),
    },
    {
      key: 'added',
      head: texts.added,
      isNumber: true,
      fold: 'time',
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
  ];
}
