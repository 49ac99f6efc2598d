import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ListedMerchant, Some } from '../../api/staff-types.ts';
import { Page } from '../../app/page.tsx';
import { useInactive, useStaffQuery } from '../../app/staff-api.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { type Filter, Filters, useFilters } from '../../parts/filters.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Note } from '../../parts/note.tsx';
import { RowLink } from '../../parts/row-link.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Paging } from '../../parts/table-strip.tsx';
import { Time } from '../../parts/time.tsx';
import { Tag } from '../../parts/words.tsx';
import { merchants as texts } from '../../texts/en/merchants.ts';
import { placeNames } from '../../texts/en/places.ts';
import { NoMatches } from '../staff/no-matches.tsx';
import { CreateMerchant } from './create-merchant.tsx';

const FILTERS: readonly Filter[] = [
  { name: 'name', label: texts.filters.name, help: texts.filters.nameHelp },
  {
    name: 'state',
    label: texts.filters.state,
    options: [
      { value: 'active', label: texts.active },
      { value: 'suspended', label: texts.suspended },
    ],
  },
];

const COLUMNS: readonly Column<ListedMerchant>[] = [
  {
    key: 'name',
    head: texts.name,
    isRowHead: true,
    fold: 'main',
    cell: ({ id, name }) => <RowLink to={`/staff/merchants/${id}`}>{name}</RowLink>,
  },
  {
    key: 'state',
    head: texts.state,
    fold: 'num',
    cell: ({ suspendedAt }) =>
      suspendedAt === null ? (
        <Tag tone="good">{texts.active}</Tag>
      ) : (
        <span className="two">
          <Tag tone="bad">{texts.suspended}</Tag>
          <small>
            {texts.since} <Time at={suspendedAt} />
          </small>
        </span>
      ),
  },
  {
    key: 'wallets',
    head: texts.wallets,
    isNumber: true,
    fold: 'hide',
    cell: ({ wallets }) => wallets,
  },
  { key: 'keys', head: texts.keys, isNumber: true, fold: 'hide', cell: ({ liveKeys }) => liveKeys },
  {
    key: 'fees',
    head: texts.fees,
    isNumber: true,
    fold: 'hide',
    cell: ({ books }) => {
      const fees = books.find(({ mode }) => mode === 'live')?.fees;
      return fees === undefined ? '–' : texts.fee(fees.fixed, fees.percent);
    },
  },
  {
    key: 'created',
    head: texts.created,
    isNumber: true,
    fold: 'time',
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

export default function MerchantsScreen() {
  const found = useStaffQuery<Some<ListedMerchant>>({ path: '/merchants' });
  const { values, set, clear } = useFilters(FILTERS);
  const inactive = useInactive();
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const create = (
    <Button
      kind="main"
      icon="plus"
      inactive={inactive('merchants:write')}
      onClick={() => setCreating(true)}
    >
      {texts.create.act}
    </Button>
  );
  return (
    <Page title={placeNames.merchants} intro={texts.intro} actions={create}>
      <Filters filters={FILTERS} values={values} onSet={set} />
      <Loaded found={found}>
        {({ items, more }) => {
          const rows = items.filter((one) => fits(one, values));
          return (
            <>
              {more && <Note tone="caution">{texts.more(items.length)}</Note>}
              <Card>
                {items.length === 0 ? (
                  <Empty icon="shop" title={texts.empty} actions={create}>
                    {texts.emptyDetail}
                  </Empty>
                ) : rows.length === 0 ? (
                  <NoMatches
                    filters={FILTERS}
                    values={values}
                    title={more ? texts.nothingAmong(items.length) : undefined}
                    onClear={clear}
                  />
                ) : (
                  <>
                    <Table
                      caption={texts.caption}
                      columns={COLUMNS}
                      rows={rows}
                      idOf={({ id }) => id}
                      onOpen={({ id }) => void navigate({ to: `/staff/merchants/${id}` })}
                    />
                    <Paging
                      summary={`${texts.count(rows.length)} · ${texts.order}`}
                      asOf={found.dataUpdatedAt}
                    />
                  </>
                )}
              </Card>
            </>
          );
        }}
      </Loaded>
      {isCreating && <CreateMerchant onClose={() => setCreating(false)} />}
    </Page>
  );
}

/** The filters look at what is listed: where that is not all, the page says so. */
function fits(
  { name, suspendedAt }: ListedMerchant,
  values: Readonly<Record<string, string>>,
): boolean {
  const { name: part = '', state } = values;
  if (!name.toLowerCase().includes(part.trim().toLowerCase())) return false;
  return state === undefined || (state === 'suspended') === (suspendedAt !== null);
}
