import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Posting } from '../../api/money-types.ts';
import type { Page as ListPage } from '../../api/page.ts';
import type { Wallet } from '../../api/types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useCursor } from '../../app/cursor-pages.ts';
import { usePreferences } from '../../app/preferences.ts';
import { useBook, useBookKey } from '../../app/session.ts';
import { formatAmount, formatCount } from '../../format/format-amount.ts';
import { periodOf } from '../../format/zoned-time.ts';
import { Amount } from '../../parts/amount.tsx';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Refused } from '../../parts/failure.tsx';
import { type Filter, Filters, useFilters } from '../../parts/filters.tsx';
import { NoRows } from '../../parts/no-rows.tsx';
import { PagedRows } from '../../parts/paged-rows.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { wallet as texts } from '../../texts/en/wallet.ts';
import { readStatement, STATEMENT_ROWS_MAX, saveFile } from './download-statement.ts';

const FILTERS: readonly Filter[] = [
  { name: 'from', label: texts.from, type: 'date' },
  { name: 'to', label: texts.to, type: 'date' },
];

/** Every posting with the balances after it. */
export function StatementCard({ wallet }: Readonly<{ wallet: Wallet }>) {
  const api = useBookApi();
  const key = useBookKey();
  const { id: bookId } = useBook();
  const { timeZone } = usePreferences();
  const paging = useCursor();
  const { values, set, clear } = useFilters(FILTERS);
  const period = periodOf({ from: values['from'], to: values['to'] }, timeZone);
  const query = { ...period, cursor: paging.cursor, limit: 50 };
  const found = useQuery({
    queryKey: key('wallets', wallet.id, 'postings', query),
    queryFn: ({ signal }) =>
      api<ListPage<Posting>>({ path: `/wallets/${wallet.id}/postings`, query, signal }),
    placeholderData: keepPreviousData,
  });
  const download = useMutation({
    mutationFn: () => readStatement(bookId, wallet.id, period),
    onSuccess: ({ text, isWhole }) => {
      saveFile(`statement-${wallet.currency}-${wallet.id}.csv`, text);
      if (!isWhole) toast(texts.tooMany(formatCount(STATEMENT_ROWS_MAX)), 'info');
    },
  });
  const isFiltered = Object.keys(values).length > 0;
  return (
    <Card
      title={texts.statement}
      aside={
        <Button
          size="sm"
          icon="export"
          title={texts.downloadAll}
          isBusy={download.isPending}
          onClick={() => download.mutate()}
        >
          {texts.download}
        </Button>
      }
    >
      <div className="card-pad pt-0">
        <Filters filters={FILTERS} values={values} onSet={set} />
        {download.isError && <Refused error={download.error} />}
      </div>
      <PagedRows
        found={found}
        paging={paging}
        loadingRows={6}
        summary={texts.order}
        empty={
          <NoRows
            icon="wallet"
            texts={{ ...texts, nothingDetail: texts.nothingDetail(values['from'], values['to']) }}
            isFiltered={isFiltered}
            onClear={clear}
          />
        }
      >
        {(postings) => (
          <Table
            caption={texts.caption}
            columns={columnsOf(bookId)}
            rows={postings}
            idOf={({ sequence }) => String(sequence)}
          />
        )}
      </PagedRows>
    </Card>
  );
}

function columnsOf(bookId: string): readonly Column<Posting>[] {
  return [
    {
      key: 'number',
      head: texts.number,
      isNumber: true,
      fold: 'hide',
      cell: ({ sequence }) => <span className="faint">{sequence}</span>,
    },
    {
      key: 'time',
      head: texts.time,
      isSorted: true,
      fold: 'state',
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
    {
      key: 'what',
      head: texts.what,
      isRowHead: true,
      fold: 'main',
      cell: ({ kind, transferId, reference }) => (
        <span className="two">
          {texts.kinds[kind]}
          <small className="break">
            {transferId === null ? (
              (reference ?? texts.noReference)
            ) : (
              <Link to={`/b/${bookId}/transfers/${transferId}`}>{reference ?? transferId}</Link>
            )}
          </small>
        </span>
      ),
    },
    {
      key: 'held',
      head: texts.held,
      isNumber: true,
      fold: 'time',
      cell: (posting) => <Balance posting={posting} account="held" after={posting.heldAfter} />,
    },
    {
      key: 'available',
      head: texts.available,
      isNumber: true,
      fold: 'num',
      cell: (posting) => (
        <Balance posting={posting} account="available" after={posting.availableAfter} />
      ),
    },
  ];
}

type BalanceGiven = Readonly<{
  posting: Posting;
  account: 'available' | 'held';
  after: string;
}>;

/** The balance after the posting, and below it what the posting changed. */
function Balance({ posting, account, after }: BalanceGiven) {
  const change = changeOf(posting, account);
  return (
    <span className={change === undefined ? 'two faint' : 'two'}>
      {account === 'held' && <span className="hide-wide-inline faint small">{texts.held} </span>}
      <Amount currency={posting.currency} amount={after} />
      <small>{change ?? '\u00a0'}</small>
    </span>
  );
}

function changeOf({ from, to, amount }: Posting, account: string): string | undefined {
  if (to === account) return `+${formatAmount(amount)}`;
  return from === account ? formatAmount(`-${amount}`) : undefined;
}
