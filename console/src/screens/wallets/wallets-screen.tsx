import { useQuery } from '@tanstack/react-query';
import type { Page as ListPage } from '../../api/page.ts';
import type { Wallet } from '../../api/types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useCursor } from '../../app/cursor-pages.ts';
import { Page } from '../../app/page.tsx';
import { useBook, useBookKey } from '../../app/session.ts';
import { useWalletNames } from '../../app/wallet-names.ts';
import { addAmounts, sumByCurrency } from '../../format/format-amount.ts';
import { Amount, Sums } from '../../parts/amount.tsx';
import { balanceColumns } from '../../parts/balance-columns.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { type Filter, Filters, useFilters } from '../../parts/filters.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { RowLink } from '../../parts/row-link.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Paging, TableStrip } from '../../parts/table-strip.tsx';
import { Id, Tag } from '../../parts/words.tsx';
import { placeNames } from '../../texts/en/places.ts';
import { wallets as texts } from '../../texts/en/wallets.ts';

const COLUMNS: readonly Column<Wallet>[] = [
  {
    key: 'wallet',
    head: texts.wallet,
    isRowHead: true,
    fold: 'main',
    cell: (wallet) => (
      <span className="two">
        <WalletLink wallet={wallet} />
        <small>
          <Id id={wallet.id} />
        </small>
      </span>
    ),
  },
  {
    key: 'status',
    head: texts.status,
    fold: 'state',
    cell: ({ status }) =>
      status === 'active' ? (
        <Tag tone="good">{texts.active}</Tag>
      ) : (
        <span className="two">
          <Tag tone="caution">{texts.frozen}</Tag>
          <small>{texts.frozenHelp}</small>
        </span>
      ),
  },
  ...balanceColumns(texts),
  {
    key: 'total',
    head: texts.total,
    isNumber: true,
    fold: 'hide',
    cell: ({ currency, available, held }) => (
      <Amount currency={currency} amount={addAmounts([available, held])} />
    ),
  },
];

function WalletLink({ wallet }: Readonly<{ wallet: Wallet }>) {
  const { id } = useBook();
  const nameOf = useWalletNames();
  return <RowLink to={`/b/${id}/wallets/${wallet.id}`}>{nameOf(wallet)}</RowLink>;
}

export default function WalletsScreen() {
  const api = useBookApi();
  const key = useBookKey();
  const paging = useCursor();
  const found = useQuery({
    queryKey: key('wallets', { cursor: paging.cursor }),
    queryFn: ({ signal }) =>
      api<ListPage<Wallet>>({
        path: '/wallets',
        query: { limit: 50, cursor: paging.cursor },
        signal,
      }),
  });
  return (
    <Page title={placeNames.wallets} intro={texts.intro}>
      <Loaded found={found}>
        {({ items, nextCursor }) => (
          <WalletList
            wallets={items}
            asOf={found.dataUpdatedAt}
            onOlder={paging.older(nextCursor)}
            onNewer={paging.newer}
          />
        )}
      </Loaded>
    </Page>
  );
}

type ListGiven = Readonly<{
  wallets: readonly Wallet[];
  asOf: number;
  onOlder: (() => void) | undefined;
  onNewer: (() => void) | undefined;
}>;

/** The wallets of the book are few: the filter looks at what is on the page. */
function WalletList({ wallets, asOf, onOlder, onNewer }: ListGiven) {
  const currencies = [...new Set(wallets.map(({ currency }) => currency))].sort();
  const filters: readonly Filter[] = [
    {
      name: 'currency',
      label: texts.filterCurrency,
      options: currencies.map((currency) => ({ value: currency, label: currency })),
    },
  ];
  const { values, set, clear } = useFilters(filters);
  const rows = wallets.filter(
    ({ currency }) => values['currency'] === undefined || currency === values['currency'],
  );
  if (wallets.length === 0) {
    return (
      <Card>
        <Empty icon="wallet" title={texts.empty}>
          {texts.emptyDetail}
        </Empty>
      </Card>
    );
  }
  const sums = sumByCurrency(
    rows.map(({ currency, available }) => ({ currency, amount: available })),
  );
  return (
    <>
      {(currencies.length > 1 || values['currency'] !== undefined) && (
        <Filters filters={filters} values={values} onSet={set} />
      )}
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
            {texts.nothingDetail(`${texts.filterCurrency} ${values['currency']}`, wallets.length)}
          </Empty>
        ) : (
          <>
            <TableStrip
              selected={0}
              totals={
                <>
                  <b>{texts.count(rows.length)}</b>
                  <span className="soft">
                    <Sums sums={sums} /> {texts.availableInAll}
                  </span>
                </>
              }
            />
            <Table caption={texts.caption} columns={COLUMNS} rows={rows} idOf={({ id }) => id} />
            <Paging summary={texts.order} asOf={asOf} onOlder={onOlder} onNewer={onNewer} />
          </>
        )}
      </Card>
    </>
  );
}
